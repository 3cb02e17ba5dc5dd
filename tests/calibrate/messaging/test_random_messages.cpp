#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "calibrate/messaging/buffered.hpp"
#include "calibrate/messaging/command_messages.hpp"
#include "calibrate/messaging/matched_messages.hpp"
#include "calibrate/messaging/receiver_initiated.hpp"
#include "calibrate/ranks/cores.hpp"
#include "check_messages.hpp"
#include "gateway_world.hpp"
#include "random_puts.hpp"
#include "stress_report.hpp"
#include "worlds.hpp"

using namespace narrows;

namespace {

/// The random exchange of one protocol over one endpoint.
struct RandomExchange {
    const char* protocol;
    const char* endpoint;
    MessageMix (*mix)(int ranks, std::uint32_t messages, std::uint64_t seed);
    std::uint32_t (*check)(MessageMix mix, int workers);
};

template <class Endpoint>
class Rendezvous : public MatchedMessages<Endpoint> {
  public:
    Rendezvous(Endpoint& endpoint, const RankLayout& layout) : MatchedMessages<Endpoint>(endpoint, layout, 0) {}
};

/// Whether threads take turns on a core.
bool crowded(int workers) {
    return workers > Cores().count();
}

template <bool overlap>
std::uint32_t check_gateways(MessageMix mix, int workers) {
    const int domain = std::min(8, mix.ranks / 2);
    const GatewayShape shape = shape_of(mix.ranks, domain, 2, overlap);
    return check_gateway_messages(shape, mix, crowded(workers) ? shape.total() : workers);
}

template <class Endpoint>
void add_exchanges(std::vector<RandomExchange>& all, const char* endpoint) {
    all.push_back({"matched", endpoint, mix_of, check_random_messages<RingWorld<Endpoint, MatchedMessages, void>>});
    all.push_back(
        {"rendezvous", endpoint, synchronous_mix, check_random_messages<RingWorld<Endpoint, Rendezvous, void>>});
    all.push_back(
        {"buffered", endpoint, buffered_mix, check_random_messages<RingWorld<Endpoint, Buffered, BufferedMemory>>});
    all.push_back({"receiver-initiated", endpoint, synchronous_mix,
                   check_random_messages<RingWorld<Endpoint, ReceiverInitiated, ReceiverInitiatedMemory>>});
}

std::vector<RandomExchange> exchanges() {
    std::vector<RandomExchange> all;
    add_exchanges<SharedEndpoint>(all, "shared memory");
    add_exchanges<UnsharedEndpoint>(all, "packets");
    all.push_back({"gateways", "leg by leg", synchronous_mix, check_gateways<false>});
    all.push_back({"gateways", "overlapped", synchronous_mix, check_gateways<true>});
    all.push_back({"command messages", "packets", synchronous_mix,
                   check_random_messages<RingWorld<SharedEndpoint, CommandMessages, void>>});
    all.push_back({"command queue", "packets", mix_of,
                   check_random_messages<RingWorld<SharedEndpoint, QueueWithLanes, void>, RandomPuts>});
    return all;
}

/// Fibers of one worker and of two, and threads, which take turns where they are more than the cores.
std::vector<RankLayout> layouts() {
    return {{2, 1}, {2, 2}, {3, 3}, {5, 2}, {8, 8}, {16, 16}, {64, 2}, {64, 64}};
}

/// Messages of an exchange that is no stress: 10^5 on threads together, most where none waits for its turn on a core,
/// and as many on 64 fibers.
std::uint64_t usual_messages(const RankLayout& layout) {
    if (!layout.threads()) return layout.ranks == 64 ? 100'000 : 20'000;
    return layout.ranks == 2 ? 70'000 : layout.ranks == 3 ? 20'000 : layout.ranks == 8 ? 5'000 : 2'500;
}

/// Of a layout among those that share the messages of a stress.
std::uint64_t weight_of(const RankLayout& layout) {
    return crowded(layout.workers) ? 1 : 50;
}

/// Exchanges messages, each time others, until there were `share` of them; how many there were.
std::uint64_t exchange(const RandomExchange& random, const RankLayout& layout, std::uint64_t share,
                       std::uint64_t& seed) {
    constexpr std::uint64_t most_at_once = 100'000;
    std::uint64_t done = 0;
    while (done < share) {
        const auto messages = static_cast<std::uint32_t>(std::min(share - done, most_at_once));
        const std::uint32_t received = random.check(random.mix(layout.ranks, messages, ++seed), layout.workers);
        done += std::max(received, messages);  // of what is instrumented only a part is exchanged
    }
    return done;
}

/// Random messages by a protocol on all layouts, over all that carries it.
void exchange_everywhere(const std::string& protocol) {
    std::uint64_t seed = 7;
    int carriers = 0;
    for (const RandomExchange& random : exchanges()) {
        if (random.protocol != protocol) continue;
        ++carriers;
        for (const RankLayout& layout : layouts()) {
            CAPTURE(random.endpoint, layout.ranks, layout.workers);
            exchange(random, layout, usual_messages(layout), seed);
        }
    }
    CHECK(carriers > 0);
}

}  // namespace

TEST_CASE("matched messages: what is delivered is what was sent, in order, on 2 to 64 threads and fibers") {
    exchange_everywhere("matched");
}

TEST_CASE("rendezvous: what is delivered is what was sent, in order, on 2 to 64 threads and fibers") {
    exchange_everywhere("rendezvous");
}

TEST_CASE("buffered: what is delivered is what was sent, in order, on 2 to 64 threads and fibers") {
    exchange_everywhere("buffered");
}

TEST_CASE("receiver-initiated: what is delivered is what was sent, in order, on 2 to 64 threads and fibers") {
    exchange_everywhere("receiver-initiated");
}

TEST_CASE("gateways: what is delivered is what was sent, in order, on 2 to 64 threads and fibers") {
    exchange_everywhere("gateways");
}

TEST_CASE("command messages: what is delivered is what was sent, in order, on 2 to 64 threads and fibers") {
    exchange_everywhere("command messages");
}

TEST_CASE("command queue: memory has what was put, in order, on 2 to 64 threads and fibers") {
    exchange_everywhere("command queue");
}

// Hidden, as it takes minutes: the target `stress` runs it.
TEST_CASE("stress: by every protocol what is delivered is what was sent, message after message", "[.][stress]") {
    const std::uint64_t asked = stress_messages();
    std::uint64_t weights = 0, done = 0, seed = 1000;
    for (const RankLayout& layout : layouts()) weights += weight_of(layout) * exchanges().size();
    for (const RankLayout& layout : layouts()) {
        for (const RandomExchange& random : exchanges()) {
            const StressLine line(random.protocol, random.endpoint, layout.ranks);
            const std::uint64_t share = asked * weight_of(layout) / weights + 1;
            done += line.print(exchange(random, layout, share, seed));
        }
    }
    fmt::print("{} messages in all\n", done);
    CHECK(done >= asked);
}
