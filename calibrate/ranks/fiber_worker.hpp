#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "calibrate/ranks/fiber_switch.hpp"
#include "calibrate/ranks/progress_monitor.hpp"
#include "calibrate/ranks/waiter.hpp"

namespace narrows {

class FiberWaiter;

/// What the fibers of a worker run. All but `run` may be empty.
struct FiberProgram {
    /// Runs a rank to its end.
    std::function<void(int rank, FiberWaiter& waiter)> run;
    /// Brings a rank's memory near, as it will run next.
    std::function<void(int rank)> prefetch;
    /// Called once in each pass over the ranks, so that what comes in is seen though all wait; whether anything did.
    std::function<bool(int worker)> poll;
    /// Called after each pass with whether anybody did anything, where others than these ranks may be waited for.
    std::function<void(bool progressed)> passed;
    /// Ranks that find nothing to do are left out of some passes: of programs that gain from many messages at once, not
    /// of those in which somebody waits for each.
    bool idle_ranks_rest = false;
    /// Workers outnumber the cores: one whose ranks find nothing to do gives its core away.
    bool crowded = false;
    /// Called now and then with the units of work done so far.
    std::function<void(std::uint64_t)> report;
};

/// Runs the ranks [first, last) as fibers on the calling thread, in turn, until all have returned.
///
/// A rank that waits for a flag is passed over until the flag has changed. Where a program has `idle_ranks_rest` and
/// many ranks, one that found nothing to do is left out of more and more passes, as long as others find something: a
/// few that have much to do are not held up by all that wait for them. A run that is stopped leaves its fibers where
/// they stand, without unwinding them: memory that they hold is lost until the program ends, as it does with that
/// error.
class FiberWorker {
  public:
    FiberWorker(int worker, int first, int last, FiberStacks& stacks, ProgressMonitor& monitor, FiberProgram program);
    ~FiberWorker();
    FiberWorker(const FiberWorker&) = delete;
    FiberWorker& operator=(const FiberWorker&) = delete;

    /// Throws std::runtime_error when a rank overran its stack, and whatever a rank program threw.
    void run();

  private:
    friend class FiberWaiter;
    struct WaitingFiber : Fiber {
        const Flag* flag = nullptr;
        std::uint32_t seen = 0;
        std::uint8_t last_rest = 0;  ///< passes that it was left out of after its last turn; 0: it did something then
        std::uint8_t rest = 0;       ///< passes that it will be left out of
        bool finished = false;
    };

    void fetch(const Fiber& fiber) const;
    bool pass();
    bool has_turn(WaitingFiber& fiber);
    void resume(WaitingFiber& fiber);
    void resume_and_rest(WaitingFiber& fiber);
    void resume_awaited(std::size_t passed, std::size_t kept);

    ProgressMonitor& monitor_;
    FiberStacks& stacks_;
    FiberProgram program_;
    FiberSwitch switch_;
    std::vector<WaitingFiber> fibers_;
    std::uint64_t work_ = 0;
    std::uint64_t resumed_ = 0;
    int worker_;
    int awaited_ = -1;         ///< the rank that the fiber which has left waits for
    std::size_t resting_ = 0;  ///< fibers that this pass has left out
    bool progressed_ = false;
};

/// How a rank waits that shares its worker with others: another rank runs.
class FiberWaiter {
  public:
    static constexpr bool shares_worker = true;

    explicit FiberWaiter(FiberWorker& worker) : worker_(worker) {}

    bool yield(bool progressed);
    bool wait(const Flag& flag, std::uint32_t seen);
    /// This rank is about to yield and waits for `rank`, which runs next if it shares the worker.
    void await_rank(int rank) { worker_.awaited_ = rank; }
    void progressed() { worker_.progressed_ = true; }
    void advance(std::uint64_t units) { worker_.work_ += units; }

  private:
    FiberWorker& worker_;
};

}  // namespace narrows
