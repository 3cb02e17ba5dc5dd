#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "calibrate/study/case_design.hpp"

namespace narrows {
namespace {

/// A workload whose runs take what is predicted, times 1 + x where x is the case's number of [0, 1).
CaseSpace made_space() {
    return {[](const Machine&, const UnitNumbers& next, const CaseLimits&, const RunLength& length) {
                Sample taken;
                const double x = next();
                taken.name = "made " + std::to_string(x);
                taken.updates = 1000;
                taken.seconds = length.usual * (1 + x);
                return StudyCase{taken.name, [taken] { return taken; }};
            },
            [](const Machine&, const std::string& name) -> std::optional<PredictedRun> {
                if (!name.starts_with("made ")) return std::nullopt;
                return PredictedRun{"made", {std::stod(name.substr(5))}, 1.0 / 6 / 1000};
            }};
}

TEST_CASE("a design fills its space evenly, and its runs tell what the formulas leave out") {
    constexpr int count = 64;
    const Machine machine;
    const auto cases = design_cases(made_space(), machine, CaseLimits(), count);
    REQUIRE(cases.size() == count);
    std::vector<Sample> samples;
    std::set<int> places;
    for (const StudyCase& what : cases) {
        samples.push_back(what.run());
        places.insert(static_cast<int>(std::stod(what.name.substr(5)) * 16));
    }
    CHECK(places.size() == 16);
    samples.push_back({});
    samples.back().name = "another";
    const auto surfaces = fit_residuals({made_space()}, machine, samples);
    REQUIRE(surfaces.size() == 1);
    CHECK(surfaces[0].measured().name == "made");
    CHECK(surfaces[0].measured().points.size() == count);
    for (const double x : {0.1, 0.333, 0.77}) {
        CHECK(surfaces[0].at(std::vector{x}).value == Approx(std::log(1 + x)).margin(0.02));
    }
}

}  // namespace
}  // namespace narrows
