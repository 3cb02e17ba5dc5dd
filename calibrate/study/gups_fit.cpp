#include "calibrate/study/gups_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "calibrate/fit/least_squares.hpp"
#include "calibrate/study/made_parameter.hpp"
#include "model/gups/bucket_size.hpp"
#include "model/gups/placement.hpp"
#include "model/gups/routed.hpp"

namespace narrows {
namespace {

// Making an update and finding its first bucket costs about what a hop does: without it 8 to 32 ranks, whose updates
// make few hops, are predicted 10 to 15 % too slow.
constexpr double first_bucket = 1;
// Updates of a packet wait for memory together. Without it small buckets are predicted 25 to 88 % too fast on tables of
// 4 and 8 GiB.
constexpr double alone_in_packet = 3;
// Buckets and receive buffers hold at most 1024 updates, and the inboxes about as many.
constexpr double state_of_rank = 2.0 * held_updates * sizeof(Word);

// A time in nanoseconds.
Parameter timed(const std::string& path, const Coefficient& seconds, const FitOptions& options) {
    return calibrated(path, seconds, Dimension::time, "ns", options.widening);
}

std::string at_size(const std::string& path, double bytes_of_size) {
    const bool mega = std::fmod(bytes_of_size, 1048576.0) == 0;
    return mega ? fmt::format("{}.{} MiB", path, bytes_of_size / 1048576)
                : fmt::format("{}.{} KiB", path, bytes_of_size / 1024);
}

Coefficient estimate_of(const OrderEstimate& time, const FitOptions& options) {
    const double least = options.model_error * time.value;
    return {time.value, std::min(time.low, time.value - least), std::max(time.high, time.value + least)};
}

// Two ranks' usual packets are left to validation.
bool is_usual(const GupsCase& what) {
    const std::vector<int> shape = default_rank_shape(what.options.ranks);
    return what.options.shape == shape && (what.options.ranks == 2 || what.options.bucket == routed_bucket(shape));
}

// Whether there are enough routed runs for three costs, some with more than twice as many updates of a rank as others.
bool tells_of_runs(const std::vector<Observation>& observations) {
    if (observations.size() < 3) return false;
    const auto [least, most] = std::minmax_element(
        observations.begin(), observations.end(),
        [](const Observation& a, const Observation& b) { return a.factors.back() < b.factors.back(); });
    return most->factors.back() > 2 * least->factors.back();
}

// What a rank takes once a run, in seconds, of the fewest ranks whose runs tell it: fewer take as much, as the curve
// goes on with its first value. Zero where none tell.
double once_a_run(const std::map<double, std::vector<Observation>>& by_state) {
    for (const auto& [state, observations] : by_state) {
        const bool tell = tells_of_runs(observations);
        const LinearFit fit = tell ? least_squares(observations) : LinearFit();
        if (fit.determined) return std::max(0.0, fit.coefficients.back().value);
    }
    return 0;
}

class GupsFit {
  public:
    GupsFit(const std::vector<GupsCase>& cases, const std::vector<Sample>& samples, const FitOptions& options)
        : cases_(cases), samples_(samples), options_(options) {}

    Machine run() {
        machine_.parameters.push_back(
            made_parameter("node.processors", {workers(), Dimension::number, ""}, "measured"));
        fit_update(PageSize::large, "compute.gups.update");
        fit_update(PageSize::small, "compute.gups.update_4KiB_pages");
        if (has(machine_, "compute.gups.update")) {  // what ranks take beyond it
            fit_route();
            fit_bucket();
        }
        return machine_;
    }

  private:
    double workers() const {
        int most = 1;
        for (const Sample& taken : samples_) most = std::max(most, taken.workers);
        return most;
    }

    std::vector<double> times(const GupsCase& what) const { return times_of(samples_, what.name()); }

    // Bytes of the table of a node whose processors all have as much of it as those that the case keeps busy.
    double whole_table(const GupsCase& what) const {
        return static_cast<double>(what.options.table_words * sizeof(Word)) * workers() / what.options.workers;
    }

    void fit_update(PageSize pages, const std::string& path) {
        for (const GupsCase& what : cases_) {
            if (what.options.variant != GupsVariant::local || what.options.pages != pages || times(what).empty())
                continue;
            machine_.parameters.push_back(timed(at_size(path, whole_table(what)),
                                                estimate_of(quartile_estimate(times(what)), options_), options_));
        }
    }

    Time update(const GupsCase& what) const {
        return curve_at(machine_, "compute.gups.update").at(bytes(whole_table(what)));
    }

    // What the case takes beyond updating its table, with the deviation of that: at least what the model leaves out.
    Observation beyond_update(const GupsCase& what, std::vector<double> factors, double model_error) const {
        const OrderEstimate total = quartile_estimate(times(what));
        const double spread = std::max(total.high - total.low, 2 * model_error * total.value);
        const bool in_packets = what.options.variant == GupsVariant::routed;
        const double waiting = in_packets ? alone_in_packet / what.options.bucket : 0;
        return {std::move(factors), total.value - update(what).si() * (1 + waiting), spread / 2 / 1.96};
    }

