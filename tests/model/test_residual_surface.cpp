#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <span>

#include "model/residual_surface.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

MeasuredResiduals line_of_points() {
    MeasuredResiduals measured{.name = "gups-sequential", .scales = {2}, .mean = 0.1, .spread = 0.5, .noise = 0.01};
    for (int i = 0; i <= 10; ++i) measured.points.push_back({{1.0 * i}, std::sin(0.5 * i)});
    return measured;
}

// Of values as points have them, logarithms where an axis has them.
std::vector<ResidualVariable> variables_of(const std::vector<double>& values, const std::vector<ResidualAxis>& axes) {
    std::vector<ResidualVariable> made;
    for (std::size_t v = 0; v < values.size(); ++v) {
        const ResidualAxis axis = axes.empty() ? ResidualAxis{"x"} : axes[v];
        made.push_back({axis, axis.logarithmic ? std::exp(values[v]) : values[v]});
    }
    return made;
}

TEST_CASE("residuals: at a point its own, between points about what is there, far away the mean") {
    const ResidualSurface surface(line_of_points());
    CHECK(surface.at(std::vector{4.0}).value == Approx(std::sin(2.0)).margin(0.01));
    CHECK(surface.at(std::vector{4.0}).deviation < 0.02);
    CHECK(surface.at(std::vector{4.5}).value == Approx(std::sin(2.25)).margin(0.03));
    CHECK(surface.at(std::vector{4.5}).deviation > surface.at(std::vector{4.0}).deviation);
    CHECK(surface.at(std::vector{1000.0}).value == Approx(0.1));
    CHECK(surface.at(std::vector{1000.0}).deviation == Approx(std::hypot(0.5, 0.01)));
}

TEST_CASE("residuals: a variable that never varied says nothing, however it was rounded") {
    MeasuredResiduals measured = line_of_points();
    measured.scales = {2, 1e-16};
    measured.trend = 0.1;
    for (auto& point : measured.points) point.at.push_back(std::log(2.0) + (point.at.front() > 5 ? 1e-16 : 0));
    const ResidualSurface surface(measured);
    CHECK(surface.at(std::vector{4.0, 0.693147181}).value == Approx(std::sin(2.0)).margin(0.02));
    CHECK(std::abs(surface.at(std::vector{4.0, std::log(3.0)}).value) < 2);
}

TEST_CASE("residuals: two points by hand") {
    MeasuredResiduals measured{.scales = {1}, .spread = 1, .noise = 0.5, .points = {{{0}, 1}, {{1}, 3}}};
    const double together = (1 + std::sqrt(3.0)) * std::exp(-std::sqrt(3.0));
    // K = [1.25 c; c 1.25], a = K^-1 (1, 3)
    const double determinant = 1.25 * 1.25 - together * together;
    const double first = (1.25 * 1 - together * 3) / determinant;
    const double second = (1.25 * 3 - together * 1) / determinant;
    const Residual found = ResidualSurface(measured).at(std::vector{0.0});
    CHECK(found.value == Approx(first + together * second));
    const double explained = (1.25 - 2 * together * together + 1.25 * together * together) / determinant;
    CHECK(found.deviation == Approx(std::sqrt(std::max(1.25 - explained, 0.25))));
}

TEST_CASE("residuals with a trend go on along it where there are no points") {
    MeasuredResiduals measured = line_of_points();
    for (auto& point : measured.points) point.residual = 0.1 + 0.2 * (point.at[0] - 5);
    measured.scales = {0.5};
    measured.spread = 0.05;
    const double flat = ResidualSurface(measured).at(std::vector{15.0}).value;
    measured.trend = 1;
    const Residual sloping = ResidualSurface(measured).at(std::vector{15.0});
    CHECK(flat == Approx(0.1).margin(0.01));
    CHECK(sloping.value == Approx(0.1 + 0.2 * 10).margin(0.05));
    CHECK(sloping.deviation > ResidualSurface(measured).at(std::vector{5.0}).deviation);
}

