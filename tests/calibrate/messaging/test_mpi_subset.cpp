#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "calibrate/messaging/mpi_subset.hpp"
#include "calibrate/messaging/receiver_initiated.hpp"
#include "check_messages.hpp"
#include "worlds.hpp"

using namespace narrows;

namespace {

using World = RingWorld<SharedEndpoint, ReceiverInitiated, ReceiverInitiatedMemory>;

/// Counts the calls of each kind.
struct CountCalls {
    std::array<int, 14>* counts;
    template <class Call>
    decltype(auto) around(MpiCall call, Call&& body) {
        ++(*counts)[static_cast<std::size_t>(call)];
        return std::forward<Call>(body)();
    }
};

/// Runs `step(mpi)` on each of `ranks` ranks, in memory domains of two.
template <class Step>
RankTimes run_mpi(int ranks, int workers, Step step) {
    World world(RankLayout{ranks, workers});
    return run_each(world, [&](auto& protocol, int rank, auto& waiter) {
        Mpi mpi(protocol, rank, Communicator{rank / 2 * 2, 2}, waiter);
        try {
            step(mpi, rank);
        } catch (const RunEnded&) {
            return;
        }
    });
}

template <class Step>
void fails(Step step, const std::string& text) {
    CHECK_THROWS_WITH(run_mpi(2, 2, step), text);
}

}  // namespace

TEST_CASE("MPI's subset: rank, size, send, receive and collectives in the world and in memory domains") {
    const auto [ranks, workers] = GENERATE(std::pair{2, 2}, std::pair{6, 2}, std::pair{8, 1});
    std::atomic<int> wrong{0};
    const auto expect = [&wrong](bool holds) { wrong += holds ? 0 : 1; };
    const int count = ranks;
    const RankTimes times = run_mpi(ranks, workers, [&](auto& mpi, int rank) {
        mpi.init();
        expect(mpi.comm_rank(mpi.world) == rank && mpi.comm_size(mpi.world) == count);
        expect(mpi.comm_rank(mpi.memory_domain) == rank % 2 && mpi.comm_size(mpi.memory_domain) == 2);
        double value = rank;
        if (rank % 2 == 0) {
            mpi.send(&value, 1, Datatype::float64, 1, 4, mpi.memory_domain);
        } else {
            const Received got = mpi.recv(&value, 1, Datatype::float64, 0, any_tag, mpi.memory_domain);
            expect(got.source == 0 && got.tag == 4 && got.bytes == 8 && value == rank - 1);
        }
        std::int32_t mine = rank;
        std::int32_t sum = -1;
        mpi.allreduce(&mine, &sum, 1, Datatype::int32, Reduction::sum, mpi.world);
        expect(sum == count * (count - 1) / 2);
        mpi.allreduce(&mine, &sum, 1, Datatype::int32, Reduction::maximum, mpi.memory_domain);
        expect(sum == rank / 2 * 2 + 1);
        sum = -1;
        mpi.reduce(&mine, &sum, 1, Datatype::int32, Reduction::minimum, count - 1, mpi.world);
        expect(sum == (rank == count - 1 ? 0 : -1));
        mpi.bcast(&mine, 1, Datatype::int32, 1, mpi.world);
        expect(mine == 1);
        mpi.barrier(mpi.world);
        expect(mpi.wtime() > 0 && mpi.wtick() > 0 && mpi.wtick() < 1e-3);
        expect(mpi.comm_get_attr(mpi.world, MpiAttribute::tag_ub) == most_tag - 1);
        expect(!mpi.comm_get_attr(mpi.world, MpiAttribute::host));
        mpi.finalize();
    });
    CHECK_FALSE(times.deadlocked);
    CHECK(wrong == 0);
}

