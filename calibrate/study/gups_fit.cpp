#include "calibrate/study/gups_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "calibrate/fit/least_squares.hpp"
#include "calibrate/fit/time_fit.hpp"
#include "calibrate/study/made_parameter.hpp"
#include "model/gups/bucket_size.hpp"
#include "model/gups/placement.hpp"
#include "model/gups/routed.hpp"
#include "model/residual_surface.hpp"

namespace narrows {
namespace {

// Making an update and finding its first bucket costs about what a hop does: without it 8 to 32 ranks, whose updates
// make few hops, are predicted 10 to 15 % too slow.
constexpr double first_bucket = 1;
// Buckets and receive buffers hold at most 1024 updates, and the inboxes about as many.
constexpr double state_of_rank = 2.0 * held_updates * sizeof(Word);

// Of a hop, a packet and each further line of one.
constexpr std::size_t costs_by_state = 3;

// The share that each of these sizes has in what is interpolated at `size`, as `Curve::at` does.
std::vector<double> shares_of(const std::vector<double>& sizes, double size) {
    std::vector<double> shares;
    for (const double each : sizes) {
        Curve only;
        for (const double other : sizes) only.points.push_back({bytes(other), seconds(other == each ? 1 : 0)});
        shares.push_back(only.at(bytes(size)).si());
    }
    return shares;
}

// A time in nanoseconds.
Parameter timed(const std::string& path, const Coefficient& seconds, const FitOptions& options) {
    return calibrated(path, seconds, Dimension::time, "ns", options.widening);
}

std::string at_size(const std::string& path, double bytes_of_size) {
    const bool mega = std::fmod(bytes_of_size, 1048576.0) == 0;
    return mega ? fmt::format("{}.{} MiB", path, bytes_of_size / 1048576)
                : fmt::format("{}.{} KiB", path, bytes_of_size / 1024);
}

// A single run of a large table has been half as long and twice as long as those of other sessions.
Coefficient estimate_of(const OrderEstimate& time, const FitOptions& options) {
    constexpr double of_single_run = 0.3;
    const double least = (time.has_interval() ? options.model_error : of_single_run) * time.value;
    return {time.value, std::min(time.low, time.value - least), std::max(time.high, time.value + least)};
}

class GupsFit {
  public:
    GupsFit(const std::vector<GupsCase>& cases, const std::vector<Sample>& samples, const FitOptions& options)
        : cases_(cases), samples_(samples), options_(options), distances_(core_distances(samples)) {}

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
            const std::string place = at_size(path, whole_table(what));
            if (find(machine_, place) != nullptr) continue;  // more processors have told it
            machine_.parameters.push_back(
                timed(place, estimate_of(quartile_estimate(times(what)), options_), options_));
        }
    }

    Time update(const GupsCase& what) const {
        const char* small = "compute.gups.update_4KiB_pages";
        const bool on_small = what.options.pages == PageSize::small && has(machine_, small);
        return curve_at(machine_, on_small ? small : "compute.gups.update").at(bytes(whole_table(what)));
    }

    struct Uncertain {
        double value;
        double deviation;
    };

    // What the case takes beyond updating its table, with the deviation of that: at least what the model leaves out.
    Uncertain beyond_update(const GupsCase& what) const {
        const OrderEstimate total = quartile_estimate(times(what));
        const double spread = std::max(total.high - total.low, 2 * options_.model_error * total.value);
        return {total.value - update(what).si(), spread / 2 / 1.96};
    }

    double state(const GupsCase& what) const {
        return state_of_rank * what.options.ranks / std::min<double>(what.options.workers, what.options.ranks);
    }

    // Runs of a case with cores about as far from each other.
    struct RoutedRuns {
        GupsCase what;
        OrderEstimate time;   // of an update
        double distance = 0;  // of cores
    };