TEST_CASE("residuals: a point held out is what a surface without it says") {
    const MeasuredResiduals all = line_of_points();
    const std::vector<Residual> held_out = ResidualSurface(all).held_out();
    for (const std::size_t i : {0, 3, 10}) {
        MeasuredResiduals others = all;
        others.points.erase(others.points.begin() + static_cast<std::ptrdiff_t>(i));
        const Residual there = ResidualSurface(others).at(all.points[i].at);
        CHECK(held_out[i].value == Approx(there.value));
        CHECK(held_out[i].deviation == Approx(there.deviation));
    }
}

TEST_CASE("residuals outside of what was measured are named, and wider the farther they are") {
    const ResidualSurface surface(line_of_points());
    const std::vector axes = {ResidualAxis{"table", true, true}};
    CHECK(surface.beside(variables_of({10.5}, axes)).beyond.empty());
    const MeasuredBeside near = surface.beside(variables_of({12.0}, axes));
    const MeasuredBeside far = surface.beside(variables_of({20.0}, axes));
    CHECK(near.beyond == std::vector<std::string>{"table 158.9 KiB (measured: 1 B to 21.51 KiB)"});
    CHECK(far.above > near.above);
    CHECK(near.above == Approx(2 * std::hypot(surface.at(std::vector{12.0}).deviation, 0.5) * 1.1));
    SECTION("but not without end where a variable was hardly varied") {
        MeasuredResiduals measured = line_of_points();
        measured.scales.push_back(1);
        for (auto& point : measured.points) point.at.push_back(std::log(4.0));
        const ResidualSurface one_value(measured);
        const MeasuredBeside beside =
            one_value.beside(variables_of({4.0, std::log(2.0)}, {axes[0], ResidualAxis{"moments", true}}));
        REQUIRE(beside.beyond.size() == 1);
        CHECK(beside.above >
              one_value.beside(variables_of({4.0, std::log(4.0)}, {axes[0], ResidualAxis{"moments", true}})).above);
        CHECK(beside.above < 10 * 0.5 * measured.quantile);
    }
}

TEST_CASE("residuals: what differs between sessions joins the interval") {
    MeasuredResiduals measured = line_of_points();
    const std::vector axes = {ResidualAxis{"x"}};
    const MeasuredBeside alone = ResidualSurface(measured).beside(variables_of({4.0}, axes));
    measured.sessions = 3;
    measured.session_spread = 0.1;
    const MeasuredBeside together = ResidualSurface(measured).beside(variables_of({4.0}, axes));
    CHECK(alone.sessions == 1);
    CHECK(together.sessions == 3);
    CHECK(together.factor == alone.factor);
    CHECK(together.above == Approx(std::hypot(alone.above, 1.959964 * 0.1 * std::sqrt(1 + 1.0 / 3))));
}