TEST_CASE("MPI's subset: every call can be intercepted") {
    World world(RankLayout{2, 2});
    std::array<std::array<int, 14>, 2> counts{};
    run_each(world, [&](auto& protocol, int rank, auto& waiter) {
        Mpi mpi(protocol, rank, Communicator{0, 2}, waiter, CountCalls{&counts[static_cast<std::size_t>(rank)]});
        std::int32_t a = rank;
        std::int32_t b = 0;
        mpi.init();
        mpi.comm_rank(mpi.world);
        mpi.comm_size(mpi.world);
        mpi.comm_get_attr(mpi.world, MpiAttribute::tag_ub);
        if (rank == 0) mpi.send(&a, 1, Datatype::int32, 1, 0, mpi.world);
        if (rank == 1) mpi.recv(&a, 1, Datatype::int32, 0, 0, mpi.world);
        mpi.barrier(mpi.world);
        mpi.bcast(&a, 1, Datatype::int32, 0, mpi.world);
        mpi.reduce(&a, &b, 1, Datatype::int32, Reduction::product, 0, mpi.world);
        mpi.allreduce(&a, &b, 1, Datatype::int32, Reduction::sum, mpi.world);
        mpi.wtime();
        mpi.wtick();
        mpi.finalize();
        try {
            mpi.abort(1);
        } catch (const MessagingError&) {
        }
    });
    using Counts = std::array<int, 14>;
    CHECK(counts[0] == Counts{1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1});
    CHECK(counts[1] == Counts{1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("MPI's subset: reductions of every type, at any alignment") {
    alignas(8) std::array<std::byte, 17> into{};
    alignas(8) std::array<std::byte, 17> with{};
    const auto check = [&](Datatype type, auto a, auto b, Reduction reduction, auto expected) {
        std::memcpy(into.data() + 1, &a, sizeof a);
        std::memcpy(with.data() + 1, &b, sizeof b);
        combine_elements(type, reduction, into.data() + 1, with.data() + 1, 1);
        std::memcpy(&a, into.data() + 1, sizeof a);
        CHECK(a == expected);
        CHECK(bytes_of(type) == sizeof a);
    };
    check(Datatype::int32, 3, 4, Reduction::product, 12);
    check(Datatype::int64, std::int64_t{1} << 40, std::int64_t{1}, Reduction::sum, (std::int64_t{1} << 40) + 1);
    check(Datatype::float32, 1.5F, -2.0F, Reduction::minimum, -2.0F);
    check(Datatype::float64, 1.5, -2.0, Reduction::maximum, 1.5);
    CHECK_THROWS_WITH(combine_elements(Datatype::byte, Reduction::sum, into.data(), with.data(), 1),
                      "bytes cannot be reduced, as they may stand for anything: give int32, int64, float32 or float64");
}

TEST_CASE("MPI's subset: what a rank may not do is an error that says so") {
    fails(
        [](auto& mpi, int rank) {
            if (rank == 0) mpi.barrier(mpi.world);
        },
        "rank 0 calls barrier before init or after finalize: call it between them");
    fails(
        [](auto& mpi, int rank) {
            mpi.init();
            if (rank == 0) mpi.init();
        },
        "rank 0 calls init twice: call it once");
    fails(
        [](auto& mpi, int rank) {
            mpi.init();
            if (rank == 0) mpi.send(nullptr, -1, Datatype::byte, 1, 0, mpi.world);
        },
        "rank 0 calls send with a count of -1: give 0 or more");
    fails(
        [](auto& mpi, int rank) {
            mpi.init();
            if (rank == 1) mpi.send(nullptr, 0, Datatype::byte, 0, most_tag, mpi.world);
        },
        "tag 32767 is out of range: tags are 0 to 32766");
    fails(
        [](auto& mpi, int rank) {
            mpi.init();
            if (rank == 1) mpi.recv(nullptr, 0, Datatype::byte, 2, 0, mpi.world);
        },
        "there is no rank 2: ranks are 0 to 1");
    fails(
        [](auto& mpi, int rank) {
            mpi.init();
            if (rank == 0) mpi.abort(3);
            mpi.finalize();
        },
        "rank 0 aborts the run with code 3");
}
