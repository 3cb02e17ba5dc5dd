#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace narrows {

/// Tells a run that can never go on from one that is only slow.
///
/// A worker reports the end of each of its passes over its ranks. A deadlock is declared only when, after a suspicion
/// was raised, every worker has begun and completed a whole pass without progress and no worker has reported any
/// progress since: shared state changes through progress alone, so every rank has then looked at the same unchanging
/// state and found nothing to do. A worker that the operating system has put aside confirms nothing, so it raises no
/// false alarm.
class ProgressMonitor {
  public:
    /// `patience`: passes without progress before a worker suspects a deadlock.
    ProgressMonitor(int workers, std::uint64_t patience);

    /// Worker `worker` has gone once over all its ranks; `progressed` when any of them did something.
    void end_pass(int worker, bool progressed) {
        Worker& own = workers_[static_cast<std::size_t>(worker)];
        if (progressed) {
            own.idle = 0;
            own.progress.store(own.progress.load(std::memory_order_relaxed) + 1, std::memory_order_release);
        } else if (++own.idle >= patience_) {
            examine(own);
        }
    }
    /// All ranks of `worker` have finished.
    void finish(int worker);

    /// Ends the run early for every worker, because of an error elsewhere.
    void stop() { stopped_.store(true, std::memory_order_release); }
    /// True when workers should leave: after `stop` or a deadlock.
    bool stopped() const { return stopped_.load(std::memory_order_acquire); }
    /// True when the run was ended by a deadlock.
    bool deadlocked() const { return deadlocked_.load(std::memory_order_acquire); }

  private:
    struct alignas(64) Worker {
        std::atomic<std::uint64_t> progress{0};
        std::atomic<std::uint64_t> confirmed{0};
        std::atomic<bool> finished{false};
        std::uint64_t idle = 0;
        std::uint64_t pass_began_under = 0;
    };

    void examine(Worker& own);
    std::uint64_t total_progress() const;
    bool all_confirmed(std::uint64_t suspicion) const;

    std::vector<Worker> workers_;
    std::uint64_t patience_;
    std::atomic<std::uint64_t> suspicion_{0};
    std::atomic<bool> stopped_{false};
    std::atomic<bool> deadlocked_{false};
    std::mutex mutex_;
    std::uint64_t suspected_progress_ = 0;
};

}  // namespace narrows
