#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "calibrate/ranks/sanitizer.hpp"
#include "calibrate/transport/tcp_job.hpp"
#include "messages_between_processes.hpp"
#include "tests/calibrate/messaging/stress_report.hpp"

using namespace narrows;

namespace {

using Exchange = ProcessExchange<TcpEndpoint>;

/// How many messages all ranks together received; each was right.
std::uint64_t exchange(const Exchange& random, int ranks, std::uint32_t messages, std::uint64_t seed) {
    const auto body = [&](TcpEndpoint& endpoint, int) { return std::to_string(random.run(endpoint, messages, seed)); };
    std::uint64_t received = 0;
    for (const ProcessOutcome& outcome : run_tcp_processes(ranks, body)) {
        INFO(outcome.text);
        REQUIRE(outcome.end == ProcessOutcome::End::returned);
        received += std::stoull(outcome.text);
    }
    CHECK(received >= messages);
    return received;
}

/// Random messages by a protocol on 2 to 64 processes, 10^5 in all; fewer under a sanitizer.
void exchange_everywhere(const std::string& protocol) {
    std::uint64_t seed = 31;
    int found = 0;
    for (const Exchange& random : process_exchanges<TcpEndpoint>()) {
        if (random.protocol != protocol) continue;
        ++found;
        for (const auto& [ranks, thousands] : {std::pair{2, 75U}, {5, 10U}, {8, 10U}, {sanitized ? 16 : 64, 5U}}) {
            CAPTURE(ranks);
            exchange(random, ranks, thousands * (sanitized ? 100 : 1000), ++seed);
        }
    }
    CHECK(found == 1);
}

}  // namespace

TEST_CASE("buffered over TCP: what is delivered is what was sent, in order") {
    exchange_everywhere("buffered");
}

TEST_CASE("receiver-initiated over TCP: what is delivered is what was sent, in order") {
    exchange_everywhere("receiver-initiated");
}

TEST_CASE("active messages over TCP: what is delivered is what was sent, in order") {
    exchange_everywhere("matched");
}

TEST_CASE("rendezvous over TCP: what is delivered is what was sent, in order") {
    exchange_everywhere("rendezvous");
}

TEST_CASE("command messages over TCP: what is delivered is what was sent, in order") {
    exchange_everywhere("command messages");
}

TEST_CASE("command queue over TCP: memory has what was put, in order") {
    exchange_everywhere("command queue");
}

// Hidden, as it takes minutes: the target `stress` runs it. A message costs calls of the system, and on more ranks than
// cores they take turns: a thousandth of what shared memory has.
TEST_CASE("stress: by every protocol over TCP what is delivered is what was sent", "[.][stress]") {
    constexpr std::array numbers_of_ranks{2, 3, 8, 64};
    const auto exchanges = process_exchanges<TcpEndpoint>();
    const std::uint64_t share = stress_messages() / 1000 / (exchanges.size() * numbers_of_ranks.size()) + 1;
    std::uint64_t seed = 2000;
    for (const Exchange& random : exchanges) {
        for (const int ranks : numbers_of_ranks) {
            const StressLine line(random.protocol, "TCP", ranks);
            line.print(exchange(random, ranks, static_cast<std::uint32_t>(share), ++seed));
        }
    }
}