    // All that ran: beside the fitted cases those that fill the space.
    std::vector<RoutedRuns> routed_runs() const {
        const double quiet_probe = quiet_probe_seconds(samples_);
        std::map<std::pair<std::string, double>, std::vector<Sample>> groups;
        for (const Sample& taken : samples_) {
            const double distance = taken.core_distance > 0 ? taken.core_distance : distances_.usual;
            const double state = distance > 0 ? std::round(std::log(distance) / std::log(alike_distance)) : 0;
            groups[{taken.name, state}].push_back(taken);
        }
        std::vector<RoutedRuns> found;
        for (const auto& [of, group] : groups) {
            auto what = gups_case_named(of.first);
            if (!what || what->options.variant != GupsVariant::routed) continue;
            const double known = core_distances(group).usual;
            found.push_back({std::move(*what), quartile_estimate(times_of(group, of.first, quiet_probe)),
                             known > 0 ? known : distances_.usual});
        }
        return found;
    }

    // The states of the fitted cases of which there are runs, of any length: between them costs are interpolated.
    std::vector<double> states_of(const std::vector<RoutedRuns>& runs) const {
        std::set<double> fitted, states;
        for (const GupsCase& what : cases_) {
            if (what.options.variant == GupsVariant::routed) fitted.insert(state(what));
        }
        for (const RoutedRuns& run : runs) {
            if (fitted.contains(state(run.what))) states.insert(state(run.what));
        }
        return {states.begin(), states.end()};
    }

    bool knows_crossings() const { return workers() > 1 && distances_.usual > 0; }

    // Of costs a hop, a packet and a further line of one at each of the states, of one a run, of updates that take
    // longer, all of them or alone in a packet, and of cache lines that packets to other processors wait for.
    TimedCosts routed_time(const RoutedRuns& run, const std::vector<double>& states) const {
        const GupsCase& what = run.what;
        const std::vector<int>& shape = what.options.shape;
        const int bucket = what.options.bucket;
        const auto updates = static_cast<double>(what.options.updates);
        const double hops = routed_hops(shape);
        const double packets = hops / bucket + finishing_packets(shape, bucket, updates / what.options.ranks);
        const std::vector<double> shares = shares_of(states, state(what));
        TimedCosts made;
        for (const double factor : {hops + first_bucket, packets, packets * (lines_of_packet(bucket) - 1)}) {
            for (const double share : shares) made.factors.push_back(factor * share);
        }
        made.known = update(what).si();
        for (const double factor : {what.options.ranks / updates, made.known, made.known / bucket}) {
            made.factors.push_back(factor);
        }
        if (knows_crossings()) {
            const double crossing = hops > 0 ? packets / hops * (1 - 1.0 / what.options.workers) * run.distance : 0;
            made.factors.push_back(crossing);
            made.factors.push_back(crossing * (lines_of_packet(bucket) - 1));
        }
        made.time = run.time.value;
        made.deviation = std::max((run.time.high - run.time.low) / made.time / 2 / 1.96, options_.routing_error);
        return made;
    }

