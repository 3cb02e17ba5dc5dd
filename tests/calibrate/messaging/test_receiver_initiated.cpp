#include <catch2/catch.hpp>
#include <string>

#include "calibrate/messaging/receiver_initiated.hpp"
#include "check_messages.hpp"
#include "worlds.hpp"

using namespace narrows;

namespace {

using SharedWorld = RingWorld<SharedEndpoint, ReceiverInitiated, ReceiverInitiatedMemory>;
using UnsharedWorld = RingWorld<UnsharedEndpoint, ReceiverInitiated, ReceiverInitiatedMemory>;

std::byte data[64];

/// Waits for the end of the run, which another rank's error brings.
template <class Step>
auto until_the_end(Step step) {
    return [step](auto& protocol, auto& waiter) {
        try {
            step(protocol, waiter);
        } catch (const RunEnded&) {
            return;
        }
    };
}

template <class First, class Second>
void fails(First first, Second second, const std::string& text) {
    CHECK_THROWS_WITH(run_two<SharedWorld>(2, until_the_end(first), until_the_end(second)), text);
    CHECK_THROWS_WITH(run_two<UnsharedWorld>(2, until_the_end(first), until_the_end(second)), text);
    CHECK_THROWS_WITH(run_two<SharedWorld>(1, until_the_end(first), until_the_end(second)), text);
}

}  // namespace

TEST_CASE("receiver-initiated: 1024 ranks on fibers exchange messages") {
    check_random_messages<SharedWorld>(synchronous_mix(sanitized ? 128 : 1024, 5000, 3), 2);
}

TEST_CASE("receiver-initiated: descriptors and completion flags are a cache line each") {
    CHECK(sizeof(Descriptor) == 64);
    CHECK(sizeof(Completion) == 64);
    CHECK(DescriptorMemory::bytes_per_rank(8) == std::size_t{8} * 132);
}

TEST_CASE("receiver-initiated: what a rank may not do is an error that says so") {
    fails([](auto& p, auto& w) { p.send(0, 2, 0, data, 0, w); }, nothing, "there is no rank 2: ranks are 0 to 1");
    fails([](auto& p, auto& w) { p.receive(0, -3, 0, data, 0, w); }, nothing, "there is no rank -3: ranks are 0 to 1");
    fails([](auto& p, auto& w) { p.send(0, 1, 32768, data, 0, w); }, nothing,
          "tag 32768 is out of range: tags are 0 to 32767");
    fails([](auto& p, auto& w) { p.send(0, 1, -1, data, 0, w); }, nothing,
          "tag -1 is out of range: tags are 0 to 32767");
    fails([](auto& p, auto& w) { p.send(0, 0, 0, data, 0, w); }, nothing,
          "rank 0 exchanges a message with itself: copy it instead");
}

TEST_CASE("receiver-initiated: a tag that is not awaited, or a message too long, is an error of its sender") {
    fails([](auto& p, auto& w) { p.send(0, 1, 5, data, 8, w); },
          [](auto& p, auto& w) { p.receive(1, 0, 7, data, 8, w); },
          "rank 0 sends tag 5 to rank 1, which waits for tag 7: receive in the order of the sends");
    fails([](auto& p, auto& w) { p.send(0, 1, 5, data, 9, w); },
          [](auto& p, auto& w) { p.receive(1, 0, 5, data, 8, w); },
          "rank 1 was sent 9 bytes by rank 0 and receives into 8: give it a larger buffer");
}

TEST_CASE("receiver-initiated: a send waits for its receive") {
    const auto sends = until_the_end([](auto& p, auto& w) { p.send(0, 1, 0, data, 0, w); });
    const int workers = GENERATE(1, 2);
    CHECK(run_two<SharedWorld>(workers, sends, nothing).deadlocked);
    CHECK(run_two<UnsharedWorld>(workers, sends, nothing).deadlocked);
}
