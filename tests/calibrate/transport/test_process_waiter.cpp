#include "calibrate/ranks/process_waiter.hpp"

#include <catch2/catch.hpp>
#include <thread>

using namespace narrows;

TEST_CASE("process waiter: silence is no deadlock, however many calls it lasts") {
    ProcessWaiter waiter;
    bool running = true;
    for (int i = 0; i < 1000; ++i) running = running && waiter.yield(false);
    CHECK(running);
}

TEST_CASE("process waiter: gives up after a silence of its patience, which progress ends") {
    ProcessWaiter waiter({.patience_seconds = 0.4});
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(600)) {
        for (int i = 0; i < 60; ++i) waiter.yield(false);
        waiter.progressed();
    }
    const auto be_silent = [&] {
        for (;;) waiter.yield(false);
    };
    CHECK_THROWS_WITH(be_silent(),
                      Catch::StartsWith("nothing was received for 0.4 s, though all peers are connected: "));
}

TEST_CASE("process waiter: a silence in which it was stopped itself is not held against others") {
    ProcessWaiter waiter({.patience_seconds = 0.2});
    const auto look = [&] {
        for (int i = 0; i < 64; ++i) waiter.yield(false);
    };
    look();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    CHECK_NOTHROW(look());
}

TEST_CASE("process waiter: rests when nothing comes for long") {
    int rests = 0;
    int earlier_ones = -1;
    const auto rest = [&](int earlier) {
        ++rests;
        earlier_ones = earlier;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    ProcessWaiter waiter({.rest = rest, .yields_before_rest = 10});
    for (int i = 0; i < 10; ++i) waiter.yield(false);
    CHECK(rests == 0);
    for (int i = 0; i < 5; ++i) waiter.yield(false);
    CHECK(rests == 5);
    CHECK(earlier_ones == 4);
    CHECK(waiter.rested_seconds() >= 0.005);
    waiter.yield(true);
    waiter.yield(false);
    CHECK(rests == 5);
    for (int i = 0; i < 10; ++i) waiter.yield(false);
    CHECK(earlier_ones == 0);
}
