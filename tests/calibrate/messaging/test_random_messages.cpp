#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "calibrate/messaging/buffered.hpp"
#include "calibrate/messaging/matched_messages.hpp"
#include "calibrate/messaging/receiver_initiated.hpp"
#include "calibrate/ranks/cores.hpp"
#include "check_messages.hpp"
#include "worlds.hpp"

using namespace narrows;

namespace {

/// The random exchange of one protocol over one endpoint.
struct StressedProtocol {
    const char* name;
    MessageMix (*mix)(int ranks, std::uint32_t messages, std::uint64_t seed);
    std::uint32_t (*check)(MessageMix mix, int workers);
};

template <class Endpoint>
std::vector<StressedProtocol> protocols_over() {
    return {{"matched", mix_of, check_random_messages<RingWorld<Endpoint, MatchedMessages, void>>},
            {"buffered", buffered_mix, check_random_messages<RingWorld<Endpoint, Buffered, BufferedMemory>>},
            {"receiver-initiated", synchronous_mix,
             check_random_messages<RingWorld<Endpoint, ReceiverInitiated, ReceiverInitiatedMemory>>}};
}

const std::vector<RankLayout>& layouts() {
    static const std::vector<RankLayout> all = {{2, 2}, {2, 1}, {3, 3}, {5, 2}, {64, 2}};
    return all;
}

/// Threads that take turns on a core exchange a hundredth of the messages in the same time.
std::uint64_t weight_of(const RankLayout& layout) {
    return layout.workers > Cores().count() ? 1 : 100;
}

/// Messages of all exchanges together: what the environment asks for, else 10^8.
std::uint64_t messages_asked_for() {
    const char* text = std::getenv("NARROWS_STRESS_MESSAGES");
    if (text == nullptr) return 100'000'000;
    const std::string_view digits = text;
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end != digits.data() + digits.size() || count == 0) {
        throw std::invalid_argument(
            fmt::format("NARROWS_STRESS_MESSAGES={}: give a number of messages, such as 1000000", text));
    }
    return count;
}

/// Exchanges messages, each time others, until there were `share` of them; how many there were.
std::uint64_t stress(const StressedProtocol& protocol, const char* endpoint, const RankLayout& layout,
                     std::uint64_t share, std::uint64_t& seed) {
    constexpr std::uint64_t most_at_once = 100'000;
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t done = 0;
    int exchanges = 0;
    while (done < share) {
        const auto messages = static_cast<std::uint32_t>(std::min(share - done, most_at_once));
        done += protocol.check(protocol.mix(layout.ranks, messages, ++seed), layout.workers);
        ++exchanges;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("{:<18} {:<13} {:>2} ranks on {} threads: {:>10} messages in {:>5} exchanges, {:.1f} s\n", protocol.name,
               endpoint, layout.ranks, layout.workers, done, exchanges, seconds);
    std::fflush(stdout);
    return done;
}

}  // namespace

// Hidden, as it takes minutes: the target `stress` runs it.
TEST_CASE("stress: by every protocol what is delivered is what was sent, message after message", "[.][stress]") {
    const std::uint64_t asked = messages_asked_for();
    const auto shared = protocols_over<SharedEndpoint>();
    const auto packets = protocols_over<UnsharedEndpoint>();
    std::uint64_t weights = 0, done = 0, seed = 1000;
    for (const RankLayout& layout : layouts()) weights += weight_of(layout) * (shared.size() + packets.size());
    for (const RankLayout& layout : layouts()) {
        const std::uint64_t share = asked * weight_of(layout) / weights + 1;
        for (const StressedProtocol& protocol : shared) done += stress(protocol, "shared memory", layout, share, seed);
        for (const StressedProtocol& protocol : packets) done += stress(protocol, "packets", layout, share, seed);
    }
    fmt::print("{} messages in all\n", done);
    CHECK(done >= asked);
}
