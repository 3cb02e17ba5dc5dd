#include "calibrate/study/computing_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <map>

#include "calibrate/study/made_parameter.hpp"
#include "model/program/computing.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr double line_bytes = 64;

class ComputingFit {
  public:
    ComputingFit(const std::vector<ComputingCase>& cases, const std::vector<Sample>& samples, const FitOptions& options)
        : options_(options) {
        machine_.parameters = {made_parameter("node.processors", {1, Dimension::number, ""}, "calibrated")};
        for (const ComputingCase& what : cases) {
            const std::vector<double> times = times_of(samples, what.name());
            if (times.empty()) continue;
            const auto taken = std::ranges::find(samples, what.name(), &Sample::name);
            machine_.parameters.front().measure.value = std::max<double>(processors(), taken->workers);
            timed_.push_back({what, seconds_of(times, taken->workers)});
        }
    }

    std::vector<Parameter> run() {
        for (const Timed& one : timed_) {
            if (one.what.memory == 0) add_operations(one);
            if (one.what.flops == 0) add_memory(one);
        }
        if (find(machine_, "compute.flops") != nullptr && has(machine_, "compute.memory")) add_balanced();
        return {machine_.parameters.begin() + 1, machine_.parameters.end()};
    }

  private:
    struct Timed {
        ComputingCase what;
        OrderEstimate phase;  // seconds
    };

    double processors() const { return machine_.parameters.front().measure.value; }

    OrderEstimate seconds_of(const std::vector<double>& times, int workers) const {
        OrderEstimate found = quartile_estimate(times);
        const double least = options_.model_error * found.value;
        found.low = found.value - options_.widening * std::max(least, found.value - found.low);
        found.high = found.value + options_.widening * std::max(least, found.high - found.value);
        // Of runs that differ by as much as they take the fastest was not free.
        found.low = std::max(found.low, found.value / (1 + options_.widening));
        for (double* each : {&found.value, &found.low, &found.high}) *each /= workers;
        return found;
    }

    double turns(const ComputingCase& what) const { return std::ceil(what.ranks / processors()); }

    void add_operations(const Timed& one) {
        const double work = static_cast<double>(one.what.flops) * turns(one.what);
        machine_.parameters.push_back(
            made_parameter("compute.flops", {work / one.phase.value, Dimension::frequency, "G/s"}, "calibrated",
                           Interval{work / one.phase.high, work / one.phase.low}));
    }

    void add_memory(const Timed& one) {
        const double lines = static_cast<double>(one.what.memory) / line_bytes * turns(one.what);
        const std::string size = fmt::format("{:.0f} KiB", static_cast<double>(one.what.memory) / 2048);
        machine_.parameters.push_back(made_parameter("compute.memory." + size,
                                                     {one.phase.value / lines, Dimension::time, "ns"}, "calibrated",
                                                     Interval{one.phase.low / lines, one.phase.high / lines}));
    }

    // That of the least errors over these phases.
    double balanced_of(const std::vector<Timed>& phases) {
        const std::size_t at = machine_.parameters.size();
        machine_.parameters.push_back(made_parameter("compute.balanced", {1, Dimension::number, ""}, "calibrated"));
        const auto errors = [&](double balanced) {
            machine_.parameters[at].measure.value = balanced;
            double sum = 0;
            for (const Timed& one : phases) {
                const double model = computing_time(machine_, one.what.phase(), one.what.ranks).time.si();
                sum += std::pow(std::log(one.phase.value / model), 2);
            }
            return sum;
        };
        constexpr int bits = 20;
        const double found = boost::math::tools::brent_find_minima(errors, 1.0, 2.0, bits).first;
        machine_.parameters.pop_back();
        return found;
    }

    void add_balanced() {
        std::vector<Timed> both;
        std::map<std::uint64_t, std::vector<Timed>> by_size;
        for (const Timed& one : timed_) {
            if (one.what.flops == 0 || one.what.memory == 0) continue;
            both.push_back(one);
            by_size[one.what.memory].push_back(one);
        }
        if (both.empty()) return;
        const double value = balanced_of(both);
        double low = value, high = value;
        for (const auto& [size, phases] : by_size) {
            const double one = balanced_of(phases);
            low = std::min(low, one);
            high = std::max(high, one);
        }
        machine_.parameters.push_back(
            made_parameter("compute.balanced", {value, Dimension::number, ""}, "calibrated", Interval{low, high}));
    }

    FitOptions options_;
    Machine machine_;
    std::vector<Timed> timed_;
};

double predicted_seconds(const Machine& machine, const ComputingCase& what) {
    return computing_time(machine, what.phase(), what.ranks).time.si();
}

}  // namespace

std::vector<Parameter> fit_computing(const std::vector<ComputingCase>& cases, const std::vector<Sample>& samples,
                                     const FitOptions& options) {
    return ComputingFit(cases, samples, options).run();
}

CaseSpace computing_space() {
    return {[](const Machine& machine, const UnitNumbers& next, const CaseLimits& limits, const CaseLength& length) {
                const ComputingCase what = computing_case_at(next, limits);
                // Shorter than cases of other kernels: their times scatter less.
                return study_case(what, predicted_seconds(machine, what), length.usual / 3 * 2);
            },
            [](const Machine& machine, const std::string& name) -> std::optional<PredictedRun> {
                const auto what = computing_case_named(name);
                if (!what) return std::nullopt;
                return PredictedRun{computing_residuals,
                                    values_of(computing_variables(machine, what->phase(), what->ranks)),
                                    predicted_seconds(machine, *what) *
                                        std::min<double>(what->ranks, number_at(machine, "node.processors"))};
            }};
}

}  // namespace narrows
