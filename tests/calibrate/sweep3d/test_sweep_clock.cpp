#include <catch2/catch.hpp>

#include "calibrate/kernels/sweep3d/sweep3d.hpp"

using namespace narrows;
using Catch::Matchers::WithinRel;

namespace {

/// Messages are free and a block takes a second on every rank.
SweepOptions unit_blocks(std::array<int, 2> grid, int plane_blocks, int angle_blocks) {
    SweepOptions options;
    options.grid = grid;
    options.problem.cells = {2 * grid[0], 3 * grid[1], 4 * plane_blocks};
    options.problem.iterations = 1;
    options.planes = 4;
    options.angle_block = 6 / angle_blocks;
    options.protocol = Protocol::receiver_initiated;
    options.skip_compute = true;
    SweepClock clock;
    clock.cell_angle = 1.0 / (2 * 3 * 4 * options.angle_block);
    clock.costs.places = {{grid[0] * grid[1], {}, {}}};
    options.virtual_clock = clock;
    return options;
}

}  // namespace

TEST_CASE("sweep clock: with free messages an iteration takes the steps of the schedule", "[long]") {
    for (const auto& [px, py] : {std::pair{1, 1}, {1, 7}, {7, 1}, {2, 3}, {3, 2}, {4, 4}, {16, 16}, {5, 10}}) {
        for (const auto& [planes, angles] : {std::pair{5, 1}, {5, 2}, {1, 1}, {40, 1}}) {
            CAPTURE(px, py, planes, angles);
            const SweepRun run = run_sweep3d(unit_blocks({px, py}, planes, angles));
            CHECK_THAT(run.seconds, WithinRel(8.0 * planes * angles + 2 * (px - 1) + 4 * (py - 1), 1e-12));
        }
    }
}

TEST_CASE("sweep clock: what is computed is the same as without it") {
    SweepOptions options;
    options.grid = {3, 2};
    options.problem.cells = {9, 8, 6};
    options.problem.iterations = 4;
    options.problem.fixups_after = 1;
    options.planes = 3;
    options.protocol = Protocol::receiver_initiated;
    const SweepRun real = run_sweep3d(options);
    for (const int domain : {0, 2}) {
        SweepClock clock;
        clock.cell_angle = 1e-8;
        clock.costs.places = {{6, {1e-7, 1e-6, 0, 1e-6}, {}}};
        clock.costs.gateways.message = 1e-5;
        if (domain != 0) clock.costs.places.front().ranks = domain;
        options.virtual_clock = clock;
        options.domain = domain;
        const SweepRun timed = run_sweep3d(options);
        CHECK(timed.iterations.back().error == real.iterations.back().error);
        CHECK(timed.iterations.back().fixed == real.iterations.back().fixed);
        CHECK(timed.errors() == 0);
        CHECK(timed.messages == real.messages);
        CHECK(timed.seconds > 4 * 9 * 8 * 6 * 48 * 1e-8 / 6);
        CHECK(timed.switches > timed.messages);
    }
}

TEST_CASE("sweep clock: a run is the same each time, and costs only add") {
    SweepOptions options = unit_blocks({8, 4}, 5, 1);
    options.domain = 8;
    options.virtual_clock->costs.places = {{8, {}, {}}};  // what is beyond eight ranks passes gateways
    const double free = run_sweep3d(unit_blocks({8, 4}, 5, 1)).seconds;
    double before = free;
    for (const double service : {0.0, 0.01, 0.1, 1.0}) {
        options.virtual_clock->costs.gateways.message = service;
        const double seconds = run_sweep3d(options).seconds;
        CHECK(run_sweep3d(options).seconds == seconds);
        CHECK(seconds >= before);
        before = seconds;
    }
    CHECK(before > 2 * free);
}
