#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "calibrate/study/frozen_predictions.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// Tells texts apart as well as a hash does.
std::string hash_of(std::string_view text) {
    return std::to_string(std::hash<std::string_view>()(text));
}

FrozenBy frozen_by(const std::string& program, const std::string& machine) {
    return {program, machine, "here", hash_of};
}

ValidationPlan plan_of(double value) {
    ValidationPlan plan;
    plan.choice = {"gups", 64, false, 2, 7, 1 << 20};
    PlannedRun run;
    run.what.name = "naive ranks=2";
    run.expected.predicted = {value, value / 2, std::nullopt};
    plan.runs = {run};
    plan.refused = {"ranks=3: no shape"};
    return plan;
}

}  // namespace

TEST_CASE("frozen predictions are read back with their choice, and are of that plan alone") {
    const FrozenBy by = frozen_by("program", "machine");
    const FrozenPredictions frozen = freeze(plan_of(0.1), by);
    REQUIRE(has_frozen_predictions(frozen.text));
    const FrozenPredictions read = read_frozen(frozen.text, by);
    CHECK(read.sha256 == frozen.sha256);
    CHECK(read.choice.workload == "gups");
    CHECK(read.choice.most_ranks == 64);
    CHECK(read.choice.cases == 2);
    CHECK(read.choice.seed == 7);
    CHECK(read.choice.memory == 1 << 20);
    CHECK_NOTHROW(read.require_of(plan_of(0.1)));
    CHECK_THROWS_WITH(read.require_of(plan_of(0.2)), Catch::StartsWith("its cases are not what this machine draws"));
}

TEST_CASE("frozen predictions of another program or machine, or that were changed, are refused") {
    const std::string text = freeze(plan_of(0.1), frozen_by("program", "machine")).text;
    CHECK_THROWS_WITH(read_frozen(text, frozen_by("another", "machine")), Catch::Contains("another program's"));
    CHECK_THROWS_WITH(read_frozen(text, frozen_by("program", "another")),
                      Catch::Contains("of another machine than 'here'"));
    std::string changed = text;
    changed.replace(changed.find("0.1"), 3, "0.3");
    CHECK_THROWS_WITH(read_frozen(changed, frozen_by("program", "machine")),
                      Catch::Contains("changed after it was frozen"));
    CHECK_THROWS_WITH(read_frozen("{\"frozen\": {}, \"sha256\": 5}", frozen_by("program", "machine")),
                      Catch::Contains("changed after it was frozen"));
    const auto hashed = [](const std::string& frozen) {
        const FrozenBy by = frozen_by("program", "machine");
        return fmt::format(R"({{"frozen": {}, "sha256": "{}"}})", frozen, by.sha256(frozen));
    };
    for (const char* no_prediction :
         {"[1]", "{}", R"({"program":"program","machine":"machine","choice":{"workload":3},"predictions":[]})"}) {
        CHECK_THROWS_WITH(read_frozen(hashed(no_prediction), frozen_by("program", "machine")),
                          Catch::Contains("not what --freeze writes"));
    }
    CHECK_FALSE(has_frozen_predictions("{}"));
    CHECK_FALSE(has_frozen_predictions("not JSON"));
}

TEST_CASE("of a workload with few cases a validation plans these, and says that there are no others") {
    ValidatedWorkload workload;
    workload.name = "few";
    workload.draw = [](const Machine&, const UnitNumbers& next, const CaseLimits&) {
        const std::string name = std::to_string(static_cast<int>(3 * next()));
        return DrawnCase{name, [name] {
                             PlannedRun run;
                             run.what.name = name;
                             run.predict = [](const Machine&) { return PredictedFigure{1, {}, {}}; };
                             return run;
                         }};
    };
    ValidationChoice choice;
    choice.cases = 40;
    const ValidationPlan plan = plan_validation(workload, Machine(), choice);
    CHECK(plan.runs.size() == 3);
    REQUIRE(plan.refused.size() == 1);
    CHECK(plan.refused.front() == "further cases: 1000 draws gave none but the same 3");
}

}  // namespace narrows
