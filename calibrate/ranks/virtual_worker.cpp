#include "calibrate/ranks/virtual_worker.hpp"

namespace narrows {
namespace {
constexpr std::uint64_t switches_between_reports = 4096;
}

VirtualWorker::VirtualWorker(int ranks, int servers, FiberStacks& stacks, VirtualProgram program)
    : program_(std::move(program)),
      switch_(stacks,
              [this](int rank) {
                  VirtualWaiter waiter(*this, rank);
                  program_.run(rank, waiter);
              }),
      ranks_(static_cast<std::size_t>(ranks)),
      servers_(static_cast<std::size_t>(servers)),
      unfinished_(static_cast<std::size_t>(ranks)) {
    for (int rank = 0; rank < ranks; ++rank) {
        Rank& fiber = ranks_[static_cast<std::size_t>(rank)];
        fiber.rank = rank;
        switch_.start(fiber);
        ready_.push_back(rank);
    }
}

VirtualWorker::~VirtualWorker() {
    for (Rank& rank : ranks_) rank.stack.destroy();
}

void VirtualWorker::count_switch() {
    if (++switches_ % switches_between_reports == 0 && program_.report) program_.report(work_);
}

void VirtualWorker::resume(Rank& rank) {
    rank.waits = false;
    if (switch_.resume(rank)) {
        rank.stack.destroy();
        --unfinished_;
    }
    count_switch();
}

void VirtualWorker::find_turns() {
    for (const int id : woken_servers_) {
        Server& woken = server(id);
        woken.woken = false;
        const double turn = program_.turn(id, woken.clock.now());
        if (turn == woken.turn) continue;
        woken.turn = turn;
        if (turn != never) turns_.emplace(turn, id);
    }
    woken_servers_.clear();
}

// Lets the server act whose turn is first; false when there is none. Entries that are not a server's turn any more are
// left over from earlier.
bool VirtualWorker::serve_next() {
    find_turns();
    while (!turns_.empty()) {
        const auto [time, id] = turns_.top();
        turns_.pop();
        Server& next = server(id);
        if (next.turn != time) continue;
        next.turn = never;
        program_.serve(id, next.clock);
        wake(id);
        count_switch();
        return true;
    }
    return false;
}

bool VirtualWorker::run() {
    switch_.adopt_current();
    while (unfinished_ > 0) {
        if (!ready_.empty()) {
            Rank& rank = ranks_[static_cast<std::size_t>(ready_.front())];
            ready_.pop_front();
            resume(rank);
        } else if (!serve_next()) {
            return false;
        }
    }
    return true;
}

void VirtualWorker::wake(int id) {
    if (static_cast<std::size_t>(id) >= ranks_.size()) {
        Server& woken = server(id);
        if (!woken.woken) woken_servers_.push_back(id);
        woken.woken = true;
        return;
    }
    Rank& rank = ranks_[static_cast<std::size_t>(id)];
    if (!rank.waits) return;
    rank.waits = false;
    ready_.push_back(id);
}

double VirtualWorker::busy(int id) const {
    const auto at = static_cast<std::size_t>(id);
    return (at < ranks_.size() ? ranks_[at].clock : servers_[at - ranks_.size()].clock).busy();
}

bool VirtualWaiter::yield(bool /*progressed*/) {
    worker_.ready_.push_back(rank_);
    worker_.switch_.leave();
    return true;
}

// Whoever calls looks again whether it has what it waits for: wake-ups may be spurious.
bool VirtualWaiter::wait(const Flag& /*flag*/, std::uint32_t /*seen*/) {
    rank().waits = true;
    worker_.switch_.leave();
    return true;
}

}  // namespace narrows