TEST_CASE("residuals: the usual state of the machine, with an interval of runs in all of its states") {
    MeasuredResiduals measured = line_of_points();
    measured.scales = {2, 1};
    measured.states = {{std::log(250e-9)}, {std::log(50e-9)}, {std::log(60e-9)}};
    measured.points.clear();
    for (int i = 0; i <= 10; ++i) {
        for (const double distance : {50e-9, 60e-9, 250e-9}) {
            measured.points.push_back({{1.0 * i, std::log(distance)}, 0.1 * std::log(distance / 60e-9)});
        }
    }
    const ResidualSurface surface(measured);
    const std::vector axes = {ResidualAxis{"x"}};
    const MeasuredBeside found = surface.beside(variables_of({5.0}, axes));
    CHECK(found.factor == Approx(1).margin(0.01));
    // A third of the runs is at either end: 7.5 % of those lie outside of an interval that 95 % of all runs are in.
    constexpr double of_7_5_percent = 1.4395;
    const auto end = [&](double distance, double side) {
        const Residual there = surface.at(std::vector{5.0, std::log(distance)});
        return there.value + side * of_7_5_percent * measured.quantile / 1.959964 * there.deviation;
    };
    CHECK(std::log(found.factor) + found.above == Approx(end(250e-9, 1)).margin(1e-4));
    CHECK(found.below > 0);
    CHECK(found.below < found.above);
    SECTION("where the model itself tells states apart") {
        const auto model = [](std::span<const double> state) {
            return state[0] > std::log(100e-9) ? std::log(3.0) : 0;
        };
        const MeasuredBeside apart = surface.beside(variables_of({5.0}, axes), model);
        CHECK(apart.factor == found.factor);
        CHECK(apart.above == Approx(found.above + std::log(3.0)).margin(1e-4));
        CHECK(apart.below == Approx(found.below).margin(0.02));
    }
    SECTION("in one state alone, as far as it is known") {
        const MeasuredBeside far =
            surface.in_state(std::vector{std::log(250e-9), 1.0}).beside(variables_of({5.0}, axes));
        const Residual there = surface.at(std::vector{5.0, std::log(250e-9)});
        CHECK(far.factor == Approx(std::exp(there.value)));
        CHECK(far.above == Approx(measured.quantile * there.deviation).epsilon(1e-6));
        CHECK(far.below == Approx(measured.quantile * there.deviation).epsilon(1e-6));
    }
}

TEST_CASE("residuals: at a distance of cores predictions are of the states that are alike") {
    MeasuredResiduals measured = line_of_points();
    measured.scales = {2, 1, 1};
    measured.states = {
        {std::log(60e-9), -5}, {std::log(250e-9), -5.1}, {std::log(240e-9), -5}, {std::log(260e-9), -4.9}};
    measured.points.clear();
    for (int i = 0; i <= 10; ++i) {
        for (const double distance : {60e-9, 250e-9}) {
            measured.points.push_back({{1.0 * i, std::log(distance), -5}, 0.5 * std::log(distance / 60e-9)});
        }
    }
    const ResidualSurface surface(measured);
    const std::vector variables = variables_of({5.0}, {ResidualAxis{"x"}});
    const MeasuredBeside all = surface.beside(variables);
    const MeasuredBeside near = surface.like_state(std::vector{std::log(70e-9)}).beside(variables);
    CHECK(std::log(near.factor) == Approx(surface.at(std::vector{5.0, std::log(60e-9), -5.0}).value));
    CHECK(near.below + near.above < (all.below + all.above) / 2);
    const std::vector far{std::log(230e-9)};  // as the usual one
    CHECK(surface.like_state(far).beside(variables).factor == Approx(all.factor));
    // One of four states is near: if any is as likely as this one half of the time, that is 5 of 8 moments.
    const std::vector close{std::log(70e-9)};
    const ResidualSurface changing = surface.like_state(close, 0.5);
    CHECK(changing.measured().states.size() == 8);
    CHECK(changing.beside(variables).factor == Approx(near.factor));
    CHECK(near.factor * std::exp(changing.beside(variables).above) > all.factor);
    // Told a distance, it is at that one, not at the median of those that are like it.
    CHECK(std::log(surface.at_core_distance(70e-9).beside(variables).factor) ==
          Approx(surface.at(std::vector{5.0, std::log(70e-9), -5.0}).value));
    CHECK(std::log(surface.at_core_distance(130e-9).beside(variables).factor) ==
          Approx(surface.at(std::vector{5.0, std::log(130e-9), -5.0}).value));
    CHECK(surface.like_state(close, 1).measured().states == measured.states);
    CHECK(surface.like_state(close, 0.1).measured().states.size() == 1);             // seldom
    const auto there = states_like(measured.states, std::vector{std::log(120e-9)});  // of no known state
    REQUIRE(there.size() == 1);
    CHECK(there.front() == std::vector{std::log(120e-9), -5.0});
    CHECK(states_like({}, far).empty());
    CHECK(states_like(measured.states, std::vector{std::log(230e-9), -4.0}).size() == 3);  // as slow as none
    CHECK(states_like(measured.states, std::vector{std::log(120e-9), -4.85}) ==
          std::vector<std::vector<double>>{{std::log(120e-9), -4.9}});
    const auto usual_work = states_like(measured.states, std::vector{std::log(230e-9), -5.0});
    CHECK(usual_work == std::vector<std::vector<double>>{{std::log(240e-9), -5}});
    CHECK(states_like({{std::log(240e-9)}}, std::vector{std::log(230e-9), -4.0}).size() == 1);
}

