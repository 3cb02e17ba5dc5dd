#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <vector>

#include "calibrate/messaging/block_collectives.hpp"
#include "calibrate/messaging/buffered.hpp"
#include "calibrate/messaging/receiver_initiated.hpp"
#include "check_messages.hpp"
#include "worlds.hpp"

using namespace narrows;

namespace {

using Synchronous = RingWorld<SharedEndpoint, ReceiverInitiated, ReceiverInitiatedMemory>;
using Packets = RingWorld<UnsharedEndpoint, ReceiverInitiated, ReceiverInitiatedMemory>;
using Kept = RingWorld<SharedEndpoint, Buffered, BufferedMemory>;

/// Runs `check(member)` on each of `size` ranks; it returns how much was wrong.
template <class World, class Check>
void run_all(int size, int workers, const Check& check) {
    World world(RankLayout{size, std::min(workers, size)});
    std::atomic<int> wrong{0};
    const RankTimes times = run_each(world, [&](auto& protocol, int rank, auto& waiter) {
        Member member(protocol, Communicator{0, size}, rank, waiter);
        wrong += check(member);
    });
    CHECK_FALSE(times.deadlocked);
    CHECK(wrong == 0);
}

/// On fibers and threads, in shared memory and over packets, with synchronous and buffered sends.
template <class Check>
void on_all_worlds(int size, const Check& check) {
    run_all<Synchronous>(size, 2, check);
    run_all<Kept>(size, 1, check);
    run_all<Packets>(size, 4, check);
}

constexpr std::size_t words = 3;

std::uint64_t word_of(int from, int to, std::size_t i) {
    return 10000 * static_cast<std::uint64_t>(from) + 10 * static_cast<std::uint64_t>(to) + i;
}

std::byte* bytes_of(std::vector<std::uint64_t>& data) {
    return reinterpret_cast<std::byte*>(data.data());
}

}  // namespace

TEST_CASE("members meet each other, and themselves, once") {
    for (const int size : {1, 2, 3, 5, 6, 8, 16}) {
        struct Place {
            int number, of;
            int me() const { return number; }
            int size() const { return of; }
        };
        std::vector<std::vector<int>> met(static_cast<std::size_t>(size));
        for (int me = 0; me < size; ++me) {
            meet_each(Place{me, size}, [&](int other) { met[static_cast<std::size_t>(me)].push_back(other); });
        }
        for (int me = 0; me < size; ++me) {
            std::vector<int> others = met[static_cast<std::size_t>(me)];
            for (std::size_t round = 0; round < others.size(); ++round) {
                CHECK(met[static_cast<std::size_t>(others[round])][round] == me);
            }
            std::sort(others.begin(), others.end());
            REQUIRE(others.size() == static_cast<std::size_t>(size));
            for (int other = 0; other < size; ++other) CHECK(others[static_cast<std::size_t>(other)] == other);
        }
    }
}

TEST_CASE("all-to-all brings every block to its member, by either algorithm") {
    const int size = GENERATE(1, 2, 3, 5, 8, 16);
    CAPTURE(size);
    on_all_worlds(size, [size](auto& member) {
        const std::size_t all = words * static_cast<std::size_t>(size);
        std::vector<std::uint64_t> out(all), scratch(all);
        for (std::size_t i = 0; i < all; ++i) out[i] = word_of(member.me(), static_cast<int>(i / words), i % words);
        int wrong = 0;
        for (const bool bruck : {false, true}) {
            std::vector<std::uint64_t> in(all);
            const std::size_t bytes = words * sizeof(std::uint64_t);
            if (bruck) {
                all_to_all_bruck(member, bytes_of(out), bytes_of(in), bytes, bytes_of(scratch));
            } else {
                all_to_all_pairwise(member, bytes_of(out), bytes_of(in), bytes);
            }
            for (std::size_t i = 0; i < all; ++i) {
                wrong += in[i] != word_of(static_cast<int>(i / words), member.me(), i % words) ? 1 : 0;
            }
        }
        return wrong;
    });
}

TEST_CASE("allgather by Bruck's algorithm gives everybody everybody's block") {
    const int size = GENERATE(1, 2, 3, 5, 8, 16);
    CAPTURE(size);
    on_all_worlds(size, [size](auto& member) {
        const std::size_t all = words * static_cast<std::size_t>(size);
        std::vector<std::uint64_t> data(all), scratch(all);
        for (std::size_t i = 0; i < words; ++i) {
            data[words * static_cast<std::size_t>(member.me()) + i] = word_of(member.me(), 0, i);
        }
        allgather_bruck(member, bytes_of(data), words * sizeof(std::uint64_t), bytes_of(scratch));
        int wrong = 0;
        for (std::size_t i = 0; i < all; ++i) wrong += data[i] != word_of(static_cast<int>(i / words), 0, i % words);
        return wrong;
    });
}

TEST_CASE("reduce-scatter leaves each member its part of the serial sum, by either algorithm") {
    const int size = GENERATE(1, 2, 3, 5, 8, 16);
    CAPTURE(size);
    on_all_worlds(size, [size](auto& member) {
        int wrong = 0;
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{10}, std::size_t{700}}) {
            for (const bool ring : {false, true}) {
                std::vector<std::uint64_t> data(count), scratch(count);
                for (std::size_t i = 0; i < count; ++i) data[i] = word_of(member.me(), 0, i);
                if (ring) {
                    reduce_scatter_ring(member, data.data(), scratch.data(), count, std::plus<>());
                } else {
                    reduce_scatter_pairwise(member, data.data(), scratch.data(), count, std::plus<>());
                }
                const auto ranks = static_cast<std::uint64_t>(size);
                for (std::size_t i = begin_of_part(count, member.me(), size);
                     i < begin_of_part(count, member.me() + 1, size); ++i) {
                    wrong += data[i] != 5000 * ranks * (ranks - 1) + ranks * i ? 1 : 0;
                }
            }
        }
        return wrong;
    });
}

TEST_CASE("a barrier tells of another's number") {
    run_all<Synchronous>(5, 2, [](auto& member) {
        const bool same = barrier(member, 7);
        // Four ranks hear of the odd one within the three steps of a barrier of five, three at first hand.
        const bool other = barrier(member, member.me() == 3 ? 9 : 8);
        const bool hears = member.me() == 3 || member.me() == 4 || member.me() == 0 || member.me() == 2;
        return (same ? 0 : 1) + (other == !hears ? 0 : 1);
    });
}
