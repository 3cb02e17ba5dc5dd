#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "calibrate/ranks/sanitizer.hpp"
#include "calibrate/transport/tcp_job.hpp"
#include "messages_between_processes.hpp"

using namespace narrows;

namespace {

using Exchange = std::function<std::uint32_t(TcpEndpoint& endpoint, std::uint32_t messages, std::uint64_t seed)>;

/// Random messages on 2 to 5 processes, 10^5 in all.
void exchange(const Exchange& protocol, std::uint64_t seed) {
    const auto [ranks, thousands] = GENERATE(std::pair{2, 80U}, std::pair{3, 10U}, std::pair{5, 10U});
    const std::uint32_t messages = thousands * (sanitized ? 100 : 1000);
    const auto body = [&protocol, messages, seed](TcpEndpoint& endpoint, int) {
        return std::to_string(protocol(endpoint, messages, seed));
    };
    std::uint64_t received = 0;
    for (const ProcessOutcome& outcome : run_tcp_processes(ranks, body)) {
        INFO(outcome.text);
        REQUIRE(outcome.end == ProcessOutcome::End::returned);
        received += std::stoull(outcome.text);
    }
    CHECK(received >= messages);
}

}  // namespace

TEST_CASE("buffered over TCP: what is delivered is what was sent, in order") {
    exchange(exchange_buffered<TcpEndpoint>, 31);
}

TEST_CASE("receiver-initiated over TCP: what is delivered is what was sent, in order") {
    exchange(exchange_receiver_initiated<TcpEndpoint>, 32);
}

TEST_CASE("active messages over TCP: what is delivered is what was sent, in order") {
    exchange(exchange_matched<TcpEndpoint>, 33);
}