    void fit_route() {
        const std::vector<RoutedRuns> runs = routed_runs();
        const std::vector<double> states = states_of(runs);
        if (states.empty()) return;
        std::vector<TimedCosts> observed;
        for (const RoutedRuns& run : runs) observed.push_back(routed_time(run, states));
        const std::size_t count = states.size();
        std::vector<std::pair<std::size_t, std::size_t>> neighbours;
        for (std::size_t cost = 1; cost < costs_by_state * count; ++cost) {
            if (cost % count != 0) neighbours.emplace_back(cost - 1, cost);
        }
        const TimeFit fit = fit_times(observed, neighbours);
        if (fit.costs.empty()) return;
        const std::string path = "compute.gups.route";
        machine_.parameters.push_back(
            made_parameter(path + ".state", {state_of_rank, Dimension::data, "KiB"}, "derived"));
        machine_.parameters.push_back(made_parameter(path + ".first", {first_bucket, Dimension::number, ""},
                                                     "assumed: making an update costs about what a hop does"));
        const std::array<std::string, costs_by_state> names = {".per_update", ".per_packet", ".per_line"};
        const bool have_lines = std::ranges::any_of(
            runs, [](const RoutedRuns& run) { return lines_of_packet(run.what.options.bucket) > 1; });
        for (std::size_t cost = 0; cost < (have_lines ? costs_by_state : costs_by_state - 1) * count; ++cost) {
            const double size = states[cost % count];
            machine_.parameters.push_back(
                timed(at_size(path + names.at(cost / count), size), fit.costs[cost], options_));
            if (cost / count != 1) continue;
            machine_.parameters.back().correlation =
                in_digits(fit.correlations[cost][cost - count], correlation_digits);
            machine_.parameters.back().correlated_with = at_size(path + names.front(), size);
        }
        auto cost = fit.costs.begin() + static_cast<std::ptrdiff_t>(costs_by_state * count);
        machine_.parameters.push_back(timed(path + ".per_run", *cost++, options_));
        const auto number = [&](const char* name, const Coefficient& found) {
            return calibrated(path + name, found, Dimension::number, "", options_.widening);
        };
        const auto add = [&](const Parameter& found) { machine_.parameters.push_back(found); };
        const Parameter longer = number("", *cost);
        const double slowdown = 1 + longer.measure.value;
        add(made_parameter(path + ".slowdown", {slowdown, Dimension::number, ""}, longer.source,
                           Interval{1 + longer.interval->low, 1 + longer.interval->high}));
        ++cost;
        add(number(".alone", {cost->value / slowdown, cost->low / slowdown, cost->high / slowdown}));
        if (!knows_crossings()) return;
        add(number(".crossing.packet", *++cost));
        if (have_lines) add(number(".crossing.line", *++cost));
        add(*core_distance_of(samples_));
    }

    // The case with the largest buckets gives the cost of an update, where messages hardly count; the others that of a
    // message. A rank's own updates have a bucket as well.
    void fit_bucket() {
        std::vector<const GupsCase*> measured;
        for (const GupsCase& what : cases_) {
            if (what.options.variant == GupsVariant::bucketed && !times(what).empty()) measured.push_back(&what);
        }
        if (measured.size() < 2) return;
        std::ranges::sort(measured, [](const auto* a, const auto* b) { return a->options.ranks < b->options.ranks; });
        const std::string path = "compute.gups.bucket";
        const auto remote = [](const GupsCase& what) { return (what.options.ranks - 1.0) / what.options.ranks; };
        const Uncertain first = beyond_update(*measured.front());
        const double half = 1.96 * first.deviation;
        const Coefficient insert = {first.value, first.value - half, first.value + half};
        machine_.parameters.push_back(
            made_parameter(path + ".state", {state_of_rank, Dimension::data, "KiB"}, "derived"));
        for (const char* name : {".per_update", ".per_own_update"})
            machine_.parameters.push_back(timed(path + name, insert, options_));
        machine_.parameters.back().correlation = 1;
        machine_.parameters.back().correlated_with = path + ".per_update";
        for (std::size_t i = 1; i < measured.size(); ++i) {
            const Uncertain seen = beyond_update(*measured[i]);
            const GupsOptions& options = measured[i]->options;
            const double mean = mean_bucket_of_run(
                options.ranks, static_cast<double>(options.updates) / static_cast<double>(options.ranks));
            const double message = (seen.value - insert.value) / remote(*measured[i]) * mean;
            const double error = 1.96 * std::hypot(seen.deviation, first.deviation) / remote(*measured[i]) * mean;
            machine_.parameters.push_back(timed(at_size(path + ".per_message", state(*measured[i])),
                                                {message, message - error, message + error}, options_));
        }
    }

    const std::vector<GupsCase>& cases_;
    const std::vector<Sample>& samples_;
    const FitOptions& options_;
    CoreDistances distances_;
    Machine machine_;
};

}  // namespace

std::optional<Parameter> core_distance_of(const std::vector<Sample>& samples) {
    const auto [quartile, least, most] = core_distances(samples);
    if (quartile == 0) return std::nullopt;
    const double usual = std::exp(usual_state(states_met(samples)).front());
    return made_parameter(std::string(core_distance_path), {usual, Dimension::time, "ns"}, "measured",
                          Interval{least, most});
}

Machine fit_gups(const std::vector<GupsCase>& cases, const std::vector<Sample>& samples, const FitOptions& options) {
    return GupsFit(cases, samples, options).run();
}

}  // namespace narrows
