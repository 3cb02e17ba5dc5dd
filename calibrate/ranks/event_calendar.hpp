#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

namespace narrows {

/// Something that is due at a time of a virtual clock. What it is, its owner knows.
struct TimedEvent {
    double time = 0;
    std::uint32_t what = 0;

    friend bool operator>(const TimedEvent& one, const TimedEvent& other) {
        return one.time != other.time ? one.time > other.time : one.what > other.what;
    }
};

/// Events in the order of their times, of equal times the lesser `what` first: a calendar of days of equal length
/// (Brown, "Calendar queues", Communications of the ACM 31 (1988)). What is due on a later day is on that day's list;
/// only today's events are in order. Much faster than one heap for millions of events that are due soon.
class EventCalendar {
  public:
    static constexpr double never = std::numeric_limits<double>::infinity();

    /// `day`: seconds, above 0, best such that a few events are due on a day; `days`: how many days ahead are kept
    /// apart, a power of two. Neither affects the order.
    EventCalendar(double day, std::size_t days);

    /// `time` is finite, at least 0, and not before that of the last event popped.
    void push(double time, std::uint32_t what);
    bool empty() const { return count_ == 0; }
    /// The time of the next event; `never` when there is none.
    double next_time() {
        if (today_.empty() && !find_day()) return never;
        return today_.front().time;
    }
    /// Takes the next event off. Precondition: not empty.
    TimedEvent pop();

  private:
    struct Entry {
        TimedEvent event;
        std::uint32_t next = 0;
    };
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    bool find_day();
    void open_day(std::uint64_t day);
    std::uint64_t day_of(double time) const;
    void list(const TimedEvent& event, std::uint64_t day);

    double days_a_second_;
    std::size_t mask_;
    std::uint64_t day_ = 0;          // whose events are in `today_`
    std::vector<TimedEvent> today_;  // a heap, the next event first
    std::vector<std::uint32_t> first_of_day_;
    std::vector<Entry> entries_;
    std::uint32_t free_ = none;
    // Beyond the days that are kept apart.
    std::priority_queue<TimedEvent, std::vector<TimedEvent>, std::greater<>> later_;
    std::size_t listed_ = 0;
    std::size_t count_ = 0;
};

}  // namespace narrows
