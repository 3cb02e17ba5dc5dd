#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "calibrate/ranks/event_calendar.hpp"
#include "calibrate/ranks/fiber_switch.hpp"
#include "calibrate/ranks/waiter.hpp"

namespace narrows {

class OrderedWaiter;

/// What the fibers of an ordered virtual clock run.
struct OrderedProgram {
    /// Runs a rank to its end.
    std::function<void(int rank, OrderedWaiter& waiter)> run;
    /// Something that `OrderedWorker::schedule` was told of is due.
    std::function<void(double time, std::uint32_t event)> handle;
    /// Called now and then with the units of work done so far; may be empty.
    std::function<void(std::uint64_t)> report;
};

/// Runs ranks as fibers on the calling thread, each with a clock of its own, so that everything that concerns others
/// happens in the order of time: before it looks at what others may have changed, or changes what they may look at, a
/// rank waits for its turn, when nothing earlier is due. A receive from any source is then exact: no earlier message
/// can come any more. Where ranks name whom they receive from, VirtualWorker does with far less order.
///
/// A rank that finds nothing to do polls again and again, as a processor does. It is resumed for the first poll after
/// something has changed for it; its unsuccessful polls before are counted, not executed.
class OrderedWorker {
  public:
    /// `step`: about how long a rank computes between two looks, above 0, which sets the lengths of the calendar's
    /// days.
    OrderedWorker(int ranks, FiberStacks& stacks, double step, OrderedProgram program);
    ~OrderedWorker();
    OrderedWorker(const OrderedWorker&) = delete;
    OrderedWorker& operator=(const OrderedWorker&) = delete;

    /// Runs all ranks to their ends; false when those that are left wait for each other. Throws what a rank threw, and
    /// std::runtime_error when one overran its stack.
    bool run();

    /// `event` will be handled at `time`, which is not in the past.
    void schedule(double time, std::uint32_t event) {
        calendar_.push(time, event + static_cast<std::uint32_t>(ranks_.size()));
    }
    /// At `time` something has changed for `rank`: if its poll finds nothing, the next one will be executed.
    void changed(int rank, double time);

    double clock(int rank) const { return ranks_[static_cast<std::size_t>(rank)].clock; }
    /// Times that a fiber was resumed, and events handled besides.
    std::uint64_t switches() const { return switches_; }
    std::uint64_t handled() const { return handled_; }

  private:
    friend class OrderedWaiter;

    struct Rank : Fiber {
        double clock = 0;
        double due = 0;   ///< when it goes on, as far as that is known
        double look = 0;  ///< of one that finds nothing: from a poll to the next
        std::uint64_t missed = 0;
        bool looks = false;
    };

    void resume(Rank& rank, double time);
    void leave_until(Rank& rank, double time);

    OrderedProgram program_;
    FiberSwitch switch_;
    std::vector<Rank> ranks_;
    EventCalendar calendar_;
    std::size_t unfinished_;
    std::uint64_t switches_ = 0;
    std::uint64_t handled_ = 0;
    std::uint64_t work_ = 0;
};

/// How a rank of an ordered virtual clock waits. Copies are the same rank's.
class OrderedWaiter {
  public:
    static constexpr bool shares_worker = true;

    OrderedWaiter(OrderedWorker& worker, int rank) : worker_(&worker), rank_(rank) {}

    int rank() const { return rank_; }
    double now() const { return self().clock; }
    /// The rank is busy for so long.
    void spend(double seconds) const { self().clock += seconds; }
    /// Waits until nothing is due before this rank's time.
    void await_turn() const {
        OrderedWorker::Rank& own = self();
        if (worker_->calendar_.next_time() < own.clock) worker_->leave_until(own, own.clock);
    }
    /// Looks that find nothing take so long each, above 0.
    void looks_take(double seconds) const { self().look = seconds; }

    /// After a pass in which the rank did something it only awaits its turn. After one in which it did not, it looks
    /// again until something has changed: `missed` are the unsuccessful polls that were not executed.
    bool yield(bool progressed);
    std::uint64_t missed() const { return self().missed; }
    void advance(std::uint64_t units) const { worker_->work_ += units; }

  private:
    OrderedWorker::Rank& self() const { return worker_->ranks_[static_cast<std::size_t>(rank_)]; }

    OrderedWorker* worker_;
    int rank_;
};

}  // namespace narrows
