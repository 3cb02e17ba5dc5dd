#include "calibrate/study/case_design.hpp"

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <iterator>
#include <random>
#include <set>
#include <utility>

#include "calibrate/fit/residual_fit.hpp"
#include "calibrate/measure/order_statistics.hpp"
#include "calibrate/study/made_parameter.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

/// The runs of a kind of residuals as points, by the names of their cases and the state of the machine beside them.
struct Runs {
    std::map<std::pair<std::string, std::vector<double>>, std::vector<MeasuredResiduals::Point>> points;
    std::vector<std::vector<double>> states;  ///< that the machine was in while the session ran, some of them
    const CaseSpace* space = nullptr;
};

// The same numbers for states that are about the same.
std::vector<double> rounded(std::vector<double> state) {
    for (double& each : state) each = std::round(each / std::log(alike_distance));
    return state;
}

// Of each case in each state the run that is the lower median: what disturbs a run makes it longer.
std::vector<MeasuredResiduals::Point> usual_points(const Runs& runs) {
    std::vector<MeasuredResiduals::Point> usual;
    for (const auto& [what, points] : runs.points) {
        auto sorted = points;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
        std::nth_element(sorted.begin(), middle, sorted.end(),
                         [](const auto& a, const auto& b) { return a.residual < b.residual; });
        usual.push_back(*middle);
    }
    return usual;
}

// Of samples from before, and of some made elsewhere, states are not known.
bool know_states(const std::vector<Sample>& samples) {
    return !samples.empty() && std::ranges::all_of(samples, [&samples](const Sample& taken) {
        return !taken.state().empty() && taken.state().size() == samples.front().state().size();
    });
}

