#include "model/explore/grid.hpp"

#include <catch2/catch.hpp>

namespace narrows {
namespace {

// A machine's one parameter is the number of the costs, which the outcome adds to that of the plan.
Grid numbers(std::int64_t plans, std::int64_t costs, std::string& written) {
    Grid grid;
    grid.plans = plans;
    grid.costs = costs;
    grid.plan = [](std::int64_t plan) {
        Machine machine;
        machine.parameters.resize(1);
        if (plan == 7) throw InputError("seven");
        return Plan{machine, [plan](const Machine& put) {
                        return Outcome{1000.0 * static_cast<double>(plan) + put.parameters[0].measure.value, {}, ""};
                    }};
    };
    grid.put = [](Machine& machine, std::int64_t number) {
        machine.parameters[0].measure.value = static_cast<double>(number);
    };
    grid.tell = [](const GridPoint&, const Outcome& outcome, std::string& text) {
        text += std::to_string(static_cast<std::int64_t>(outcome.value)) + "\n";
    };
    grid.tell_error = [](const GridPoint& point, const InputError& error, std::string& text) {
        text += std::to_string(point.plan) + " " + error.what() + "\n";
    };
    grid.write = [&written](const std::string& text) {
        written += text;
        return true;
    };
    return grid;
}

}  // namespace

TEST_CASE("a grid: every point in order, the same on any number of threads") {
    std::string expected;
    for (int plan = 0; plan < 5; ++plan) {
        for (int costs = 0; costs < 3000; ++costs) expected += std::to_string(1000 * plan + costs) + "\n";
    }
    for (const int threads : {1, 2, 5}) {
        std::string written;
        predict_grid(numbers(5, 3000, written), threads);
        CHECK(written == expected);
    }
    std::string written;
    predict_grid(numbers(9, 2, written), 2);
    CHECK(written.ends_with("6000\n6001\n7 seven\n7 seven\n8000\n8001\n"));
}

TEST_CASE("a grid ends at the first error that is thrown, and when nothing more is wanted") {
    for (const int threads : {1, 3}) {
        std::string written;
        Grid grid = numbers(100, 1, written);
        grid.tell_error = [](const GridPoint&, const InputError& error, std::string&) { throw InputError(error); };
        CHECK_THROWS_WITH(predict_grid(grid, threads), "seven");
        CHECK(written == "0\n1000\n2000\n3000\n4000\n5000\n6000\n");
        int calls = 0;
        grid = numbers(1, 1'000'000, written);
        grid.write = [&calls](const std::string&) { return ++calls < 3; };
        predict_grid(grid, threads);
        CHECK(calls == 3);
    }
}

TEST_CASE("points of a grid that are kept come in its order, and the first that is left out says why") {
    for (const int threads : {1, 3}) {
        std::string written;
        Grid grid = numbers(9, 2, written);
        KeptPoints kept(grid.plans, grid.costs);
        LeftOut left_out;
        grid.tell = [&](const GridPoint& point, const Outcome& outcome, std::string&) { kept.keep(point, outcome); };
        grid.tell_error = [&](const GridPoint& point, const InputError& error, std::string&) {
            left_out.note(point, error);
        };
        predict_grid(grid, threads);
        const std::vector<FoundPoint> found = kept.in_order();
        REQUIRE(found.size() == 16);
        CHECK(found[3].point == GridPoint{1, 1});
        CHECK(found[3].outcome.value == 1001);
        CHECK(found[14].point == GridPoint{8, 0});
        CHECK(left_out.count() == 2);
        CHECK(left_out.first() == GridPoint{7, 0});
        CHECK(left_out.why() == "seven");
    }
}

}  // namespace narrows
