#include "model/wavefront/closed_forms.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "model/wavefront/accelerator.hpp"
#include "model/wavefront/recurrence.hpp"

namespace narrows {
namespace {

using Catch::Matchers::WithinRel;

/// A block of 60 us and messages whose parts are so much of it.
SweepCost cost_of(double send, double flight, double receive) {
    const SweepMessage message = {seconds(60e-6 * send), seconds(60e-6 * receive),
                                  seconds(60e-6 * (send + flight + receive))};
    return {seconds(60e-6), message, message};
}

/// The recurrence of the same grid and costs.
Time exact(const SweepGrid& grid, const SweepCost& cost) {
    Wavefront wavefront;
    wavefront.cells = {even_parts(grid.wide, grid.wide), even_parts(grid.high, grid.high)};
    wavefront.blocks = grid.blocks;
    wavefront.cell = cost.compute;
    wavefront.hop = [&cost](SweepAxis axis, int, std::size_t) {
        const SweepMessage& message = axis == SweepAxis::i ? cost.i : cost.j;
        HopCost hop;
        hop.send = message.send;
        hop.receive = message.receive;
        hop.latency = message.total - message.send - message.receive;
        return hop;
    };
    return wavefront_time(wavefront);
}

}  // namespace

TEST_CASE("Steps of a sweep are those of the published grids") {
    CHECK(sweep_steps({16, 16, 40}) == 410);
    CHECK(sweep_steps({306, 320, 40}) == 2206);
    CHECK(sweep_steps({320, 306, 40}) == 2178);
    CHECK_THAT(8 * 15 / sweep_steps({2, 3, 15}), WithinRel(0.9231, 1e-4));
    CHECK_THROWS_AS(sweep_steps({0, 1, 1}), std::logic_error);
    CHECK_THROWS_AS(plug_and_play_time({1, 1, 0}, {}), std::logic_error);
}

TEST_CASE("Without messages every closed form is the steps") {
    const SweepCost free = cost_of(0, 0, 0);
    for (const SweepGrid& grid : {SweepGrid{3, 3, 5}, {8, 4, 40}, {16, 16, 40}}) {
        const double ideal = sweep_steps(grid) * 60e-6;
        CHECK_THAT(plug_and_play_time(grid, free).si(), WithinRel(ideal, 1e-12));
        CHECK_THAT(hoisie_time(grid, free).si(), WithinRel(ideal, 1e-12));
        // This one counts the last but one rank of a row, which is one step less for each of two fills.
        CHECK_THAT(sundaram_stukel_time(grid, free, Time()).si(), WithinRel(ideal - 2 * 60e-6, 1e-12));
    }
}

TEST_CASE("The plug-and-play model is within 4 % of the recurrence from width 3 on") {
    for (const SweepCost& cost : {cost_of(0.02, 0.05, 0.02), cost_of(0.1, 0.1, 0.1), cost_of(0.01, 0.5, 0.01)}) {
        for (const SweepGrid& grid :
             {SweepGrid{3, 3, 40}, {3, 8, 40}, {8, 3, 40}, {4, 4, 40}, {8, 8, 20}, {16, 16, 40}, {32, 24, 40}}) {
            INFO(grid.wide << " x " << grid.high << ", send " << cost.i.send.si());
            CHECK_THAT(plug_and_play_time(grid, cost).si(), WithinRel(exact(grid, cost).si(), 0.04));
        }
    }
}

TEST_CASE("The plug-and-play model fails at width 2 where no rank has four neighbours") {
    const SweepCost cost = cost_of(0.2, 0, 0.2);
    const SweepGrid narrow = {2, 2, 40};
    const double excess = plug_and_play_time(narrow, cost) / exact(narrow, cost);
    CHECK(excess > 1.15);
    // It is the messages of the two neighbours that are not there: with half of each axis' costs the form is right
    // again.
    const SweepCost half = cost_of(0.1, 0.2, 0.1);
    CHECK_THAT(plug_and_play_time(narrow, half).si(), WithinRel(exact(narrow, cost).si(), 0.04));
}

TEST_CASE("The plug-and-play model is by hand what its equations say") {
    const SweepCost cost = {seconds(10), {seconds(1), seconds(2), seconds(5)}, {seconds(3), seconds(4), seconds(9)}};
    // Fill along J: 10 + 1 + 9 a rank; along I: 10 + 5 + 4; a block 2 + 4 + 10 + 1 + 3.
    CHECK(plug_and_play_time({4, 3, 2}, cost).si() == Approx(2 * 40 + 2 * (40 + 57) + 16 * 20));
}

TEST_CASE("Messages that keep both ranks busy are those of the first model") {
    // A send that lasts until it has been received: two in and two out of each inner rank for each block.
    const SweepMessage blocking = {seconds(6e-6), seconds(6e-6), seconds(12e-6)};
    const SweepMessage counted = {seconds(6e-6), seconds(6e-6), seconds(6e-6)};
    const SweepGrid grid = {8, 8, 40};
    const Time exactly = exact(grid, {seconds(60e-6), blocking, blocking});
    CHECK_THAT(hoisie_time(grid, {seconds(60e-6), counted, counted}).si(), WithinRel(exactly.si(), 0.06));
}

TEST_CASE("Handshakes slow the LogGP form down with every rank upstream") {
    const SweepCost cost = cost_of(0.02, 0.05, 0.02);
    const SweepGrid grid = {8, 6, 10};
    const Time eager = sundaram_stukel_time(grid, cost, Time());
    CHECK_THAT(eager.si(), WithinRel(exact(grid, cost).si(), 0.06));
    const Time late = sundaram_stukel_time(grid, cost, seconds(1e-6));
    // 2 * 2 B * ((Py - 1) + (Py - 1) + (Px - 2)) handshakes.
    CHECK((late - eager).si() == Approx(2 * 20 * (5 + 5 + 6) * 1e-6));
}

TEST_CASE("Pushing work to accelerators moves its volume twice") {
    PushedSweep sweep = {1e6, 8, seconds(40e-9), bytes(100), Bandwidth(20e9)};
    const Breakdown time = pushed_sweep_time(sweep);
    CHECK(time.total.si() == Approx(1e6 * (40e-9 / 8 + 200 / 20e9)));
    CHECK(time.terms.at(1).time.si() == Approx(0.01));
    sweep.accelerators = 0;
    CHECK_THROWS_AS(pushed_sweep_time(sweep), std::logic_error);
}

}  // namespace narrows
