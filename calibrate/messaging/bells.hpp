#pragma once

#include <cstddef>
#include <vector>

#include "calibrate/ranks/run_ended.hpp"
#include "calibrate/ranks/run_ranks.hpp"
#include "calibrate/ranks/virtual_worker.hpp"

namespace narrows {

/// A counter for each rank, in memory that all share, raised by whoever changes what the rank may wait for. A rank
/// with a thread of its own looks at the memory itself, so that nobody rings for it.
class Bells {
  public:
    explicit Bells(const RankLayout& layout)
        : flags_(layout.threads() ? 0 : static_cast<std::size_t>(layout.ranks)), rings_(!layout.threads()) {}

    void ring(int rank) {
        if (worker_ != nullptr) return worker_->wake(rank);
        if (rings_) flags_[static_cast<std::size_t>(rank)].fetch_add(1, std::memory_order_release);
    }

    /// Has ranks whose time is virtual woken by their worker; nullptr: by nobody.
    void wake_by(VirtualWorker* worker) { worker_ = worker; }

    /// Waits until `done()`, which changes by what others write to shared memory before they ring. `poll()` is called
    /// while waiting and says whether it did anything.
    template <class Waiter, class Done, class Poll>
    void wait_until(int rank, Waiter& waiter, const Done& done, const Poll& poll) const {
        if (done()) return;
        // What the rank did before it waits: others that found nothing to do until then have to look again.
        waiter.progressed();
        for (unsigned spins = 1;; ++spins) {
            bool running = true;
            if constexpr (Waiter::shares_worker) {
                const Flag& flag = flags_[static_cast<std::size_t>(rank)];
                const std::uint32_t seen = flag.load(std::memory_order_acquire);
                if (done()) break;
                running = poll() ? waiter.yield(true) : waiter.wait(flag, seen);
            } else {
                if (done()) break;
                if (poll()) waiter.progressed();
                if (spins % looks_before_yield<Waiter>() == 0) running = waiter.yield(false);
            }
            if (!running) throw RunEnded();
        }
        waiter.progressed();
    }
    template <class Waiter, class Done>
    void wait_until(int rank, Waiter& waiter, const Done& done) const {
        wait_until(rank, waiter, done, [] { return false; });
    }

  private:
    std::vector<Flag> flags_;
    bool rings_;
    VirtualWorker* worker_ = nullptr;
};

}  // namespace narrows
