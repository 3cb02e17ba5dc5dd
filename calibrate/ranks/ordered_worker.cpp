#include "calibrate/ranks/ordered_worker.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace narrows {
namespace {

constexpr std::uint64_t switches_between_reports = 65536;
// Of the calendar: it keeps apart what is due within two steps, in days of some ten events.
constexpr double steps_ahead = 2;

std::size_t days_for(int ranks) {
    return std::bit_ceil(static_cast<std::size_t>(std::max(64, ranks)));
}

}  // namespace

OrderedWorker::OrderedWorker(int ranks, FiberStacks& stacks, double step, OrderedProgram program)
    : program_(std::move(program)),
      switch_(stacks,
              [this](int rank) {
                  OrderedWaiter waiter(*this, rank);
                  program_.run(rank, waiter);
              }),
      ranks_(static_cast<std::size_t>(ranks)),
      calendar_(steps_ahead * step / static_cast<double>(days_for(ranks)), days_for(ranks)),
      unfinished_(static_cast<std::size_t>(ranks)) {
    for (int rank = 0; rank < ranks; ++rank) {
        Rank& fiber = ranks_[static_cast<std::size_t>(rank)];
        fiber.rank = rank;
        switch_.start(fiber);
        calendar_.push(0, static_cast<std::uint32_t>(rank));
    }
}

OrderedWorker::~OrderedWorker() {
    for (Rank& rank : ranks_) rank.stack.destroy();
}

bool OrderedWorker::run() {
    switch_.adopt_current();
    while (unfinished_ > 0) {
        if (calendar_.empty()) return false;
        const TimedEvent event = calendar_.pop();
        if (event.what >= ranks_.size()) {
            ++handled_;
            program_.handle(event.time, event.what - static_cast<std::uint32_t>(ranks_.size()));
            continue;
        }
        Rank& rank = ranks_[event.what];
        // Else it is left over from before something else changed.
        if (rank.due == event.time) resume(rank, event.time);
    }
    return true;
}

void OrderedWorker::resume(Rank& rank, double time) {
    if (rank.looks) {
        rank.missed = static_cast<std::uint64_t>(std::llround((time - rank.clock) / rank.look)) - 1;
        rank.looks = false;
    }
    rank.clock = time;
    rank.due = EventCalendar::never;
    if (switch_.resume(rank)) {
        rank.stack.destroy();
        --unfinished_;
    }
    if (++switches_ % switches_between_reports == 0 && program_.report) program_.report(work_);
}

void OrderedWorker::leave_until(Rank& rank, double time) {
    rank.due = time;
    calendar_.push(time, static_cast<std::uint32_t>(rank.rank));
    switch_.leave();
}

void OrderedWorker::changed(int id, double time) {
    Rank& rank = ranks_[static_cast<std::size_t>(id)];
    if (!rank.looks) return;
    const double looks = std::max(1.0, std::ceil((time - rank.clock) / rank.look));
    const double due = std::max(time, rank.clock + looks * rank.look);
    if (due >= rank.due) return;
    rank.due = due;
    calendar_.push(due, static_cast<std::uint32_t>(id));
}

bool OrderedWaiter::yield(bool progressed) {
    OrderedWorker::Rank& own = self();
    own.missed = 0;
    if (progressed) {
        await_turn();
    } else {
        own.looks = true;
        worker_->switch_.leave();
    }
    return true;
}

}  // namespace narrows
