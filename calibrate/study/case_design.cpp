#include "calibrate/study/case_design.hpp"

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <set>
#include <utility>

#include "calibrate/fit/residual_fit.hpp"
#include "calibrate/measure/order_statistics.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

/// The runs of a kind of residuals as points, and the samples that they are of.
struct NamedPoints {
    std::vector<std::string> names;
    std::vector<MeasuredResiduals::Point> points;
};

// One sample in a hundred may lie outside.
CoreStates states_of(const std::vector<Sample>& samples) {
    std::vector<double> known;
    for (const Sample& taken : samples) {
        if (taken.core_distance > 0) known.push_back(taken.core_distance);
    }
    if (known.empty()) return {};
    constexpr double rare = 0.01;
    return {quantile_estimate(known, rare).value, median_estimate(known).value,
            quantile_estimate(known, 1 - rare).value};
}

std::map<std::string, NamedPoints> points_of(const std::vector<CaseSpace>& spaces, const Machine& machine,
                                             const std::vector<Sample>& samples) {
    const CoreStates states = states_of(samples);
    std::map<std::string, NamedPoints> kinds;
    for (const Sample& taken : samples) {
        for (const CaseSpace& space : spaces) {
            const auto run = space.predicted(machine, taken.name);
            if (!run) continue;
            MeasuredResiduals::Point point{run->variables, std::log(taken.per_update() / run->per_update)};
            const double distance = taken.core_distance > 0 ? taken.core_distance : states.usual;
            if (states.usual > 0) point.at.push_back(std::log(distance));
            NamedPoints& kind = kinds[run->residuals];
            kind.names.push_back(taken.name);
            kind.points.push_back(std::move(point));
        }
    }
    return kinds;
}

// The mean square of half of what two sessions' predictions of the samples of a kind differ by, on the scale of
// logarithms: half of it is either's.
struct Difference {
    double squares = 0;
    double count = 0;
};

}  // namespace

std::vector<StudyCase> design_cases(const CaseSpace& space, const Machine& machine, const CaseLimits& limits,
                                    int count) {
    constexpr CaseLength length = {1.0 / 6, 0.5};
    boost::random::sobol sequence(case_properties);
    const UnitNumbers next = [&sequence] {
        return static_cast<double>(sequence()) / (static_cast<double>(boost::random::sobol::max()) + 1);
    };
    std::vector<StudyCase> cases;
    for (int i = 0; i < count; ++i) {
        int taken = 0;
        const auto counted = [&] {
            ++taken;
            return next();
        };
        try {
            cases.push_back(space.at(machine, counted, limits, length));
        } catch (const InputError&) {  // one case less
        }
        for (; taken < case_properties; ++taken) next();  // each case begins with the first coordinate of a point
    }
    return cases;
}

std::vector<ResidualSurface> fit_residuals(const std::vector<CaseSpace>& spaces, const Machine& machine,
                                           const std::vector<Sample>& samples) {
    std::vector<ResidualSurface> surfaces;
    for (const auto& [name, kind] : points_of(spaces, machine, samples)) {
        if (auto surface = fit_residuals(name, kind.points, states_of(samples)))
            surfaces.push_back(std::move(*surface));
    }
    return surfaces;
}

std::map<std::string, double> surprises(const std::vector<CaseSpace>& spaces, const Machine& machine,
                                        const std::vector<Sample>& samples) {
    std::map<std::string, double> found;
    for (const auto& [name, kind] : points_of(spaces, machine, samples)) {
        const auto surface = fit_residuals(name, kind.points, states_of(samples));
        if (!surface) continue;
        const std::vector<Residual> held_out = surface->held_out();
        for (std::size_t i = 0; i < held_out.size(); ++i) {
            double& surprise = found[kind.names[i]];
            surprise =
                std::max(surprise, std::abs(kind.points[i].residual - held_out[i].value) / held_out[i].deviation);
        }
    }
    return found;
}

void compare_sessions(const std::vector<CaseSpace>& spaces, Machine& machine, const std::vector<Machine>& earlier,
                      const std::vector<Sample>& samples) {
    std::set<std::string> names;
    for (const Sample& taken : samples) names.insert(taken.name);
    std::map<std::string, Difference> differences;
    for (const Machine& before : earlier) {
        for (const std::string& name : names) {
            for (const CaseSpace& space : spaces) {
                const auto now = space.predicted(machine, name);
                if (!now || residuals_named(before, now->residuals) == nullptr) continue;
                Difference& kind = differences[now->residuals];
                kind.squares += std::pow(std::log(space.predicted(before, name)->per_update / now->per_update), 2) / 2;
                ++kind.count;
            }
        }
    }
    for (ResidualSurface& surface : machine.residuals) {
        MeasuredResiduals measured = surface.measured();
        const Difference& kind = differences[measured.name];
        if (kind.count == 0) continue;
        measured.session_spread = std::sqrt(kind.squares / kind.count);
        measured.sessions = 1 + static_cast<int>(std::count_if(earlier.begin(), earlier.end(), [&](const Machine& one) {
                                return residuals_named(one, measured.name) != nullptr;
                            }));
        surface = ResidualSurface(std::move(measured));
    }
}

}  // namespace narrows
