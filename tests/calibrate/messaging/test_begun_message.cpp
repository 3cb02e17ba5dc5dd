#include <atomic>
#include <catch2/catch.hpp>
#include <vector>

#include "calibrate/messaging/begun_message.hpp"
#include "calibrate/messaging/buffered.hpp"
#include "calibrate/messaging/matched_messages.hpp"
#include "check_messages.hpp"
#include "tests/patience.hpp"
#include "worlds.hpp"

using namespace narrows;

namespace {

using Matched = RingWorld<SharedEndpoint, MatchedMessages, void>;

std::vector<std::byte> pattern(std::size_t bytes) {
    std::vector<std::byte> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i) data[i] = message_byte(7, i);
    return data;
}

}  // namespace

TEST_CASE("begun message: by polling it goes on only when its rank calls, and a thread needs no call") {
    const MessageProgress progress = GENERATE(MessageProgress::poll, MessageProgress::thread);
    const std::size_t bytes = 100000;  // by rendezvous: the receiver has to call, too
    const std::vector<std::byte> sent = pattern(bytes);
    std::vector<std::byte> got(bytes);
    std::atomic<bool> begun{false};
    std::atomic<bool> received{false};
    std::atomic<bool> waited{false};
    bool received_before_wait = false;
    Matched world({2, 2});
    const RankTimes times = run_each(world, [&](auto& messages, int rank, auto& waiter) {
        run_beside(progress, messages, rank, waiter, [&](auto calls) {
            if (rank == 0) {
                while (!begun) std::this_thread::yield();  // what is there already, a receive would take as it begins
                calls.send(1, sent.data(), bytes);
                received = true;
                // It may only be there before the receiver waits if a thread has fetched it.
                received_before_wait = !waited;
            } else {
                calls.begin_receive(0, got.data(), bytes);
                begun = true;
                const auto start = std::chrono::steady_clock::now();
                const std::chrono::duration<double> wait(progress == MessageProgress::thread ? patience : 0.02);
                while (!received && std::chrono::steady_clock::now() - start < wait) std::this_thread::yield();
                waited = true;
                calls.wait();
            }
        });
    });
    CHECK_FALSE(times.deadlocked);
    CHECK(got == sent);
    CHECK(received_before_wait == (progress == MessageProgress::thread));
}

TEST_CASE("begun message: an error of the protocol ends the rank, whoever runs it") {
    const MessageProgress progress = GENERATE(MessageProgress::poll, MessageProgress::thread);
    Matched world({2, 2});
    std::byte data{};
    CHECK_THROWS_WITH(run_each(world,
                               [&](auto& messages, int rank, auto& waiter) {
                                   run_beside(progress, messages, rank, waiter, [&](auto calls) {
                                       if (rank == 0) calls.send(2, &data, 1);
                                   });
                               }),
                      "there is no rank 2: ranks are 0 to 1");
}

TEST_CASE("begun message: ranks that wait for each other are a deadlock, not a hang") {
    const MessageProgress progress = GENERATE(MessageProgress::poll, MessageProgress::thread);
    Matched world({2, 2});
    std::byte data{};
    const RankTimes times = run_each(world, [&](auto& messages, int rank, auto& waiter) {
        try {
            run_beside(progress, messages, rank, waiter, [&](auto calls) { calls.receive(1 - rank, &data, 1); });
        } catch (const RunEnded&) {
            return;
        }
    });
    CHECK(times.deadlocked);
}
