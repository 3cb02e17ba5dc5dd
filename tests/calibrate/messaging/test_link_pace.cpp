#include "calibrate/study/link_pace.hpp"

#include <catch2/catch.hpp>

using namespace narrows;

namespace {

MessagePoint point(std::size_t bytes, double seconds) {
    return {bytes, {seconds, seconds, seconds, 3}};
}

/// A link of so many seconds a message and bytes a second.
LinkPace link(double latency, double bandwidth) {
    std::vector<MessagePoint> points;
    for (const std::size_t bytes : {8, 1024, 16384}) {
        points.push_back(point(bytes, latency + static_cast<double>(bytes) / bandwidth));
    }
    return {points, 0};
}

std::vector<std::size_t> powers(std::size_t largest) {
    std::vector<std::size_t> sizes;
    for (std::size_t bytes = 8; bytes <= largest; bytes *= 2) sizes.push_back(bytes);
    return sizes;
}

/// Of ping-pongs by default: 8 B to 4 MiB, 15 samples each.
MessageSeries usual_series() {
    constexpr std::size_t most = std::size_t{4} << 20;
    MessageSeries series;
    series.options.sizes = powers(most);
    series.asked = powers(most);
    series.sizes_up_to = powers;
    return series;
}

double seconds_within(const MessageSeries& series, const SeriesLimits& limits, const LinkPace& pace) {
    MessageOptions options = series.options;
    options.messages = limits.messages;
    options.repeats = limits.repeats;
    if (!series.asked.empty()) options.sizes = powers(limits.largest);
    return pace.seconds_of(options);
}

}  // namespace

TEST_CASE("the pace of a link: along lines between sizes and beyond them, none of which falls") {
    const LinkPace pace({point(8, 1), point(108, 2), point(208, 1.5)}, 0);
    CHECK(pace.seconds(0) == Approx(1));
    CHECK(pace.seconds(8) == Approx(1));
    CHECK(pace.seconds(58) == Approx(1.25));
    CHECK(pace.seconds(108) == Approx(1.5));
    CHECK(pace.seconds(1000) == Approx(1.5));
    CHECK(LinkPace({point(8, 1), point(108, 2)}, 0).seconds(308) == Approx(4));
}

TEST_CASE("the pace of a link by one size: the same up to few bytes, and then in proportion") {
    const LinkPace pace({point(8, 1)}, 0);
    CHECK(pace.seconds(256) == Approx(1));
    CHECK(pace.seconds(1024) == Approx(4));
    CHECK(LinkPace({point(0, 1)}, 0).seconds(0) == Approx(1));
}

TEST_CASE("the pace of a link: what a measurement takes is its messages, and its start") {
    MessageOptions options;
    options.sizes = {8};
    options.repeats = 2;
    options.messages = 10;
    const int messages = message_plan(options).samples.front().messages;
    CHECK(LinkPace({point(8, 1)}, 5).seconds_of(options) == Approx(5 + 2 * 2 * (messages + 3)));
}

TEST_CASE("a fast link gets all that is usual") {
    const MessageSeries series = usual_series();
    const SeriesLimits limits = limits_within(5, series, link(1e-7, 1e10));
    CHECK(limits.messages == series.options.messages);
    CHECK(limits.repeats == 15);
    CHECK(limits.largest == std::size_t{4} << 20);
}

TEST_CASE("a link of 2 Mbit/s gets fewer sizes, that take no longer than they may") {
    const MessageSeries series = usual_series();
    const LinkPace pace = link(1e-3, 2e6 / 8);
    const SeriesLimits limits = limits_within(5, series, pace);
    CHECK(limits.repeats == 6);
    CHECK(limits.largest >= 4096);
    CHECK(limits.largest <= 65536);
    CHECK(seconds_within(series, limits, pace) <= 5);
}

TEST_CASE("what was asked for is taken, on however slow a link") {
    MessageSeries series = usual_series();
    series.asked.clear();
    series.chosen_repeats = true;
    const SeriesLimits limits = limits_within(5, series, link(1e-3, 2e6 / 8));
    CHECK(limits.repeats == 15);
    CHECK(limits.largest == std::size_t{4} << 20);
    CHECK(limits.messages == 1);
}

TEST_CASE("a link that takes half a second a message still gets three samples of a size") {
    const MessageSeries series = usual_series();
    const SeriesLimits limits = limits_within(5, series, link(0.5, 1e9));
    CHECK(limits.repeats == 3);
    CHECK(limits.largest == 8);
}

TEST_CASE("samples of an exchange have eight messages on a slow link too") {
    MessageSeries series = usual_series();
    series.options.kernel = MessageKernel::exchange;
    CHECK(limits_within(5, series, link(0.1, 1e6)).messages == 8);
}

TEST_CASE("a probe ends where the next size would take long, and all of a fast link is seen") {
    MessageOptions options;
    options.sizes = powers(std::size_t{4} << 20);
    for (const double bandwidth : {2.5e5, 1e10}) {
        std::vector<std::size_t> probed;
        Launch launch = launch_here();
        launch.measure = [&](const MessageOptions& probe) {
            MessageRun run;
            for (const std::size_t bytes : probe.sizes) {
                probed.push_back(bytes);
                run.points.push_back(point(bytes, 1e-4 + static_cast<double>(bytes) / bandwidth));
            }
            run.seconds = 0.01;
            return run;
        };
        const LinkPace pace = probe_link(options, launch);
        CHECK(pace.seconds(8) == Approx(1e-4).epsilon(0.4));
        CHECK(pace.seconds(std::size_t{4} << 20) == Approx(4194304 / bandwidth).epsilon(0.3));
        if (bandwidth < 1e6) {
            CHECK(probed == std::vector<std::size_t>{8, 8, 128, 2048});
        } else {
            CHECK(probed == std::vector<std::size_t>{8, 8, 128, 2048, 32768, 524288, 4194304});
        }
    }
}

TEST_CASE("the pace of a link from one size: in proportion to the bytes above 256") {
    constexpr std::size_t kibi = 1024;
    const LinkPace large({point(64 * kibi, 1)}, 0);
    CHECK(large.seconds(1024 * kibi) == Approx(16));
    CHECK(large.seconds(8) == Approx(1));
    const LinkPace small({point(8, 1)}, 0);
    CHECK(small.seconds(256) == Approx(1));
    CHECK(small.seconds(512) == Approx(2));
}
