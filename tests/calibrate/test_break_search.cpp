#include "calibrate/study/break_search.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/calibrate/switching_protocol.hpp"

using namespace narrows;

TEST_CASE("break search: the size at which a protocol changes is found to the byte, or to the round size") {
    for (const double limit : {48.0, 100.0, 2048.0, 12345.0}) {
        SwitchingProtocol protocol{limit};
        const MessageOptions options = sends_of_powers();
        const MessageRun run = find_breaks(protocol(options), options, {}, measuring(protocol, launch_here()));
        const MessageCurve curve = fit_points(run.points, {});
        REQUIRE(curve.segments.size() == 2);
        CHECK(curve.segments[0].to <= limit);
        CHECK(curve.segments[1].from > limit);
        CHECK(curve.segments[1].from / curve.segments[0].to < 1.06);
        CHECK(run.points.size() == options.sizes.size() + 4);
        CHECK(run.seconds == 5);
        CHECK(run.samples.size() == run.points.size());
        if (limit == 48 || limit == 2048) CHECK(curve.reach(0) == limit);
    }
}

TEST_CASE("break search: what is kept is neither measured nor fitted, and puts get whole words") {
    SwitchingProtocol protocol{48};
    MessageOptions options = sends_of_powers();
    options.protocol = Protocol::command_queue;
    const std::vector<std::size_t> kept = {48};
    const MessageRun run = find_breaks(protocol(options), options, kept, measuring(protocol, launch_here()));
    std::size_t searched = 0;
    for (std::size_t i = 1; i < protocol.asked.size(); ++i) {
        for (const std::size_t bytes : protocol.asked[i]) {
            CHECK(bytes % 8 == 0);
            CHECK(bytes != 48);
            const auto& first = options.sizes;
            searched += std::ranges::find(first, bytes) == first.end() ? 1 : 0;
        }
    }
    CHECK(searched == 3);  // 40, and 56 with 40 again
    CHECK(fit_points(run.points, kept).reach(0) == 48);
}

TEST_CASE("break search: what is summed gets whole doubles") {
    SwitchingProtocol protocol{12345};
    MessageOptions options = sends_of_powers();
    options.kernel = MessageKernel::allreduce;
    find_breaks(protocol(options), options, {}, measuring(protocol, launch_here()));
    CHECK(protocol.asked.size() > 1);
    for (const auto& sizes : protocol.asked) {
        for (const std::size_t bytes : sizes) CHECK(bytes % sizeof(double) == 0);
    }
}

TEST_CASE("break search: a run is verified where all of it was, and unknown where others look at what came") {
    const MessageOptions options = sends_of_powers();
    const auto found_with = [&](std::optional<bool> first, std::optional<bool> more) {
        SwitchingProtocol protocol{100};
        MessageRun run = protocol(options);
        run.verified = first;
        Launch launch = launch_here();
        launch.measure = [&](const MessageOptions& what) {
            MessageRun part = protocol(what);
            part.verified = more;
            return part;
        };
        return find_breaks(run, options, {}, launch).verified;
    };
    CHECK(found_with(true, true) == true);
    CHECK(found_with(true, false) == false);
    CHECK_FALSE(found_with(std::nullopt, std::nullopt).has_value());
}

TEST_CASE("break search: what is found while the machine is in another state is left out, and looked for again") {
    const MessageOptions options = sends_of_powers();
    SwitchingProtocol protocol{12345};
    Launch launch = launch_here();
    int round = 0;
    launch.measure = [&](const MessageOptions& what) {
        MessageRun part = protocol(what);
        ++round;
        if (round == 2 || round == 3) {
            for (MessagePoint& point : part.points) point.seconds.value *= round == 2 ? 3 : 0.5;
        }
        return part;
    };
    const MessageRun run = find_breaks(protocol(options), options, {}, launch);
    CHECK(round == 6);  // four of them taken
    CHECK(run.seconds == 7);
    CHECK(run.points.size() == options.sizes.size() + 4);
    CHECK(run.samples.size() == run.points.size());
    const MessageCurve curve = fit_points(run.points, {});
    REQUIRE(curve.segments.size() == 2);
    CHECK(curve.segments[1].from / curve.segments[0].to < 1.06);
}

TEST_CASE("break search: a machine that stays in another state ends the search") {
    const MessageOptions options = sends_of_powers();
    SwitchingProtocol protocol{12345};
    Launch launch = launch_here();
    int rounds = 0;
    launch.measure = [&](const MessageOptions& what) {
        MessageRun part = protocol(what);
        for (MessagePoint& point : part.points) point.seconds.value *= 4;
        ++rounds;
        return part;
    };
    const MessageRun run = find_breaks(protocol(options), options, {}, launch);
    CHECK(rounds == 8);
    CHECK(run.points.size() == options.sizes.size());
}

TEST_CASE("break search: nothing more is measured of a line") {
    SwitchingProtocol protocol{1e9};
    const MessageOptions options = sends_of_powers();
    const MessageRun run = find_breaks(protocol(options), options, {}, measuring(protocol, launch_here()));
    CHECK(protocol.asked.size() == 1);
    CHECK(run.points.size() == options.sizes.size());
}
