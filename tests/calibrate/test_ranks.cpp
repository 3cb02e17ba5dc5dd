#include <atomic>
#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/fiber_stacks.hpp"
#include "calibrate/ranks/run_ranks.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

namespace {

RankOptions on(int ranks, int workers) {
    RankOptions options;
    options.layout = rank_layout(ranks, workers);
    return options;
}

/// Every rank waits until the one before it has been, so that a token goes round `rounds` times.
struct TokenRing {
    TokenRing(int ranks, std::uint32_t rounds_) : flags(static_cast<std::size_t>(ranks)), rounds(rounds_) {}
    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        const auto self = static_cast<std::size_t>(rank);
        const std::size_t next = (self + 1) % flags.size();
        for (std::uint32_t round = 0; round < rounds; ++round) {
            if (rank != 0 || round != 0) {
                const std::uint32_t seen = rank == 0 ? round - 1 : round;
                if (!wait(flags[self], seen, waiter)) return;
            }
            ++passed;
            flags[next].fetch_add(1, std::memory_order_release);
            if (!waiter.yield(true)) return;
        }
    }
    template <class Waiter>
    static bool wait(const Flag& flag, std::uint32_t seen, Waiter& waiter) {
        if constexpr (Waiter::shares_worker) return waiter.wait(flag, seen);
        bool running = true;
        while (running && flag.load(std::memory_order_acquire) == seen) running = waiter.yield(false);
        return running;
    }
    std::vector<Flag> flags;
    std::uint32_t rounds;
    std::atomic<std::uint64_t> passed{0};
};

/// What a rank does is given by a function that is called once on each rank.
template <class Function>
struct Each {
    explicit Each(Function f) : function(f) {}
    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        function(rank);
        waiter.yield(true);
    }
    Function function;
};

/// Waits for what nobody does.
struct Forever {
    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        if (rank != 1) return;
        while (waiter.yield(false)) {
        }
    }
};

}  // namespace

TEST_CASE("ranks are split into contiguous blocks that differ by at most one") {
    for (int ranks = 1; ranks < 40; ++ranks) {
        for (int workers = 1; workers <= ranks; ++workers) {
            const RankLayout layout{ranks, workers};
            CHECK(layout.first_rank(0) == 0);
            CHECK(layout.first_rank(workers) == ranks);
            for (int worker = 0; worker < workers; ++worker) {
                const int size = layout.first_rank(worker + 1) - layout.first_rank(worker);
                REQUIRE(size - ranks / workers <= 1);
                REQUIRE(size >= ranks / workers);
                for (int rank = layout.first_rank(worker); rank < layout.first_rank(worker + 1); ++rank) {
                    REQUIRE(layout.worker_of(rank) == worker);
                }
            }
        }
    }
}

TEST_CASE("workers are one a core, and never more than ranks") {
    CHECK(rank_layout(1, 0).workers == 1);
    CHECK(rank_layout(1000, 0).workers == std::min(1000, Cores().count()));
    CHECK(rank_layout(3, 8).workers == 3);
    CHECK_THROWS_WITH(rank_layout(0, 1), "0 ranks cannot run: give 1 or more");
    CHECK_THROWS_WITH(rank_layout(4, -1), "-1 worker threads cannot run: give 1 or more, or 0 for one a core");
}

TEST_CASE("a token goes round ranks on threads, on fibers, and on both sides of a worker boundary") {
    const auto [ranks, workers] =
        GENERATE(std::pair{1, 1}, std::pair{2, 2}, std::pair{3, 3}, std::pair{2, 1}, std::pair{7, 2}, std::pair{64, 2});
    TokenRing program(ranks, 50);
    const RankTimes times = run_ranks(on(ranks, workers), program);
    CHECK_FALSE(times.deadlocked);
    CHECK(program.passed == static_cast<std::uint64_t>(ranks) * 50);
    CHECK(times.seconds > 0);
    CHECK(times.cpu_seconds > 0);
    CHECK(times.ticks > 0);
}

/// Rank 0 has much to do; the others look whether it has ended.
struct Busy {
    static constexpr bool idle_ranks_rest = true;
    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        for (int turn = 0; rank == 0 && turn < turns; ++turn) waiter.yield(true);
        if (rank == 0) ended = true;
        while (!ended) {
            ++looks;
            waiter.yield(false);
        }
    }
    int turns = 0;
    int looks = 0;
    bool ended = false;
};

/// The same of a program in which somebody waits for each message.
struct Restless {
    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        busy.run(rank, waiter);
    }
    Busy busy;
};

TEST_CASE("of many ranks those that find nothing to do rest while one is busy, of few none does", "[long]") {
    Busy many{1000};
    run_ranks(on(2000, 1), many);
    CHECK(many.looks < 1999 * 1000 / 20);
    CHECK(many.looks >= 1999 * 1000 / 64);
    Busy few{1000};
    run_ranks(on(8, 1), few);
    CHECK(few.looks == 7 * 1000);
    Restless restless{{1000}};
    run_ranks(on(2000, 1), restless);
    CHECK(restless.busy.looks == 1999 * 1000);
}