    double state(const GupsCase& what) const {
        return state_of_rank * what.options.ranks / std::min<double>(what.options.workers, what.options.ranks);
    }

    Observation route_observation(const GupsCase& what) const {
        const std::vector<int>& shape = what.options.shape;
        const double hops = routed_hops(shape);
        const auto updates = static_cast<double>(what.options.updates);
        const double flushed = finishing_packets(shape, what.options.bucket, updates / what.options.ranks);
        return beyond_update(what,
                             {hops + first_bucket, hops / what.options.bucket + flushed, what.options.ranks / updates},
                             is_usual(what) ? options_.model_error : options_.arrangement_error);
    }

    void fit_route() {
        std::map<double, std::vector<Observation>> by_state;
        for (const GupsCase& what : cases_) {
            if (what.options.variant == GupsVariant::routed && !times(what).empty())
                by_state[state(what)].push_back(route_observation(what));
        }
        if (by_state.empty()) return;
        const std::string path = "compute.gups.route";
        machine_.parameters.push_back(
            made_parameter(path + ".state", {state_of_rank, Dimension::data, "KiB"}, "derived"));
        machine_.parameters.push_back(made_parameter(path + ".first", {first_bucket, Dimension::number, ""},
                                                     "assumed: making an update costs about what a hop does"));
        machine_.parameters.push_back(
            made_parameter(path + ".alone", {alone_in_packet, Dimension::number, ""},
                           "assumed: of 0 to 4, 3 and 4 fitted 106 runs after three calibrations best"));
        const double once = once_a_run(by_state);
        std::vector<std::vector<Observation>> groups;
        for (auto& [size, observations] : by_state) {
            if (!tells_of_runs(observations)) {
                for (Observation& each : observations) {
                    each.value -= once * each.factors.back();
                    each.factors.pop_back();
                }
            }
            groups.push_back(observations);
        }
        const std::vector<LinearFit> fits = least_squares(groups);
        std::vector<Parameter> packets, runs;
        auto fit = fits.begin();
        for (const auto& [size, observations] : by_state) {
            const LinearFit& found = *fit++;
            if (!found.determined) continue;
            machine_.parameters.push_back(timed(at_size(path + ".per_update", size), found.coefficients[0], options_));
            packets.push_back(timed(at_size(path + ".per_packet", size), found.coefficients[1], options_));
            packets.back().correlation = found.correlations[0][1];
            packets.back().correlated_with = machine_.parameters.back().path;
            if (found.coefficients.size() > 2)
                runs.push_back(timed(at_size(path + ".per_run", size), found.coefficients[2], options_));
        }
        machine_.parameters.insert(machine_.parameters.end(), packets.begin(), packets.end());
        machine_.parameters.insert(machine_.parameters.end(), runs.begin(), runs.end());
    }

    // The case with the largest buckets gives the cost of an update, where messages hardly count; the others that of a
    // message.
    void fit_bucket() {
        std::vector<const GupsCase*> measured;
        for (const GupsCase& what : cases_) {
            if (what.options.variant == GupsVariant::bucketed && !times(what).empty()) measured.push_back(&what);
        }
        if (measured.size() < 2) return;
        std::sort(measured.begin(), measured.end(),
                  [](const auto* a, const auto* b) { return a->options.ranks < b->options.ranks; });
        const std::string path = "compute.gups.bucket";
        const auto remote = [](const GupsCase& what) { return (what.options.ranks - 1.0) / what.options.ranks; };
        const Observation first = beyond_update(*measured.front(), {}, options_.model_error);
        const double insert = first.value / remote(*measured.front());
        const double insert_error = 1.96 * first.deviation / remote(*measured.front());
        machine_.parameters.push_back(
            made_parameter(path + ".state", {state_of_rank, Dimension::data, "KiB"}, "derived"));
        machine_.parameters.push_back(
            timed(path + ".per_update", {insert, insert - insert_error, insert + insert_error}, options_));
        for (std::size_t i = 1; i < measured.size(); ++i) {
            const Observation seen = beyond_update(*measured[i], {}, options_.model_error);
            const GupsOptions& options = measured[i]->options;
            const double mean = mean_bucket_of_run(
                options.ranks, static_cast<double>(options.updates) / static_cast<double>(options.ranks));
            const double message = (seen.value / remote(*measured[i]) - insert) * mean;
            const double error = 1.96 * std::hypot(seen.deviation, first.deviation) * mean;
            machine_.parameters.push_back(timed(at_size(path + ".per_message", state(*measured[i])),
                                                {message, message - error, message + error}, options_));
        }
    }

    const std::vector<GupsCase>& cases_;
    const std::vector<Sample>& samples_;
    const FitOptions& options_;
    Machine machine_;
};

}  // namespace

Machine fit_gups(const std::vector<GupsCase>& cases, const std::vector<Sample>& samples, const FitOptions& options) {
    return GupsFit(cases, samples, options).run();
}

}  // namespace narrows
