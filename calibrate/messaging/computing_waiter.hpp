#pragma once

#include <atomic>
#include <cstdint>

#include "calibrate/ranks/waiter.hpp"

namespace narrows {

/// What a rank computes while it waits, a step of some microseconds at a time.
class Background {
  public:
    virtual ~Background() = default;
    /// False when there is nothing to do.
    virtual bool step() = 0;
};

/// Waits as `Outer` does, but computes meanwhile as long as there is something to compute: how messages are hidden
/// behind computing without a second thread.
template <class Outer>
class ComputingWaiter {
  public:
    static constexpr bool shares_worker = Outer::shares_worker;
    static constexpr int looks_before_yield = 1;  // looking takes less than a step of computing

    explicit ComputingWaiter(Outer& outer) : outer_(outer) {}

    /// `work` is to be done from now on; none if it is null.
    void compute(Background* work) { work_ = work; }

    bool yield(bool progressed) {
        const bool computed = !progressed && work_ != nullptr && work_->step();
        if (!shares_worker && !progressed && !computed && ++looks_ % narrows::looks_before_yield<Outer>() != 0) {
            return true;
        }
        return outer_.yield(progressed || computed);
    }
    bool wait(const Flag& flag, std::uint32_t seen) {
        while (work_ != nullptr && work_->step()) {
            if (!outer_.yield(true)) return false;
            if (flag.load(std::memory_order_acquire) != seen) return true;
        }
        return outer_.wait(flag, seen);
    }
    void progressed() {
        looks_ = 0;
        outer_.progressed();
    }
    void advance(std::uint64_t units) { outer_.advance(units); }

  private:
    Outer& outer_;
    Background* work_ = nullptr;
    unsigned looks_ = 0;
};

}  // namespace narrows
