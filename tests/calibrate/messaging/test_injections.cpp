#include "calibrate/messaging/injections.hpp"

#include <catch2/catch.hpp>

using namespace narrows;

namespace {

// To rank 1, in parts of which each call takes so many on its way.
Injection message_of(std::size_t bytes, InjectionCounter& counter) {
    return {0, 1, 0, {}, nullptr, bytes, 0, false, &counter};
}

}  // namespace

TEST_CASE("injections: a part that has gone is progress, and finding no room is none") {
    const bool relaxed = GENERATE(false, true);
    constexpr std::size_t part = most_packet_bytes;
    Injections injections;
    InjectionCounter counter;
    injections.add(message_of(3 * part, counter), relaxed);
    int room = 0;
    int whole = 0;
    const auto advance = [&](int packets) {
        room = packets;
        return injections.advance(
            [&room](Injection& message) {
                if (!message.begun && room > 0) {
                    message.begun = true;
                    --room;
                }
                for (; message.begun && room > 0 && message.at < message.bytes; --room) message.at += part;
                return message.at == message.bytes;
            },
            [&whole](const Injection&) { ++whole; });
    };
    CHECK_FALSE(advance(0));
    CHECK(advance(1));  // only its beginning
    CHECK_FALSE(advance(0));
    CHECK(advance(2));
    CHECK(whole == 0);
    CHECK(advance(1));
    CHECK(whole == 1);
    CHECK(injections.empty());
    CHECK_FALSE(advance(1));
}
