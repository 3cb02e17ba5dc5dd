#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "calibrate/study/case_design.hpp"

namespace narrows {
namespace {

/// A workload whose runs take what is predicted, times 1 + x where x is the case's number of [0, 1).
CaseSpace made_space() {
    return {[](const Machine&, const UnitNumbers& next, const CaseLimits&, const CaseLength& length) {
                Sample taken;
                const double x = next();
                taken.name = "made " + std::to_string(x);
                taken.updates = 1000;
                taken.seconds = length.usual * (1 + x);
                return StudyCase{taken.name, [taken] { return taken; }};
            },
            [](const Machine&, const std::string& name) -> std::optional<PredictedRun> {
                if (!name.starts_with("made ")) return std::nullopt;
                return PredictedRun{"made", {std::stod(name.substr(5))}, 1.0 / 24 / 1000};
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
    // A session that goes on has other cases.
    const auto more = design_cases(made_space(), machine, CaseLimits(), count / 2, count / 2);
    REQUIRE(more.size() == count / 2);
    for (std::size_t i = 0; i < more.size(); ++i) CHECK(more[i].name == cases[i + more.size()].name);
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

std::vector<Sample> made_samples(double session, int count = 64) {
    std::vector<Sample> samples;
    for (const StudyCase& what : design_cases(made_space(), Machine(), CaseLimits(), count)) {
        samples.push_back(what.run());
        samples.back().seconds *= session;
    }
    return samples;
}

/// The workload with the correction that the machine's residuals have, as the models of others.
CaseSpace corrected_space() {
    return {{}, [](const Machine& machine, const std::string& name) {
                auto run = made_space().predicted(machine, name);
                const ResidualSurface* const surface = residuals_named(machine, "made");
                if (run && surface != nullptr) run->per_update *= std::exp(surface->at(run->variables).value);
                return run;
            }};
}

TEST_CASE("a run whose cores others had is no point, unless most were like that") {
    std::vector<Sample> samples = made_samples(1);
    for (Sample& taken : samples) taken.cpu_seconds = taken.seconds * taken.workers;
    const auto points = [&samples] {
        return fit_residuals({made_space()}, Machine(), samples).at(0).measured().points.size();
    };
    samples[20].cpu_seconds *= 0.9;
    CHECK(points() == samples.size() - 1);
    for (Sample& taken : samples) taken.cpu_seconds *= 0.8;
    CHECK(points() == samples.size());
}

TEST_CASE("a disturbed run surprises more than any other") {
    std::vector<Sample> samples = made_samples(1);
    const Sample quiet = samples[20];
    samples[20].seconds *= 1.5;
    const auto found = surprises({made_space()}, Machine(), samples);
    CHECK(found.size() == samples.size());
    for (const auto& [name, surprise] : found) CHECK(surprise <= found.at(quiet.name));
    SECTION("and not once another run of its case tells that it was disturbed") {
        samples.push_back(quiet);
        const auto again = surprises({made_space()}, Machine(), samples);
        CHECK(again.size() == found.size());
        CHECK(again.at(quiet.name) < found.at(quiet.name) / 2);
        CHECK(fit_residuals({made_space()}, Machine(), samples).front().measured().points.size() == found.size());
    }
}

TEST_CASE("the states of a part of a session are those of all of it") {
    std::vector<Sample> part = made_samples(1);
    std::vector<Sample> session = made_samples(1, 30);
    for (std::size_t i = 0; i < part.size(); ++i) part[i].core_distance = i % 2 == 0 ? 40e-9 : 41e-9;
    for (std::size_t i = 0; i < session.size(); ++i) {
        session[i].core_distance = i % 5 == 0 ? 200e-9 : 40e-9;
        session[i].probe_seconds = 7e-3;  // which the part does not know
    }
    const auto far_states = [](const ResidualSurface& surface) {
        const auto& states = surface.measured().states;
        for (const std::vector<double>& state : states) CHECK(state.size() == 1);
        return std::ranges::count_if(states,
                                     [](const std::vector<double>& state) { return state.front() > std::log(100e-9); });
    };
    const auto alone = fit_residuals({made_space()}, Machine(), part).front();
    const auto whole = fit_residuals({made_space()}, Machine(), part, session).front();
    CHECK(far_states(alone) == 0);
    CHECK(far_states(whole) == 3);  // of fifteen
    const MeasuredBeside near = alone.beside({{{"place"}, 0.5}});
    const MeasuredBeside both = whole.beside({{{"place"}, 0.5}});
    CHECK(both.factor == Approx(near.factor).epsilon(0.02));  // the points are of the same states
    CHECK(both.above > near.above);
    SECTION("unless they are not known of all of it") {
        session.back().core_distance = 0;
        CHECK(far_states(fit_residuals({made_space()}, Machine(), part, session).front()) == 0);
    }
}

TEST_CASE("sessions of a machine differ by what their predictions do, and a single one by nothing") {
    const auto session = [](double factor) {
        Machine machine;
        machine.residuals = fit_residuals({made_space()}, machine, made_samples(factor));
        return machine;
    };
    Machine now = session(1);
    compare_sessions({corrected_space()}, now, {}, made_samples(1));
    CHECK(now.residuals[0].measured().sessions == 1);
    CHECK(now.residuals[0].measured().session_spread == 0);
    compare_sessions({corrected_space()}, now, {session(1.1), session(0.9), Machine()}, made_samples(1));
    CHECK(now.residuals[0].measured().sessions == 3);
    const double squares = std::pow(std::log(1.1), 2) / 2 + std::pow(std::log(0.9), 2) / 2;
    CHECK(now.residuals[0].measured().session_spread == Approx(std::sqrt(squares / 2)).epsilon(0.05));
    SECTION("one with other variables is not compared") {
        Machine other;
        MeasuredResiduals measured = now.residuals[0].measured();
        measured.scales.push_back(1);
        for (MeasuredResiduals::Point& point : measured.points) point.at.push_back(0);
        other.residuals.emplace_back(measured);
        compare_sessions({corrected_space()}, now, {session(1.1), other}, made_samples(1));
        CHECK(now.residuals[0].measured().sessions == 2);
    }
}

}  // namespace
}  // namespace narrows
