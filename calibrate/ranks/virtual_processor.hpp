#pragma once

#include <algorithm>

#include "calibrate/ranks/thread_time.hpp"

namespace narrows {

/// What a processor takes, in seconds, beside what this machine's takes: for an update, for a message sent and for one
/// received. Zero for all: this machine's as it is.
struct ProcessorCosts {
    double update = 0;
    double send = 0;
    double receive = 0;

    bool any() const { return update > 0 || send > 0 || receive > 0; }
};

/// A rank's processor, slower than this machine's: what it does is charged, and until that time is over it does nothing
/// else. A process that sleeps wakes late: where work waits by then, the processor began it when it was free. Time in
/// which it had nothing to do is lost.
class VirtualProcessor {
  public:
    void charge(double seconds) {
        const double now = wall_seconds();
        const double seen = seen_free_ > 0 ? seen_free_ : now;
        const double credit = begun_ ? std::min(seen - free_, most_late) - (now - seen) : 0;
        free_ = std::max(free_, now - std::max(0.0, credit)) + seconds;
        begun_ = true;
        seen_free_ = 0;
    }
    bool busy() {
        const double now = wall_seconds();
        if (free_ > now) return true;
        if (seen_free_ == 0) seen_free_ = now;
        return false;
    }

  private:
    static constexpr double most_late = 5e-3;  ///< Seconds; what is later counts as idle.

    bool begun_ = false;
    double free_ = 0;       ///< When all that was charged is over.
    double seen_free_ = 0;  ///< When it was first found free after its last charge; 0 before.
};

}  // namespace narrows
