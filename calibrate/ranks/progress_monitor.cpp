#include "calibrate/ranks/progress_monitor.hpp"

#include <algorithm>

namespace narrows {

ProgressMonitor::ProgressMonitor(int workers, std::uint64_t patience)
    : workers_(static_cast<std::size_t>(workers)), patience_(patience) {}

void ProgressMonitor::finish(int worker) {
    Worker& own = workers_[static_cast<std::size_t>(worker)];
    own.progress.fetch_add(1);
    own.finished.store(true);
}

std::uint64_t ProgressMonitor::total_progress() const {
    std::uint64_t total = 0;
    for (const Worker& worker : workers_) total += worker.progress.load();
    return total;
}

bool ProgressMonitor::all_confirmed(std::uint64_t suspicion) const {
    return std::ranges::all_of(workers_, [suspicion](const Worker& worker) {
        return worker.finished.load() || worker.confirmed.load() == suspicion;
    });
}

void ProgressMonitor::examine(Worker& own) {
    const std::uint64_t current = suspicion_.load();
    if (current != 0 && own.pass_began_under == current) own.confirmed.store(current);
    own.pass_began_under = current;

    const std::scoped_lock lock(mutex_);
    if (suspicion_.load() != current) return;
    const bool confirmed = current != 0 && all_confirmed(current);
    const bool unchanged = total_progress() == suspected_progress_;
    if (confirmed && unchanged) {
        deadlocked_.store(true);
        stopped_.store(true);
    } else if (current == 0 || !unchanged) {
        suspected_progress_ = total_progress();
        suspicion_.store(current + 1);
    }
}

}  // namespace narrows