TEST_CASE("residuals: the usual state is what most states are like, whatever most points were measured in") {
    MeasuredResiduals measured = line_of_points();
    measured.scales = {2, 1};
    measured.states = {
        {std::log(250e-9)}, {std::log(60e-9)}, {std::log(240e-9)}, {std::log(60e-9)}, {std::log(260e-9)}};
    measured.points.clear();
    for (int i = 0; i <= 10; ++i) {
        for (const double distance : {60e-9, 62e-9, 250e-9}) {
            measured.points.push_back({{1.0 * i, std::log(distance)}, 0.1 * std::log(distance / 60e-9)});
        }
    }
    const ResidualSurface surface(measured);
    const std::vector variables = variables_of({5.0}, {ResidualAxis{"x"}});
    const double there = surface.at(std::vector{5.0, std::log(250e-9)}).value;
    CHECK(std::log(surface.beside(variables).factor) == Approx(there));
    CHECK(there > 0.1);
    const auto model = [](std::span<const double> state) { return state[0] > std::log(100e-9) ? std::log(3.0) : 0; };
    CHECK(std::log(surface.beside(variables, model).factor) == Approx(there + std::log(3.0)));
    measured.states = {{std::log(250e-9)}, {std::log(60e-9)}};
    CHECK(ResidualSurface(measured).beside(variables).factor == Approx(1).margin(0.01));  // of as many the latest
}

TEST_CASE("residuals: a distance of cores that no run had is what the space expects of it, and less certain") {
    MeasuredResiduals measured = line_of_points();
    measured.scales = {2, 0.1};
    measured.by_distance = 1;
    measured.states = {{std::log(50e-9)}};
    for (std::size_t i = 0; i < measured.points.size(); ++i) {
        measured.points[i].at.push_back(std::log(i % 2 == 0 ? 49e-9 : 51e-9));
    }
    const ResidualSurface surface(measured);
    const std::vector axes = {ResidualAxis{"x"}};
    const MeasuredBeside near = surface.beside(variables_of({5.0}, axes));
    const MeasuredBeside far = surface.in_state(std::vector{std::log(200e-9)}).beside(variables_of({5.0}, axes));
    CHECK(far.factor / near.factor > 2);
    CHECK(far.above > near.above);
    SECTION("whatever the noise in the distances that were met seems to tell") {
        for (std::size_t i = 0; i < measured.points.size(); ++i) measured.points[i].residual += i % 2 == 0 ? 0 : 0.05;
        const MeasuredBeside other =
            ResidualSurface(measured).in_state(std::vector{std::log(200e-9)}).beside(variables_of({5.0}, axes));
        // The slope of 5 % over 4 % of distance would make it five times as long.
        CHECK(other.factor / far.factor == Approx(1).epsilon(0.5));
        CHECK(other.above > std::log(4.0) / 3);  // the slope is known within a third
    }
}