/// Rank 2 waits for another; who runs is noted.
struct Awaiting {
    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        order.push_back(rank);
        if constexpr (requires { waiter.await_rank(0); }) {
            if (rank == 2) waiter.await_rank(awaited);
        }
        waiter.yield(true);
        order.push_back(rank);
    }
    int awaited = 0;
    std::vector<int> order;
};

TEST_CASE("who is waited for runs next, before and after its own turn, also when it ends thereby") {
    Awaiting later{4, {}};
    run_ranks(on(6, 1), later);
    CHECK(later.order == std::vector{0, 1, 2, 4, 3, 4, 5, 0, 1, 2, 3, 5});
    Awaiting earlier{1, {}};
    run_ranks(on(6, 1), earlier);
    CHECK(earlier.order == std::vector{0, 1, 2, 1, 3, 4, 5, 0, 2, 3, 4, 5});
    Awaiting elsewhere{7, {}};
    run_ranks(on(6, 1), elsewhere);
    CHECK(elsewhere.order == std::vector{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5});
}

TEST_CASE("all stacks are in one mapping, apart from each other, and begin at different places of a page") {
    const int count = GENERATE(10, 2000);
    const FiberStacks stacks(count, 8192, PageSize::large);
    std::set<std::uintptr_t> places;
    for (int fiber = 0; fiber < count; ++fiber) {
        REQUIRE(stacks.top(fiber) - stacks.bottom(fiber) == 8192);
        REQUIRE(reinterpret_cast<std::uintptr_t>(stacks.top(fiber)) % 64 == 0);
        if (fiber > 0) REQUIRE(stacks.bottom(fiber) >= stacks.top(fiber - 1));
        places.insert(reinterpret_cast<std::uintptr_t>(stacks.top(fiber)) % 4096);
    }
    if (count > most_guarded_stacks) CHECK(places.size() == 64);
}

TEST_CASE("more fibers run than the kernel allows mappings") {
    const int ranks = sanitized ? 1500 : 122400;
    TokenRing program(ranks, 1);
    CHECK_FALSE(run_ranks(on(ranks, 2), program).deadlocked);
    CHECK(program.passed == static_cast<std::uint64_t>(ranks));
}

// As a call too deep would, this writes below a stack's last byte, which here is no mistake.
__attribute__((noinline, no_sanitize("address", "undefined", "thread"))) void overrun_stack() {
    char* here = static_cast<char*>(__builtin_frame_address(0));
    auto* volatile deep = reinterpret_cast<volatile char*>(here - default_stack_bytes);
    for (int i = 0; i < 1024; ++i) deep[i] = 1;
}

TEST_CASE("a stack that is overrun is reported with its rank") {
    FiberStacks stacks(4, default_stack_bytes, PageSize::small);
    stacks.arm(2);
    CHECK(stacks.intact(2));
    *reinterpret_cast<volatile char*>(stacks.bottom(2) + 63) = 1;
    CHECK_FALSE(stacks.intact(2));

    const int ranks = GENERATE(8, 1100);
    Each program([](int rank) {
        if (rank == 5) overrun_stack();
    });
    CHECK_THROWS_WITH(
        run_ranks(on(ranks, 2), program),
        "rank 5 overran its stack of " + std::to_string(default_stack_bytes) + " bytes: give the ranks larger stacks");
}

TEST_CASE("what a rank throws ends the run and comes out of it") {
    const auto [ranks, workers] = GENERATE(std::pair{2, 2}, std::pair{9, 2});
    Each program([](int rank) {
        if (rank == 1) throw std::runtime_error("rank 1 gives up");
    });
    RankOptions options = on(ranks, workers);
    options.stack_bytes = std::size_t{256} << 10;
    CHECK_THROWS_WITH(run_ranks(options, program), "rank 1 gives up");
}

TEST_CASE("ranks that can never go on are a deadlock, not a hang") {
    const auto [ranks, workers] = GENERATE(std::pair{2, 2}, std::pair{9, 2}, std::pair{2, 1});
    Forever program;
    CHECK(run_ranks(on(ranks, workers), program).deadlocked);
}

TEST_CASE("a deadlock is declared only when every worker has looked again") {
    ProgressMonitor monitor(2, 1);
    for (int pass = 0; pass < 100; ++pass) monitor.end_pass(0, false);
    CHECK_FALSE(monitor.stopped());
    monitor.end_pass(1, true);
    for (int pass = 0; pass < 100; ++pass) monitor.end_pass(0, false);
    CHECK_FALSE(monitor.stopped());
    monitor.end_pass(1, false);
    CHECK_FALSE(monitor.stopped());
    for (int pass = 0; pass < 3; ++pass) {
        monitor.end_pass(0, false);
        monitor.end_pass(1, false);
    }
    CHECK(monitor.deadlocked());
    CHECK(monitor.stopped());
}
