#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

#include "calibrate/messaging/begun_collectives.hpp"
#include "check_messages.hpp"
#include "worlds.hpp"

using namespace narrows;

namespace {

using Numbers = std::vector<std::int64_t>;

void add_numbers(std::byte* into, const std::byte* with, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += sizeof(std::int64_t)) {
        std::int64_t a = 0, b = 0;
        std::memcpy(&a, into + at, sizeof a);
        std::memcpy(&b, with + at, sizeof b);
        a += b;
        std::memcpy(into + at, &a, sizeof a);
    }
}

/// With room for all of a test's numbers.
template <class Endpoint>
class OfNumbers : public BegunCollectives<Endpoint> {
  public:
    OfNumbers(Endpoint& endpoint, const RankLayout& layout) : BegunCollectives<Endpoint>(endpoint, layout, 1 << 20) {}
};

/// What is wrong after each rank has begun several collectives, computed, and waited for them in the other order.
template <class Endpoint>
int wrong_after_all(const RankLayout& layout, std::size_t count) {
    RingWorld<Endpoint, OfNumbers, void> world(layout);
    std::atomic<int> wrong{0};
    const int ranks = layout.ranks;
    const RankTimes times = run_each(world, [&](auto& all, int me, auto& waiter) {
        const std::size_t bytes = count * sizeof(std::int64_t);
        for (int round = 0; round < 3; ++round) {
            const int root = (round + 1) % ranks;
            Numbers sum(count, me + round), spread(count, me == root ? 7 * round : -1);
            Numbers out(static_cast<std::size_t>(ranks)), in(static_cast<std::size_t>(ranks));
            for (int to = 0; to < ranks; ++to) out[static_cast<std::size_t>(to)] = 1000 * me + to;
            std::array<BegunCollective, 4> begun;
            all.begin_allreduce(me, sum.data(), bytes, add_numbers, begun[0]);
            all.begin_broadcast(me, root, spread.data(), bytes, begun[1]);
            all.begin_all_to_all(me, out.data(), in.data(), sizeof(std::int64_t), begun[2]);
            all.begin_barrier(me, begun[3]);
            std::for_each(begun.rbegin(), begun.rend(), [&](auto& one) { all.wait(me, one, waiter); });
            const std::int64_t expected = std::int64_t{ranks} * (ranks - 1) / 2 + std::int64_t{round} * ranks;
            wrong += sum == Numbers(count, expected) ? 0 : 1;
            wrong += spread == Numbers(count, std::int64_t{7} * round) ? 0 : 1;
            for (int from = 0; from < ranks; ++from) {
                wrong += in[static_cast<std::size_t>(from)] == 1000 * from + me ? 0 : 1;
            }
        }
    });
    CHECK_FALSE(times.deadlocked);
    return wrong;
}

}  // namespace

TEST_CASE("begun collectives: everybody gets the sum, the root's data and everybody's block, on threads and fibers") {
    const auto [ranks, workers] = GENERATE(std::tuple{1, 1}, std::tuple{2, 2}, std::tuple{3, 1}, std::tuple{5, 2},
                                           std::tuple{8, 2}, std::tuple{13, 3}, std::tuple{64, 2});
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{3000}}) {
        CAPTURE(ranks, workers, count);
        CHECK(wrong_after_all<SharedEndpoint>({ranks, workers}, count) == 0);
        if (count != 0) CHECK(wrong_after_all<UnsharedEndpoint>({ranks, workers}, count) == 0);
    }
}

TEST_CASE("begun collectives: a barrier is not done before the last rank has begun it") {
    RingWorld<SharedEndpoint, OfNumbers, void> world(RankLayout{3, 1});
    std::vector<int> order;
    const RankTimes times = run_each(world, [&order](auto& all, int me, auto& waiter) {
        BegunCollective first, second;
        if (me == 2) {  // the others have come and wait
            for (int turn = 0; turn < 5; ++turn) {
                all.poll();
                waiter.yield(true);
            }
            order.push_back(me);
        }
        all.begin_barrier(me, first);
        if (me != 2) CHECK_FALSE(first.done());
        all.wait(me, first, waiter);
        if (me != 2) order.push_back(me);
        all.begin_barrier(me, second);
        all.wait(me, second, waiter);
    });
    CHECK_FALSE(times.deadlocked);
    REQUIRE(order.size() == 3);
    CHECK(order.front() == 2);
}

TEST_CASE("begun collectives: an all-to-all of nothing is one, though there is nowhere that it is from or to") {
    RingWorld<SharedEndpoint, OfNumbers, void> world(RankLayout{3, 1});
    int last = 0;  // ranks take turns on one worker
    const RankTimes times = run_each(world, [&last](auto& all, int me, auto& waiter) {
        const Numbers out, in;
        BegunCollective first, second;
        if (me == 2) {  // of a broadcast from rank 0 the others would not wait for this one
            for (int turn = 0; turn < 5; ++turn) {
                all.poll();
                waiter.yield(true);
            }
            last = 1;
        }
        all.begin_all_to_all(me, out.data(), nullptr, 0, first);
        all.wait(me, first, waiter);
        CHECK(last == 1);
        all.begin_all_to_all(me, nullptr, nullptr, 0, second);
        all.wait(me, second, waiter);
    });
    CHECK_FALSE(times.deadlocked);
}

TEST_CASE("begun collectives: what does not fit is an error that says so") {
    const auto fails = [](auto step, const std::string& text) {
        RingWorld<SharedEndpoint, OfNumbers, void> world(RankLayout{2, 1});
        CHECK_THROWS_WITH(run_each(world, step), text);
    };
    fails(
        [](auto& all, int me, auto& waiter) {
            std::array<std::int64_t, 3> data{};  // the rank that is left waiting is not unwound
            BegunCollective begun;
            all.begin_allreduce(me, data.data(), me == 0 ? 16 : 24, add_numbers, begun);
            all.wait(me, begun, waiter);
        },
        "rank 1 brings 24 bytes to a collective that rank 0 began with 16: all ranks begin the same collectives in "
        "the same order");
    fails(
        [](auto& all, int me, auto&) {
            BegunCollective begun;
            all.begin_broadcast(me, 2, nullptr, 0, begun);
        },
        "there is no rank 2: ranks are 0 to 1");
    fails(
        [](auto& all, int me, auto&) {
            std::vector<std::byte> data((1 << 20) + 1);
            BegunCollective begun;
            all.begin_allreduce(me, data.data(), data.size(), add_numbers, begun);
        },
        "rank 0 begins a collective of 1048577 bytes, and messages of collectives have at most 1048576: make them for "
        "more");
}