TEST_CASE("residuals: the slopes of the likelihood are those of differences") {
    MeasuredResiduals measured{.scales = {2, 3, 1.5},
                               .mean = 0.1,
                               .by_distance = GENERATE(0.0, 0.9),
                               .spread = 0.5,
                               .shared_spread = GENERATE(0.0, 0.3),
                               .trend = 0.2,
                               .noise = 0.15,
                               .states = {{0.0}}};
    std::mt19937 random(5);
    std::uniform_real_distribution<double> place(0, 5);
    for (int i = 0; i < 20; ++i) {
        const std::vector<double> at = {place(random), place(random), place(random)};
        measured.points.push_back({at, std::sin(at[0]) + 0.1 * place(random)});
    }
    const ResidualSurface::Likelihood found = ResidualSurface(measured).likelihood();
    std::vector<double*> numbers = {&measured.scales[0],     &measured.scales[1], &measured.scales[2], &measured.spread,
                                    &measured.shared_spread, &measured.trend,     &measured.noise};
    REQUIRE(found.slopes.size() == numbers.size());
    for (std::size_t n = 0; n < numbers.size(); ++n) {
        INFO(n);
        constexpr double step = 1e-5;
        const double kept = *numbers[n];
        *numbers[n] = kept * std::exp(step);
        const double above = ResidualSurface(measured).likelihood().logarithm;
        *numbers[n] = kept * std::exp(-step);
        const double below = ResidualSurface(measured).likelihood().logarithm;
        *numbers[n] = kept;
        CHECK(found.slopes[n] == Approx((above - below) / (2 * step)).epsilon(1e-4).margin(1e-5));
    }
}

TEST_CASE("what runs leave in one state tells of the others as far as they share it") {
    const auto far_from = [](double shared) {
        MeasuredResiduals measured{
            .scales = {1, 0.5}, .spread = 0.2, .shared_spread = shared, .noise = 0.01, .states = {{0.0}, {5.0}}};
        for (const double at : {0.0, 1.0, 2.0}) measured.points.push_back({{at, 0.0}, at == 1 ? 0.4 : -0.2});
        return ResidualSurface(measured).at(std::vector{1.0, 5.0});
    };
    CHECK(far_from(0).value == Approx(0).margin(1e-3));
    CHECK(far_from(0.2).value > 0.1);
    CHECK(far_from(0.2).value < 0.3);
    CHECK(far_from(0.2).deviation < std::hypot(0.2, 0.2));
}

TEST_CASE("the model's time in a state is linear in the distance of cores") {
    const auto time = [](double distance) { return 2 + 3 * distance; };
    const auto beside = model_in_states({{std::log(4.0), 7}, {std::log(1.0), 8}, {std::log(2.0), 9}}, 5, time);
    for (const double distance : {1.0, 2.0, 3.0, 4.0}) {
        CHECK(beside(std::vector{std::log(distance), 8.0}) == Approx(std::log(time(distance) / 5)));
    }
    CHECK(model_in_states({{0.0}}, 5, time)(std::vector{0.0}) == Approx(std::log(1.0)).margin(1e-12));
    CHECK(!model_in_states({}, 5, time));
}

TEST_CASE("residuals that do not fit together are refused") {
    MeasuredResiduals measured = line_of_points();
    const ResidualSurface surface(measured);
    CHECK_THROWS_WITH(surface.at(std::vector{1.0, 2.0}),
                      "the residuals of 'gups-sequential' are of 1 variables, not of the 2 of this program: "
                      "calibrate anew");
    CHECK_THROWS_AS(surface.beside(variables_of({1.0, 2.0}, {})), InputError);
    SECTION("a state of more numbers than there are variables") {
        measured.states = {{1, 2}};
    }
    SECTION("states that differ in their numbers") {
        measured.states = {{1}, {}};
    }
    SECTION("no points") {
        measured.points.clear();
    }
    SECTION("a point of more variables") {
        measured.points[3].at.push_back(1);
    }
    SECTION("no noise") {
        measured.noise = 0;
    }
    SECTION("a scale of zero") {
        measured.scales[0] = 0;
    }
    CHECK_THROWS_WITH(ResidualSurface(measured),
                      "the residuals of 'gups-sequential' need points of as many variables as there are scales, and "
                      "scales, spread and noise above zero: calibrate anew");
}

}  // namespace
}  // namespace narrows
