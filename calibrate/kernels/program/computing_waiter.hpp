#pragma once

#include <atomic>
#include <cstdint>

#include "calibrate/kernels/program/program_work.hpp"
#include "calibrate/ranks/waiter.hpp"

namespace narrows {

/// Waits as `Outer` does, but computes meanwhile as long as there is something to compute: how messages are hidden
/// behind computing without a second thread.
template <class Outer>
class ComputingWaiter {
  public:
    static constexpr bool shares_worker = Outer::shares_worker;
    static constexpr int looks_before_yield = 1;  // looking takes less than a step of computing

    ComputingWaiter(Outer& outer, ProgramWork& work) : outer_(outer), work_(work) {}

    bool yield(bool progressed) { return outer_.yield((!progressed && work_.step()) || progressed); }
    bool wait(const Flag& flag, std::uint32_t seen) {
        while (work_.step()) {
            if (!outer_.yield(true)) return false;
            if (flag.load(std::memory_order_acquire) != seen) return true;
        }
        return outer_.wait(flag, seen);
    }
    void progressed() { outer_.progressed(); }
    void advance(std::uint64_t units) { outer_.advance(units); }

  private:
    Outer& outer_;
    ProgramWork& work_;
};

}  // namespace narrows
