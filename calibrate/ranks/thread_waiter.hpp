#pragma once

#include <cstdint>
#include <functional>
#include <thread>

#include "calibrate/ranks/processor.hpp"
#include "calibrate/ranks/progress_monitor.hpp"

namespace narrows {

/// How a rank waits that has a thread to itself: it spins, then gives its core away.
class ThreadWaiter {
  public:
    static constexpr bool shares_worker = false;

    /// `crowded` when threads outnumber the cores, so that a waiting rank yields its core at once. `report` is called
    /// now and then with the units of work done so far; may be empty.
    ThreadWaiter(ProgressMonitor& monitor, int worker, bool crowded, const std::function<void(std::uint64_t)>& report)
        : monitor_(monitor), worker_(worker), spins_(crowded ? 0 : 256), report_(report) {}

    bool yield(bool progressed) {
        monitor_.end_pass(worker_, progressed);
        if (progressed) {
            idle_ = 0;
            if (++calls_ % calls_between_reports == 0 && report_) report_(work_);
            return !monitor_.stopped();
        }
        return pause();
    }

    void progressed() {
        monitor_.end_pass(worker_, true);
        idle_ = 0;
    }

    void advance(std::uint64_t units) { work_ += units; }

  private:
    static constexpr std::uint64_t calls_between_reports = 1024;

    bool pause() {
        if (++idle_ < spins_) {
            spin_pause();
        } else {
            std::this_thread::yield();
        }
        return !monitor_.stopped();
    }

    ProgressMonitor& monitor_;
    int worker_;
    unsigned spins_;
    const std::function<void(std::uint64_t)>& report_;
    std::uint64_t work_ = 0;
    std::uint64_t calls_ = 0;
    unsigned idle_ = 0;
};

}  // namespace narrows
