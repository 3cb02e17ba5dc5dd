#include "model/wavefront/recurrence.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>

#include "tests/model/wavefront/simulation.hpp"

namespace narrows {
namespace {

using Catch::Matchers::WithinRel;

/// A grid whose ranks take a second for a block, with free messages.
Wavefront unit_wavefront(int wide, int high, int blocks) {
    Wavefront wavefront;
    wavefront.cells = {even_parts(wide, wide), even_parts(high, high)};
    wavefront.blocks = blocks;
    wavefront.cell = seconds(1);
    return wavefront;
}

double steps(int wide, int high, int blocks) {
    return wavefront_time(unit_wavefront(wide, high, blocks)).si();
}

HopCost hop(double send, double latency, double bytes, double receive, double request, bool synchronous) {
    return {seconds(send), seconds(latency), seconds(bytes), seconds(receive), seconds(request), synchronous};
}

double term(const Breakdown& time, const std::string& name) {
    double sum = 0;
    for (const NamedTime& each : time.terms) sum += each.name == name ? each.time.si() : 0;
    return sum;
}

/// Costs that differ by axis, size and level, so that no two of them can be mistaken for each other.
Wavefront random_wavefront(std::mt19937& random, bool synchronous) {
    const auto between = [&random](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
    const auto cost = [&random] { return std::uniform_real_distribution(0.0, 2.0)(random); };
    Wavefront wavefront;
    const int wide = between(1, 6);
    const int high = between(1, 6);
    wavefront.cells = {even_parts(between(wide, 3 * wide), wide), even_parts(between(high, 3 * high), high)};
    wavefront.blocks = between(1, 4);
    wavefront.cell = seconds(cost());
    wavefront.row = seconds(cost());
    wavefront.start = seconds(cost());
    wavefront.levels = {2, 4};
    const double send = cost();
    const double flight = cost();
    const double receive = cost();
    const double request = cost();
    wavefront.hop = [=](SweepAxis axis, int cells, std::size_t level) {
        const double far = 1 + static_cast<double>(level) + (axis == SweepAxis::j ? 0.25 : 0);
        return hop(send * far, flight * far, 0.1 * cells, receive * far, request * far, synchronous);
    };
    return wavefront;
}

/// Messages of 2,400 bytes between blades of sixteen ranks pass the gateways of their eight.
Wavefront roadrunner_like(int wide, int high, double service) {
    Wavefront wavefront = unit_wavefront(wide, high, 40);
    wavefront.cell = seconds(60e-6);
    wavefront.levels = {16};
    wavefront.gateways = {8, seconds(service), std::nullopt, seconds(5e-6)};
    wavefront.hop = [](SweepAxis, int, std::size_t level) {
        return level == 0 ? hop(0.3e-6, 0.4e-6, 0, 0, 0, true) : hop(0, 0, 0, 0, 0, true);
    };
    return wavefront;
}

}  // namespace

TEST_CASE("An axis is divided into parts that differ by at most one") {
    CHECK(even_parts(7, 3) == std::vector<int>{3, 2, 2});
    CHECK(even_parts(6, 3) == std::vector<int>{2, 2, 2});
    CHECK_THROWS_AS(even_parts(6, 0), std::logic_error);
}

TEST_CASE("The recurrence takes the steps of the benchmark") {
    struct Grid {
        int wide, high, blocks;
    };
    for (const Grid& grid :
         {Grid{1, 1, 1}, {1, 1, 40},  {2, 1, 3},  {1, 2, 3},  {2, 2, 1},    {2, 2, 15},   {2, 3, 15},
          {2, 3, 10},    {3, 2, 10},  {3, 3, 1},  {4, 4, 40}, {1, 9, 5},    {9, 1, 5},    {5, 10, 15},
          {8, 4, 40},    {4, 8, 40},  {8, 8, 40}, {7, 11, 2}, {11, 7, 2},   {16, 16, 40}, {32, 16, 10},
          {16, 32, 10},  {32, 32, 5}, {64, 3, 8}, {3, 64, 8}, {100, 100, 2}}) {
        INFO(grid.wide << " x " << grid.high << ", " << grid.blocks << " blocks");
        const int expected = 8 * grid.blocks + 2 * (grid.wide - 1) + 4 * (grid.high - 1);
        CHECK(steps(grid.wide, grid.high, grid.blocks) == expected);
    }
    CHECK(steps(16, 16, 40) == 410);
}

TEST_CASE("All of Roadrunner takes 2206 steps on the grid with the longer fill") {
    CHECK(steps(306, 320, 40) == 2206);
}

TEST_CASE("All of Roadrunner takes 2178 steps on the grid with the shorter fill") {
    CHECK(steps(320, 306, 40) == 2178);
}

TEST_CASE("Domain parallel efficiency is that which the benchmark prints") {
    CHECK_THAT(8 * 15 / steps(2, 3, 15), WithinRel(0.9231, 1e-4));
    CHECK_THAT(8 * 10 / steps(2, 3, 10), WithinRel(0.8889, 1e-4));
}

TEST_CASE("A wavefront of no ranks or blocks is a logic error") {
    CHECK_THROWS_AS(wavefront_time(Wavefront()), std::logic_error);
    CHECK_THROWS_AS(wavefront_breakdown(unit_wavefront(1, 1, 0)), std::logic_error);
}

TEST_CASE("Two ranks in a row follow each other by hand") {
    // Of each octant one rank computes (2 s), sends (1 s), then the other receives after 3 s of flight (5 s) and
    // computes.
    Wavefront wavefront = unit_wavefront(2, 1, 1);
    wavefront.cell = seconds(2);
    wavefront.hop = [](SweepAxis, int, std::size_t) { return hop(1, 2, 1, 5, 0, false); };
    // Four octants down: the sender is free to go on, the receiver takes 7 s a block after the first message at 6 s. It
    // then is the sender of the four octants up: compute and send 3 s, and the other is 3 + 5 + 2 s behind the last.
    const double down = 6 + 4 * 7;
    CHECK(wavefront_time(wavefront).si() == Approx(down + 3 + 3 + 4 * 7));
    // A sender that waits for its receiver's request begins the second message when the first one's receiver asks
    // again.
    wavefront.hop = [](SweepAxis, int, std::size_t) { return hop(1, 2, 1, 5, 4, true); };
    // Request at 0 known at 4; sent at 5, there at 8, received at 13, computed at 15; asked again: known at 19 and so
    // on.
    const double round = 4 + 1 + 3 + 5 + 2;
    // Then the ranks change places: the first one asks once it has sent, and the other has still to compute.
    CHECK(wavefront_time(wavefront).si() == Approx(4 * round + 2 + 1 + 3 + 5 + 2 + 3 * round));
}

TEST_CASE("The recurrence is what a simulation event by event takes") {
    std::mt19937 random(7);
    for (int trial = 0; trial < 120; ++trial) {
        const Wavefront wavefront = random_wavefront(random, trial % 2 == 1);
        INFO("trial " << trial << ", " << wavefront.cells[0].size() << " x " << wavefront.cells[1].size());
        CHECK_THAT(wavefront_time(wavefront).si(), WithinRel(WavefrontSimulation(wavefront).run(), 1e-9));
    }
}

TEST_CASE("Gateways that no two messages want at once are those of the simulation") {
    std::mt19937 random(11);
    for (int trial = 0; trial < 40; ++trial) {
        // A column of ranks, each with a gateway of its own, whose services are short beside all else.
        Wavefront wavefront = random_wavefront(random, trial % 2 == 1);
        wavefront.cells[0] = {2};
        wavefront.levels.clear();
        wavefront.cell = seconds(3);
        wavefront.gateways = {1, seconds(0.125), std::nullopt, seconds(0.5)};
        if (trial % 4 == 3) wavefront.gateways.request = seconds(0.0625);
        INFO("trial " << trial << ", " << wavefront.cells[1].size() << " ranks");
        CHECK_THAT(wavefront_time(wavefront).si(), WithinRel(WavefrontSimulation(wavefront).run(), 1e-9));
    }
}

TEST_CASE("Busy gateways cost about what they cost served by arrival") {
    struct Case {
        int wide, high;
        double service, within;
    };
    for (const Case& one : {Case{4, 8, 30e-6, 1e-9},
                            {8, 4, 30e-6, 1e-3},
                            {8, 8, 30e-6, 1e-3},
                            {8, 8, 15e-6, 1e-3},
                            {16, 16, 30e-6, 0.02}}) {
        const Wavefront wavefront = roadrunner_like(one.wide, one.high, one.service);
        INFO(one.wide << " x " << one.high << ", " << one.service * 1e6 << " us");
        CHECK_THAT(wavefront_time(wavefront).si(), WithinRel(WavefrontSimulation(wavefront).run(), one.within));
    }
}

TEST_CASE("No cost makes an iteration shorter") {
    std::mt19937 random(5);
    for (int trial = 0; trial < 40; ++trial) {
        const Wavefront wavefront = random_wavefront(random, trial % 2 == 0);
        const Time before = wavefront_time(wavefront);
        for (int part = 0; part < 5; ++part) {
            Wavefront dearer = wavefront;
            dearer.hop = [&, part](SweepAxis axis, int cells, std::size_t level) {
                HopCost cost = wavefront.hop(axis, cells, level);
                const std::array<Time*, 5> parts = {&cost.send, &cost.latency, &cost.bytes, &cost.receive,
                                                    &cost.request};
                *parts[static_cast<std::size_t>(part)] += seconds(0.5);
                return cost;
            };
            CHECK(wavefront_time(dearer) >= before);
        }
        CHECK(wavefront_ideal_time(wavefront) <= before);
    }
}

TEST_CASE("The terms along the critical path sum to the time") {
    std::mt19937 random(3);
    for (int trial = 0; trial < 40; ++trial) {
        Wavefront wavefront = random_wavefront(random, trial % 2 == 0);
        if (trial % 3 == 0) wavefront.gateways = {2, seconds(0.5), seconds(0.25), seconds(0.5)};
        const Breakdown time = wavefront_breakdown(wavefront);
        CHECK(time.total == wavefront_time(wavefront));
        double sum = 0;
        for (const NamedTime& each : time.terms) {
            CHECK(each.time.si() >= 0);
            sum += each.time.si();
        }
        CHECK_THAT(sum, WithinRel(time.total.si(), 1e-9));
    }
}

TEST_CASE("Free messages leave computing and fill") {
    const Breakdown time = wavefront_breakdown(unit_wavefront(5, 7, 6));
    CHECK(term(time, "computing") == 48);
    CHECK(term(time, "fill") == 2 * 4 + 4 * 6);
    CHECK(time.total.si() == 48 + 32);
}

TEST_CASE("The time with free messages is the recurrence without costs") {
    std::mt19937 random(13);
    for (int trial = 0; trial < 40; ++trial) {
        Wavefront wavefront = random_wavefront(random, trial % 2 == 0);
        const Time ideal = wavefront_ideal_time(wavefront);
        wavefront.hop = nullptr;
        CHECK_THAT(ideal.si(), WithinRel(wavefront_time(wavefront).si(), 1e-9));
    }
}

TEST_CASE("A gateway that serves many ranks makes them wait") {
    const Breakdown one = wavefront_breakdown(roadrunner_like(4, 4, 30e-6));
    CHECK(term(one, "gateway waiting") == 0);
    const Breakdown many = wavefront_breakdown(roadrunner_like(8, 8, 30e-6));
    CHECK(term(many, "gateway waiting") > 0.1 * many.total.si());
    CHECK(term(many, "latency") > 0);
}

TEST_CASE("Senders that wait for receivers take longer than those that do not") {
    // pakin2009: over half of the time at 32 ranks. Eager messages overlap the gateways' time with computing.
    Wavefront wavefront = roadrunner_like(8, 4, 12e-6);
    const Time synchronous = wavefront_time(wavefront);
    wavefront.hop = [](SweepAxis, int, std::size_t) { return hop(0, 0, 0, 0, 0, false); };
    CHECK(wavefront_time(wavefront).si() < 0.9 * synchronous.si());
}

}  // namespace narrows
