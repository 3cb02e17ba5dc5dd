#include "calibrate/study/case_design.hpp"

#include <boost/random/sobol.hpp>
#include <cmath>
#include <map>

#include "calibrate/fit/residual_fit.hpp"
#include "calibrate/measure/order_statistics.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Points = std::map<std::string, std::vector<MeasuredResiduals::Point>>;

void add_point(const CaseSpace& space, const Machine& machine, const std::string& name,
               const std::vector<double>& times, Points& points) {
    const auto run = space.predicted(machine, name);
    if (!run) return;
    points[run->residuals].push_back({run->variables, std::log(median_estimate(times).value / run->per_update)});
}

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
    std::map<std::string, std::vector<double>> times;
    const CoreDistances distances = core_distances(samples);
    for (const Sample& taken : samples) {
        if (distances.usual_beside(taken)) times[taken.name].push_back(taken.per_update());
    }
    Points points;
    for (const auto& [name, of_case] : times) {
        for (const CaseSpace& space : spaces) add_point(space, machine, name, of_case, points);
    }
    std::vector<ResidualSurface> surfaces;
    for (const auto& [name, of_kind] : points) {
        if (auto surface = fit_residuals(name, of_kind)) surfaces.push_back(std::move(*surface));
    }
    return surfaces;
}

}  // namespace narrows
