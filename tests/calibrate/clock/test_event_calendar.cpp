#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "calibrate/ranks/event_calendar.hpp"

namespace narrows {
namespace {

TEST_CASE("event calendar: events come in the order of time, of equal times the lesser first") {
    EventCalendar calendar(1, 4);
    for (const auto& [time, what] : {std::pair{7.5, 1U}, {0.25, 2U}, {1000.0, 3U}, {7.5, 0U}, {0.5, 4U}}) {
        calendar.push(time, what);
    }
    std::vector<std::uint32_t> order;
    CHECK(calendar.next_time() == 0.25);
    while (!calendar.empty()) order.push_back(calendar.pop().what);
    CHECK(order == std::vector<std::uint32_t>{2, 4, 0, 1, 3});
    CHECK(calendar.next_time() == EventCalendar::never);
    CHECK_THROWS_AS(calendar.pop(), std::logic_error);
}

TEST_CASE("event calendar: what is pushed after a look ahead still comes first") {
    EventCalendar calendar(1, 8);
    calendar.push(100, 1);
    CHECK(calendar.next_time() == 100);
    calendar.push(3, 2);
    calendar.push(99.5, 3);
    CHECK(calendar.pop().what == 2);
    CHECK(calendar.pop().what == 3);
    CHECK(calendar.pop().what == 1);
}

TEST_CASE("event calendar: any lengths of days give the order of a sorted list") {
    const double day = GENERATE(1e-9, 0.01, 1.0, 1e6);
    const std::size_t days = GENERATE(1U, 16U, 1024U);
    std::mt19937 random(5);
    std::exponential_distribution<double> ahead(2);
    EventCalendar calendar(day, days);
    std::vector<TimedEvent> expected;
    for (std::uint32_t what = 0; what < 64; ++what) calendar.push(0, what);
    double last = 0;
    for (std::uint32_t i = 0; i < 2000; ++i) {
        const TimedEvent event = calendar.pop();
        CHECK(event.time >= last);
        last = event.time;
        // Mostly soon, sometimes far away.
        const double wait = i % 97 == 0 ? 1e4 : ahead(random);
        expected.push_back({event.time + wait, i});
        calendar.push(event.time + wait, i);
    }
    std::erase_if(expected, [&](const TimedEvent& event) { return event.time <= last; });
    std::ranges::sort(expected, [](const auto& a, const auto& b) { return b > a; });
    for (const TimedEvent& event : expected) {
        REQUIRE(!calendar.empty());
        const TimedEvent next = calendar.pop();
        CHECK(next.what == event.what);
    }
    CHECK(calendar.empty());
}

}  // namespace
}  // namespace narrows
