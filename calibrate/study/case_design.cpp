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

/// The points of a kind of residuals, and the samples that they are of.
struct NamedPoints {
    std::vector<std::string> names;
    std::vector<MeasuredResiduals::Point> points;
};

std::map<std::string, NamedPoints> points_of(const std::vector<CaseSpace>& spaces, const Machine& machine,
                                             const std::vector<Sample>& samples) {
    std::map<std::string, std::vector<const Sample*>> runs;
    for (const Sample& taken : samples) runs[taken.name].push_back(&taken);
    const CoreDistances distances = core_distances(samples);
    std::map<std::string, NamedPoints> kinds;
    for (const auto& [name, of_case] : runs) {
        for (const CaseSpace& space : spaces) {
            const auto run = space.predicted(machine, name);
            if (!run) continue;
            std::vector<double> times;
            for (const Sample* taken : of_case) {
                if (!space.near || distances.usual_beside(*taken)) times.push_back(taken->per_update());
            }
            if (times.empty()) continue;
            NamedPoints& kind = kinds[run->residuals];
            kind.names.push_back(name);
            kind.points.push_back({run->variables, std::log(lower_median(times) / run->per_update)});
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
    constexpr RunLength length = {1.0 / 6, 0.5};
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
        if (auto surface = fit_residuals(name, kind.points)) surfaces.push_back(std::move(*surface));
    }
    return surfaces;
}

std::map<std::string, double> surprises(const std::vector<CaseSpace>& spaces, const Machine& machine,
                                        const std::vector<Sample>& samples) {
    std::map<std::string, double> found;
    for (const auto& [name, kind] : points_of(spaces, machine, samples)) {
        const auto surface = fit_residuals(name, kind.points);
        if (!surface) continue;
        const std::vector<Residual> held_out = surface->held_out();
        for (std::size_t i = 0; i < held_out.size(); ++i) {
            found[kind.names[i]] = std::abs(kind.points[i].residual - held_out[i].value) / held_out[i].deviation;
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
