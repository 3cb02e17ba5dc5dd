#include "calibrate/ranks/event_calendar.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <stdexcept>

namespace narrows {
namespace {
// Days are counted in integers; later ones are all the last.
constexpr double last_day = 9e18;
}  // namespace

EventCalendar::EventCalendar(double day, std::size_t days)
    : days_a_second_(1 / day), mask_(days - 1), first_of_day_(days, none) {
    if (!(day > 0) || !std::has_single_bit(days)) throw std::logic_error("a calendar needs days, a power of two");
}

std::uint64_t EventCalendar::day_of(double time) const {
    return static_cast<std::uint64_t>(std::min(time * days_a_second_, last_day));
}

void EventCalendar::push(double time, std::uint32_t what) {
    const TimedEvent event{time, what};
    const std::uint64_t day = day_of(time);
    ++count_;
    if (day <= day_) {
        today_.push_back(event);
        std::push_heap(today_.begin(), today_.end(), std::greater<>());
    } else if (day - day_ <= mask_) {
        list(event, day);
    } else {
        later_.push(event);
    }
}

void EventCalendar::list(const TimedEvent& event, std::uint64_t day) {
    std::uint32_t entry = free_;
    if (entry == none) {
        entry = static_cast<std::uint32_t>(entries_.size());
        entries_.emplace_back();
    } else {
        free_ = entries_[entry].next;
    }
    std::uint32_t& first = first_of_day_[day & mask_];
    entries_[entry] = {event, first};
    first = entry;
    ++listed_;
}

// Puts the events of `day` in order. No event is due before.
void EventCalendar::open_day(std::uint64_t day) {
    day_ = day;
    std::uint32_t& first = first_of_day_[day & mask_];
    while (first != none) {
        Entry& entry = entries_[first];
        today_.push_back(entry.event);
        const std::uint32_t next = entry.next;
        entry.next = free_;
        free_ = first;
        first = next;
        --listed_;
    }
    while (!later_.empty() && day_of(later_.top().time) - day_ <= mask_) {
        const TimedEvent event = later_.top();
        later_.pop();
        const std::uint64_t due = day_of(event.time);
        if (due == day_) {
            today_.push_back(event);
        } else {
            list(event, due);
        }
    }
    std::make_heap(today_.begin(), today_.end(), std::greater<>());
}

// The next day on which anything is due; false when there is none.
bool EventCalendar::find_day() {
    if (count_ == 0) return false;
    if (listed_ == 0) {
        open_day(day_of(later_.top().time));
        return true;
    }
    std::uint64_t day = day_ + 1;
    while (first_of_day_[day & mask_] == none) ++day;
    // Of what lies beyond the days kept apart some may have come within them meanwhile.
    if (!later_.empty()) day = std::min(day, day_of(later_.top().time));
    open_day(day);
    return true;
}

TimedEvent EventCalendar::pop() {
    if (next_time() == never) throw std::logic_error("no event is due");
    std::pop_heap(today_.begin(), today_.end(), std::greater<>());
    const TimedEvent event = today_.back();
    today_.pop_back();
    --count_;
    return event;
}

}  // namespace narrows
