#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <tuple>
#include <vector>

#include "calibrate/messaging/buffered.hpp"
#include "calibrate/messaging/collectives.hpp"
#include "calibrate/messaging/node_allreduce.hpp"
#include "calibrate/messaging/node_shared_allreduce.hpp"
#include "calibrate/messaging/receiver_initiated.hpp"
#include "check_messages.hpp"
#include "worlds.hpp"

using namespace narrows;

namespace {

using DirectWorld = RingWorld<SharedEndpoint, ReceiverInitiated, ReceiverInitiatedMemory>;
using PacketWorld = RingWorld<UnsharedEndpoint, ReceiverInitiated, ReceiverInitiatedMemory>;
using BufferedWorld = RingWorld<SharedEndpoint, Buffered, BufferedMemory>;

constexpr std::size_t most = 3000;

/// A member's memory.
struct Own {
    std::vector<std::int64_t> data = std::vector<std::int64_t>(most);
    std::vector<std::int64_t> scratch = std::vector<std::int64_t>(most);

    void begin(int member, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) data[i] = element(member, i);
    }
    static std::int64_t element(int member, std::size_t i) {
        return std::int64_t{1000} * (member + 1) + static_cast<std::int64_t>(i);
    }
    static std::int64_t sum(int members, std::size_t i) {
        return std::int64_t{500} * members * (members + 1) + members * static_cast<std::int64_t>(i);
    }
};

/// Runs `check(member, own)` on each rank; it returns how much was wrong.
template <class World, class Check>
void run_members(int size, int workers, Check check) {
    World world(RankLayout{size, std::min(workers, size)});
    std::vector<Own> owns(static_cast<std::size_t>(size));
    std::atomic<int> wrong{0};
    const RankTimes times = run_each(world, [&](auto& protocol, int rank, auto& waiter) {
        MemberOf member(protocol, rank, waiter);
        wrong += check(static_cast<Member&>(member), owns[static_cast<std::size_t>(rank)]);
    });
    CHECK_FALSE(times.deadlocked);
    CHECK(wrong == 0);
}

/// On fibers and threads, in shared memory and over packets, with synchronous and buffered sends.
template <class Check>
void on_every_world(int size, Check check) {
    run_members<DirectWorld>(size, 2, check);
    run_members<BufferedWorld>(size, 1, check);
    run_members<PacketWorld>(size, 4, check);
}

}  // namespace

TEST_CASE("allreduce by nodes gives everybody the serial sum, by either way and for any size of nodes") {
    const auto [size, node] = GENERATE(std::tuple{1, 4}, std::tuple{4, 4}, std::tuple{5, 4}, std::tuple{6, 2},
                                       std::tuple{3, 1}, std::tuple{11, 3}, std::tuple{9, 4});
    CAPTURE(size, node);
    on_every_world(size, [size = size, node = node](Member& member, Own& own) {
        int wrong = 0;
        const auto check = [&](std::size_t count, auto step) {
            own.begin(member.me(), count);
            step();
            for (std::size_t i = 0; i < count; ++i) wrong += own.data[i] != Own::sum(size, i) ? 1 : 0;
        };
        for (const std::size_t count : {std::size_t{0}, std::size_t{255}, std::size_t{257}}) {
            check(count, [&] {
                allreduce_by_nodes(member, Algorithm::node, node, own.data.data(), own.scratch.data(), count,
                                   std::plus<>());
            });
        }
        check(100,
              [&] { allreduce_node_ring(member, node, 7, own.data.data(), own.scratch.data(), 100, std::plus<>()); });
        return wrong;
    });
}

TEST_CASE("allreduce through the memory of nodes gives everybody the serial sum, call after call") {
    const auto [size, node] =
        GENERATE(std::tuple{1, 4}, std::tuple{2, 2}, std::tuple{4, 4}, std::tuple{5, 4}, std::tuple{6, 2},
                 std::tuple{3, 1}, std::tuple{11, 3}, std::tuple{9, 4}, std::tuple{13, 8});
    CAPTURE(size, node);
    // Vectors of up to 600 elements go around a queue of four fragments of eight.
    const NodeSegments segments(size, node, {64, 4});
    const auto check = [size = size, &segments](Member& member, Own& own) {
        int wrong = 0;
        for (const std::size_t count :
             {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{257}, std::size_t{600}}) {
            own.begin(member.me(), count);
            allreduce_node_shared(member, segments, own.data.data(), own.scratch.data(), count, std::plus<>());
            for (std::size_t i = 0; i < count; ++i) wrong += own.data[i] != Own::sum(size, i) ? 1 : 0;
        }
        return wrong;
    };
    run_members<DirectWorld>(size, 2, check);
    run_members<BufferedWorld>(size, 1, check);
    run_members<BufferedWorld>(size, 2, check);
}

TEST_CASE("the segment of a node is no larger than its vectors, and as large as the paper's peak at most") {
    CHECK(SegmentShape::up_to(0).bytes() == 64);
    CHECK(SegmentShape::up_to(8).bytes() == 64);
    CHECK(SegmentShape::up_to(100).bytes() == 128);
    CHECK(SegmentShape::up_to(20000).fragments == 3);
    CHECK(SegmentShape::up_to(1 << 30).bytes() == 131072);
}

TEST_CASE("of those who give to each other in a ring some send first and some receive first") {
    for (int size = 2; size <= 40; ++size) {
        for (int distance = 1; distance < size; ++distance) {
            CAPTURE(size, distance);
            for (int start = 0; start < size; ++start) {
                int early = 0, members = 0;
                int me = start;
                do {
                    early += sends_first(me, distance, size) ? 1 : 0;
                    ++members;
                    me = (me + distance) % size;
                } while (me != start);
                CHECK(early > 0);
                CHECK(early < members);
                if (distance == 1 || distance == size - 1) CHECK(early <= (members + 1) / 2);  // no long chains
            }
        }
    }
}

TEST_CASE("nobody leaves a barrier before all have come") {
    const int size = GENERATE(2, 3, 7, 64);
    std::atomic<int> come{0};
    run_members<DirectWorld>(size, 2, [&come, size](Member& member, Own&) {
        int wrong = 0;
        for (int round = 1; round <= 20; ++round) {
            ++come;
            barrier(member);
            wrong += come < round * size ? 1 : 0;
            barrier(member);
        }
        return wrong;
    });
}

TEST_CASE("an allreduce of 1024 ranks on fibers") {
    constexpr int size = sanitized ? 100 : 1024;
    run_members<DirectWorld>(size, 2, [](Member& member, Own& own) {
        own.begin(member.me(), 10);
        allreduce(member, Algorithm::recursive_doubling, own.data.data(), own.scratch.data(), 10, std::plus<>());
        return own.data[3] == Own::sum(size, 3) ? 0 : 1;
    });
}
