#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "calibrate/ranks/fiber_switch.hpp"
#include "calibrate/ranks/progress_monitor.hpp"
#include "calibrate/ranks/waiter.hpp"

namespace narrows {

class FiberWaiter;

/// What the fibers of a worker run, without its type.
struct FiberProgram {
    void* program = nullptr;
    /// Runs `rank` to its end.
    void (*run)(void* program, int rank, FiberWaiter& waiter) = nullptr;
    /// Brings a rank's memory near, as it will run next.
    void (*prefetch)(void* program, int rank) = nullptr;
    /// Called once in each pass over the ranks, so that what comes in is seen though all wait; whether anything did.
    /// May be nullptr.
    bool (*poll)(void* program, int worker) = nullptr;
    /// Called after each pass with whether anybody did anything, where others than these ranks may be waited for. May
    /// be nullptr.
    void (*passed)(void* program, bool progressed) = nullptr;
    /// Called now and then with the units of work done so far; may be empty.
    std::function<void(std::uint64_t)> report;
};

/// Runs the ranks [first, last) as fibers on the calling thread, in turn, until all have returned.
///
/// A rank that waits for a flag is passed over until the flag has changed. A run that is stopped leaves its fibers
/// where they stand, without unwinding them: a rank program keeps nothing on its stack that needs destroying.
class FiberWorker {
  public:
    FiberWorker(int worker, int first, int last, FiberStacks& stacks, ProgressMonitor& monitor, FiberProgram program);
    ~FiberWorker();
    FiberWorker(const FiberWorker&) = delete;
    FiberWorker& operator=(const FiberWorker&) = delete;

    /// Throws StackOverrun when a rank overran its stack, and whatever a rank program threw.
    void run();

  private:
    friend class FiberWaiter;
    struct WaitingFiber : Fiber {
        const Flag* flag = nullptr;
        std::uint32_t seen = 0;
    };

    static void run_rank(void* self, int rank);
    void fetch(const Fiber& fiber) const;
    bool pass();

    ProgressMonitor& monitor_;
    FiberStacks& stacks_;
    FiberProgram program_;
    FiberSwitch switch_;
    std::vector<WaitingFiber> fibers_;
    std::uint64_t work_ = 0;
    std::uint64_t resumed_ = 0;
    int worker_;
    bool progressed_ = false;
};

/// How a rank waits that shares its worker with others: another rank runs.
class FiberWaiter {
  public:
    static constexpr bool shares_worker = true;

    explicit FiberWaiter(FiberWorker& worker) : worker_(worker) {}

    bool yield(bool progressed);
    bool wait(const Flag& flag, std::uint32_t seen);
    void progressed() { worker_.progressed_ = true; }
    void advance(std::uint64_t units) { worker_.work_ += units; }

  private:
    FiberWorker& worker_;
};

}  // namespace narrows
