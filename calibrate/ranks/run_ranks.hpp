#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "calibrate/ranks/fiber_worker.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/ranks/rank_layout.hpp"
#include "calibrate/ranks/thread_time.hpp"
#include "calibrate/ranks/thread_waiter.hpp"

namespace narrows {

/// The core of `worker` of `workers`: its own where there are enough, else blocks of workers share one. Ranks that are
/// half of all apart, rounded up, then lie on different cores: those of rank 0 always, with two cores or more.
int core_of_worker(int worker, int workers, int cores);

/// How the ranks of a run are to be run.
struct RankOptions {
    RankLayout layout;
    /// Of the first workers; the others have that of `core_of_worker`.
    std::vector<int> cores;
    /// Bytes of a fiber's stack.
    std::size_t stack_bytes = default_stack_bytes;
    PageSize pages = PageSize::large;
    /// Called by one worker, at most about ten times a second, with the units of work that it has done; may be empty.
    std::function<void(std::uint64_t)> report;
};

/// What a run took: from the moment all workers are ready until the last rank has returned.
struct RankTimes : WorkerTimes {
    /// Ticks of the time-stamp counter.
    std::uint64_t ticks = 0;
    /// The ranks wait for each other and none can go on.
    bool deadlocked = false;
};

/// What the workers do, without the program's type.
struct WorkerProgram {
    std::function<void(int worker)> set_up;  ///< may be empty
    std::function<void(int rank, ThreadWaiter& waiter)> run_thread;
    FiberProgram fibers;
};

/// Runs the program of each worker on a thread pinned to its own core. Throws what a rank or `set_up` threw.
RankTimes run_workers(const RankOptions& options, const WorkerProgram& program);

/// Runs `program` on all ranks: `run(rank, waiter)` on each rank, with a ThreadWaiter or a FiberWaiter. It may have
/// `set_up(worker)`, once on each worker before, untimed; `prefetch(rank)` when a rank is about to run; and
/// `poll(worker)` in each pass of a worker over its fibers.
template <class Program>
RankTimes run_ranks(const RankOptions& options, Program& program) {
    WorkerProgram workers;
    workers.run_thread = [&program](int rank, ThreadWaiter& waiter) { program.run(rank, waiter); };
    workers.fibers.run = [&program](int rank, FiberWaiter& waiter) { program.run(rank, waiter); };
    if constexpr (requires { program.set_up(0); }) {
        workers.set_up = [&program](int worker) { program.set_up(worker); };
    }
    if constexpr (requires { program.prefetch(0); }) {
        workers.fibers.prefetch = [&program](int rank) { program.prefetch(rank); };
    }
    if constexpr (requires { program.poll(0); }) {
        workers.fibers.poll = [&program](int worker) { return program.poll(worker); };
    }
    workers.fibers.idle_ranks_rest = requires {
        Program::idle_ranks_rest;
    };
    return run_workers(options, workers);
}

}  // namespace narrows
