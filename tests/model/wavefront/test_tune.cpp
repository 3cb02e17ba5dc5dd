#include "model/wavefront/tune.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "data/library.hpp"
#include "model/wavefront/residuals.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

/// A deck small enough to try all that can be chosen.
SweepQuery small_deck() {
    SweepQuery query{.cells = {16, 12, 12}, .grid = {4, 6}, .planes = 4};
    return query;
}

/// The shortest time of all grids, planes and angles of the deck.
Time shortest(const Machine& machine, SweepQuery query) {
    const int ranks_of_grid = query.ranks();
    Time best = seconds(1e9);
    for (const int wide : {2, 3, 4, 6, 8, 12}) {
        for (const int planes : {1, 2, 3, 4, 6, 12}) {
            for (const int angles : {1, 2, 3, 6}) {
                query.grid = {wide, ranks_of_grid / wide};
                query.planes = planes;
                query.angle_block = angles;
                best = std::min(best, sweep3d_time(machine, query));
            }
        }
    }
    return best;
}

}  // namespace

TEST_CASE("Tuning finds the shortest time of all choices") {
    const Machine machine = load_machine("roadrunner");
    std::vector<double> told;
    const std::vector<SweepChoice> choices =
        tune_sweep(machine, small_deck(), {}, [&told](double fraction) { told.push_back(fraction); });
    CHECK(told.size() > 8);
    CHECK(std::ranges::is_sorted(told));
    CHECK(told.back() <= 1);
    CHECK(choices.size() == 8);
    CHECK(choices.front().time == shortest(machine, small_deck()));
    for (std::size_t i = 1; i < choices.size(); ++i) CHECK(choices[i - 1].time <= choices[i].time);
    for (const SweepChoice& choice : choices) {
        CHECK(choice.time == sweep3d_time(machine, choice.query));
        CHECK(choice.query.ranks() == 24);
    }
}

TEST_CASE("Tuning counts what ranks share, as a prediction does") {
    const Machine machine = with_change(load_machine("roadrunner"), "node.memory.bandwidth", "20 MB/s");
    SweepQuery query = small_deck();
    query.processors = 32;
    query.ranks_per_node = 32;
    bool limited = false;
    for (const SweepChoice& choice : tune_sweep(machine, query, {})) {
        CHECK(choice.time == sweep3d_time(machine, choice.query));
        limited = limited || choice.time > wavefront_time(sweep_wavefront(machine, choice.query));
    }
    CHECK(limited);
}

TEST_CASE("Tuning goes by what runs of the machine were, where they contradict the model") {
    Machine machine = load_machine("roadrunner");
    SweepQuery query = small_deck();
    query.processors = query.ranks_per_node = 32;
    const SweepQuery best_of_model = tune_sweep(machine, query, {}).front().query;
    MeasuredResiduals measured{.name = sweep_residuals, .spread = 1, .noise = 0.01};
    for (const int planes : {1, 2, 3, 4, 6, 12}) {  // the more planes differ from those 3, the longer it takes
        for (const int wide : {2, 4, 8}) {
            query.planes = planes;
            query.grid = {wide, 24 / wide};
            measured.points.push_back({values_of(residual_variables(machine, query)), std::abs(planes - 3) / 3.0});
        }
    }
    measured.scales.assign(measured.points.front().at.size(), 1);
    machine.residuals.emplace_back(measured);
    const auto choices = tune_sweep(machine, query, {});
    CHECK(choices.front().time == shortest(machine, query));
    CHECK(choices.front().query.planes != best_of_model.planes);
    for (const SweepChoice& choice : choices) CHECK(choice.time == sweep3d_time(machine, choice.query));
}

TEST_CASE("Tuning leaves alone what is given") {
    const Machine machine = load_machine("roadrunner");
    SweepFreedom freedom{.grid = false, .planes = false};
    for (const SweepChoice& choice : tune_sweep(machine, small_deck(), freedom)) {
        CHECK(choice.query.grid == std::array<int, 2>{4, 6});
        CHECK(choice.query.planes == 4);
    }
    freedom.angle_block = false;
    CHECK(tune_sweep(machine, small_deck(), freedom).size() == 1);
}

TEST_CASE("Cells of each rank follow the grid when that is tuned") {
    const Machine machine = load_machine("roadrunner");
    SweepFreedom freedom;
    freedom.cells_follow_grid = true;
    std::set<std::array<int, 2>> grids;
    for (const SweepChoice& choice : tune_sweep(machine, small_deck(), freedom)) {
        CHECK(choice.query.cells[0] == 4 * choice.query.grid[0]);
        CHECK(choice.query.cells[1] == 2 * choice.query.grid[1]);
        grids.insert(choice.query.grid);
    }
    CHECK_FALSE(grids.empty());
}

TEST_CASE("Tuning with little effort evaluates the best of the closed form") {
    const Machine machine = load_machine("roadrunner");
    SweepFreedom freedom{.best = 3, .effort = 1};
    const auto choices = tune_sweep(machine, small_deck(), freedom);
    REQUIRE(choices.size() == 3);
    const auto all = tune_sweep(machine, small_deck(), {});
    CHECK(choices.front().time >= all.front().time);
}

TEST_CASE("Few evaluations find a good choice where gateways are busy") {
    const Machine machine = load_machine("roadrunner");
    SweepQuery query{.cells = {80, 80, 40}, .grid = {16, 16}};
    SweepFreedom freedom;
    const Time best = tune_sweep(machine, query, freedom).front().time;
    freedom.effort = 1e5;  // the eight that are evaluated in any case
    CHECK(tune_sweep(machine, query, freedom).front().time.si() < 1.05 * best.si());
}

TEST_CASE("Tuning leaves out blocks that are too many to be evaluated") {
    SweepQuery query;
    query.grid = {16, 8};
    query.cells = {80, 40, 1 << 24};  // 2^24 planes of one angle on 128 ranks are more than are evaluated
    query.planes = 1 << 12;
    SweepFreedom freedom{.grid = false, .best = 1, .effort = 0};
    CHECK_FALSE(tune_sweep(load_machine("roadrunner"), query, freedom).empty());
}

TEST_CASE("Tuning refuses a deck that cannot be") {
    SweepQuery query = small_deck();
    query.planes = 5;
    CHECK_THROWS_WITH(tune_sweep(load_machine("roadrunner"), query, {}), "5 planes a block do not divide 12: give 4");
}

}  // namespace narrows