// None where too few samples were taken for a parameter that the case needs.
std::optional<PredictedRun> predicted(const CaseSpace& space, const Machine& machine, const std::string& name) {
    try {
        return space.predicted(machine, name);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

std::map<std::string, Runs> runs_of(const std::vector<CaseSpace>& spaces, const Machine& machine,
                                    const std::vector<Sample>& samples, const std::vector<Sample>& session = {}) {
    const bool known = know_states(samples);
    std::map<std::string, Runs> kinds;
    std::vector<std::vector<double>> states;
    if (known) {
        const std::size_t numbers = samples.front().state().size();
        const bool by_session = know_states(session) && session.front().state().size() >= numbers;
        states = states_met(by_session ? session : samples);
        for (std::vector<double>& state : states) state.resize(numbers);
    }
    const bool usually_disturbed = others_had_cores(samples);
    for (const Sample& taken : samples) {
        if (!usually_disturbed && taken.processor_share() < usual_share) continue;
        const std::vector<double> state = known ? taken.state() : std::vector<double>();
        const Machine there = in_state(machine, state);
        for (const CaseSpace& space : spaces) {
            const auto run = predicted(space, there, taken.name);
            if (!run) continue;
            MeasuredResiduals::Point point{run->variables, std::log(taken.per_update() / run->per_update)};
            point.at.insert(point.at.end(), state.begin(), state.end());
            Runs& kind = kinds[run->residuals];
            kind.space = &space;
            kind.points[{taken.name, rounded(state)}].push_back(std::move(point));
        }
    }
    for (auto& [kind, runs] : kinds) runs.states = states;
    return kinds;
}

// Logarithms that tell sizes and times to 0.5 %, better than any run repeats: predictions wait for them to be read.
double rounded_number(double number) {
    constexpr int digits = 4;
    return in_digits(number, digits);
}

void round_numbers(std::vector<double>& numbers) {
    std::transform(numbers.begin(), numbers.end(), numbers.begin(), rounded_number);
}

// In the order of `runs.points`.
std::vector<MeasuredResiduals::Point> rounded_points(const Runs& runs) {
    std::vector<MeasuredResiduals::Point> points = usual_points(runs);
    for (MeasuredResiduals::Point& point : points) {
        round_numbers(point.at);
        point.residual = rounded_number(point.residual);
    }
    return points;
}

std::optional<ResidualSurface> surface_of(const std::string& kind, const Runs& runs) {
    std::vector<std::vector<double>> states = runs.states;
    for (std::vector<double>& state : states) round_numbers(state);
    return fit_residuals(kind, rounded_points(runs), states, runs.space->by_distance);
}

// The mean square of half of what two sessions' predictions of the samples of a kind differ by, on the scale of
// logarithms: half of it is either's.
struct Difference {
    double squares = 0;
    double count = 0;
    std::set<const Machine*> sessions;
};

}  // namespace

std::vector<StudyCase> design_cases(const CaseSpace& space, const Machine& machine, const CaseLimits& limits, int count,
                                    std::size_t known) {
    constexpr CaseLength length = {1.0 / 24, 0.4};  // runs of twice that repeat no better
    // Memory of mappings above 2 GiB comes from the host for each run, which takes much longer than that: five cases of
    // six have none.
    constexpr std::size_t usual_memory = std::size_t{5} << 30;
    std::mt19937 random(1);
    boost::random::sobol sequence(case_properties);
    sequence.discard(known * case_properties);
    const UnitNumbers next = [&sequence] {
        return static_cast<double>(sequence()) / (static_cast<double>(boost::random::sobol::max()) + 1);
    };
    std::vector<StudyCase> cases;
    for (int i = 0; i < count; ++i) {
        CaseLimits of_case = limits;
        if (random() % 6 != 0) of_case.memory = std::min(limits.memory, usual_memory);
        int taken = 0;
        const auto counted = [&] {
            ++taken;
            return next();
        };
        try {
            cases.push_back(space.at(machine, counted, of_case, length));
        } catch (const InputError&) {  // one case less
        }
        for (; taken < case_properties; ++taken) next();  // each case begins with the first coordinate of a point
    }
    return cases;
}

std::vector<ResidualSurface> fit_residuals(const std::vector<CaseSpace>& spaces, const Machine& machine,
                                           const std::vector<Sample>& samples, const std::vector<Sample>& session) {
    const std::map<std::string, Runs> kinds = runs_of(spaces, machine, samples, session);
    std::vector<ResidualSurface> surfaces;
    for (const CaseSpace& space : spaces) {
        std::vector<ResidualSurface> of_space;
        for (const auto& [kind, runs] : kinds) {
            if (runs.space != &space) continue;
            if (auto surface = surface_of(kind, runs)) of_space.push_back(std::move(*surface));
        }
        weigh_against_all(of_space, space.weight_of_all);
        std::ranges::move(of_space, std::back_inserter(surfaces));
    }
    return surfaces;
}

std::map<std::string, double> surprises(const std::vector<CaseSpace>& spaces, const Machine& machine,
                                        const std::vector<Sample>& samples) {
    std::map<std::string, double> found;
    for (const auto& [kind, runs] : runs_of(spaces, machine, samples)) {
        const auto surface = surface_of(kind, runs);
        if (!surface) continue;
        const std::vector<Residual> held_out = surface->held_out();
        const std::vector<MeasuredResiduals::Point> all = rounded_points(runs);
        std::size_t i = 0, kept = 0;
        for (const auto& [what, points] : runs.points) {
            const MeasuredResiduals::Point& point = all[i++];
            const bool is_kept = kept < held_out.size() && point == surface->measured().points[kept];
            const Residual others = is_kept ? held_out[kept++] : surface->at(point.at);
            double& surprise = found[what.first];
            surprise = std::max(surprise, std::abs(point.residual - others.value) / others.deviation);
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
                const auto then = predicted(space, before, name);  // not by a file from before some of the variables
                if (!then) continue;
                Difference& kind = differences[now->residuals];
                kind.squares += std::pow(std::log(then->per_update / now->per_update), 2) / 2;
                ++kind.count;
                kind.sessions.insert(&before);
            }
        }
    }
    for (ResidualSurface& surface : machine.residuals) {
        MeasuredResiduals measured = surface.measured();
        const Difference& kind = differences[measured.name];
        if (kind.count == 0) continue;
        measured.session_spread = std::sqrt(kind.squares / kind.count);
        measured.sessions = 1 + static_cast<int>(kind.sessions.size());
        surface = ResidualSurface(std::move(measured));
    }
}

}  // namespace narrows
