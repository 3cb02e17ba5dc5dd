#include <catch2/catch.hpp>
#include <vector>

#include "calibrate/messaging/command_messages.hpp"
#include "check_messages.hpp"
#include "worlds.hpp"

using namespace narrows;

namespace {

using World = RingWorld<SharedEndpoint, CommandMessages, void>;

std::byte data[64];

template <class First, class Second>
void fails(First first, Second second, const std::string& text) {
    CHECK_THROWS_WITH(run_two<World>(2, first, second), text);
    CHECK_THROWS_WITH(run_two<World>(1, first, second), text);
}

}  // namespace

TEST_CASE("command messages: pieces, and an empty message") {
    const std::size_t bytes =
        GENERATE(std::size_t{0}, std::size_t{1}, landing_bytes, landing_bytes + 1, 5 * landing_bytes + 7);
    const int workers = GENERATE(1, 2);
    std::vector<std::byte> out(bytes), in(bytes);
    for (std::size_t i = 0; i < bytes; ++i) out[i] = message_byte(7, i);
    std::size_t received = 1;
    run_two<World>(
        workers, [&](auto& p, auto& w) { p.send(0, 1, 3, out.data(), bytes, w); },
        [&](auto& p, auto& w) { received = p.receive(1, 0, 3, in.data(), bytes, w); });
    CHECK(received == bytes);
    CHECK(in == out);
}

TEST_CASE("command messages: what a rank may not do is an error that says so") {
    const auto waits = [](auto& p, auto& w) {
        try {
            p.send(0, 1, 5, data, 9, w);
        } catch (const RunEnded&) {
        }
    };
    fails([](auto& p, auto& w) { p.send(0, 2, 0, data, 0, w); }, nothing, "there is no rank 2: ranks are 0 to 1");
    fails([](auto& p, auto& w) { p.receive(0, -3, 0, data, 0, w); }, nothing, "there is no rank -3: ranks are 0 to 1");
    fails([](auto& p, auto& w) { p.send(0, 1, 32768, data, 0, w); }, nothing,
          "tag 32768 is out of range: tags are 0 to 32767");
    fails(
        waits, [](auto& p, auto& w) { p.receive(1, 0, 5, data, 8, w); },
        "rank 1 was sent 9 bytes by rank 0 and receives into 8: give it a larger buffer");
}

TEST_CASE("command messages: a send waits for its receive") {
    const int workers = GENERATE(1, 2);
    const auto sends = [](auto& p, auto& w) {
        try {
            p.send(0, 1, 0, data, 0, w);
        } catch (const RunEnded&) {
        }
    };
    CHECK(run_two<World>(workers, sends, [](auto&, auto&) {}).deadlocked);
}
