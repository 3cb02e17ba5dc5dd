#include "cli/validation_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "calibrate/measure/noise.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/study/sampling.hpp"
#include "cli/prediction_report.hpp"
#include "cli/progress.hpp"
#include "model/read_costs.hpp"

namespace narrows {
namespace {

struct Summary {
    double median_error = 0;
    double worst_error = 0;
    double coverage = 0;
    double median_half_width = 0;
};

// Of the predictions of the machine, or of those of its state beside the runs.
Summary summary_of(const std::vector<ValidationCase>& cases, PredictedFigure ValidationCase::*predicted) {
    std::vector<double> errors;
    std::vector<double> widths;
    Summary summary;
    for (const ValidationCase& each : cases) {
        const PredictedFigure& figure = each.*predicted;
        errors.push_back(std::abs(each.error_of(figure)));
        widths.push_back(figure.half_width());
        summary.coverage += figure.holds(each.measured.value) ? 1.0 / static_cast<double>(cases.size()) : 0;
    }
    summary.median_error = median_estimate(errors).value;
    summary.worst_error = *std::max_element(errors.begin(), errors.end());
    summary.median_half_width = median_estimate(widths).value;
    return summary;
}

nlohmann::ordered_json json_of(const Summary& summary) {
    return {{"median_error", summary.median_error},
            {"worst_error", summary.worst_error},
            {"coverage", summary.coverage},
            {"median_half_width", summary.median_half_width}};
}

std::string words_of(const Summary& summary) {
    return fmt::format(
        "median error {:.1f} %, worst {:.1f} %; {:.0f} % of the intervals held, their median half-width is {:.1f} %",
        100 * summary.median_error, 100 * summary.worst_error, 100 * summary.coverage, 100 * summary.median_half_width);
}

nlohmann::ordered_json json_of(const PredictedFigure& predicted) {
    const auto edge = [](const std::optional<double>& end) {
        return end ? nlohmann::ordered_json(*end) : nlohmann::ordered_json(nullptr);
    };
    return {{"value", predicted.value}, {"low", edge(predicted.low)}, {"high", edge(predicted.high)}};
}

nlohmann::ordered_json json_of_case(const Validation& validation, const ValidationCase& each) {
    nlohmann::ordered_json json = {{"workload", each.workload.empty() ? validation.workload : each.workload}};
    if (!each.variant.empty()) json["variant"] = each.variant;
    json["ranks"] = each.ranks;
    json["shape"] = each.shape;
    if (!each.setting.empty()) json["setting"] = each.setting;
    json["predicted"] = json_of(each.predicted);
    json["measured"] = {{"value", each.measured.value},
                        {"low", each.measured.low},
                        {"high", each.measured.high},
                        {"runs", each.measured.samples}};
    json["relative_error"] = each.error_of(each.predicted);
    json["held"] = each.predicted.holds(each.measured.value);
    json["fitted"] = false;
    if (each.core_distance > 0) {
        json["core_distance"] = each.core_distance;
        json["in_state"] = json_of(each.in_state);
    }
    return json;
}

// Seconds of the probe beside the runs of the machine's calibration.
std::optional<double> probe_of(const Machine& machine) {
    const char* probe = "compute.gups.route.probe";
    return find(machine, probe) != nullptr ? std::optional(time_at(machine, probe).si()) : std::nullopt;
}

constexpr double much_slower = 1.25;

// Of the runs, those beside which the probe was much slower than that of the calibration.
double slow_share(const std::vector<Sample>& samples, double quiet_probe) {
    const auto slow = std::count_if(samples.begin(), samples.end(), [quiet_probe](const Sample& taken) {
        return taken.probe_seconds > much_slower * quiet_probe;
    });
    return samples.empty() ? 0 : static_cast<double>(slow) / static_cast<double>(samples.size());
}

// Whether cores were at another distance from each other than beside the calibration's runs: what ranks wait for each
// other follows that.
std::optional<std::string> other_distance(const Machine& machine, const std::vector<Sample>& samples) {
    constexpr double alike = 1.5;
    constexpr double nano = 1e-9;
    const auto known = std::find_if(machine.residuals.begin(), machine.residuals.end(),
                                    [](const ResidualSurface& one) { return !one.measured().states.empty(); });
    std::vector<double> distances;
    for (const Sample& taken : samples) {
        if (taken.core_distance > 0) distances.push_back(taken.core_distance);
    }
    if (known == machine.residuals.end() || distances.empty()) return std::nullopt;
    const double now = median_estimate(distances).value;
    std::vector<double> calibrated;
    for (const std::vector<double>& state : known->measured().states) calibrated.push_back(std::exp(state.front()));
    const double then = median_estimate(calibrated).value;
    if (now < alike * then && then < alike * now) return std::nullopt;
    return fmt::format(
        "a cache line took {:.0f} ns from core to core beside the runs, {:.0f} ns in the calibration: the "
        "machine was in another state",
        now / nano, then / nano);
}

// A neighbour's share in what was measured: seen by the probe of the cores, and by the pieces of work beside the runs,
// which took a known time when the machine was calibrated.
std::vector<std::string> noise_of(const Machine& machine, const CoreProbe& before, const std::vector<Sample>& samples) {
    constexpr double most_slow = 0.1;
    std::vector<std::string> evidence = evidence_of_noise(before);
    for (const std::string& line : evidence_of_noise(samples)) evidence.push_back(line);
    if (const double slow = slow_share(samples, probe_of(machine).value_or(quiet_probe_seconds(samples)));
        slow > most_slow) {
        evidence.push_back(
            fmt::format("beside {:.0f} % of the runs the probe took more than {:.3g} times as long as in "
                        "the calibration: other programs use the cores, or the path between them, from time to time",
                        100 * slow, much_slower));
    }
    const double slowdown = quiet_probe_seconds(samples) / probe_of(machine).value_or(quiet_probe_seconds(samples));
    if (slowdown > much_slower || slowdown < 1 / much_slower) {
        evidence.push_back(
            fmt::format("the probe beside the runs took {:.2g} times as long as in the calibration: they were "
                        "not taken on the same machine in the same state",
                        slowdown));
    }
    if (const auto line = other_distance(machine, samples)) evidence.push_back(*line);
    return evidence;
}

std::vector<TableCell> row_of_case(const Figures& figures, const ValidationCase& each) {
    const double scale = figures.scale;
    const OrderEstimate& measured = each.measured;
    TableCell interval("");
    if (const auto& [value, low, high] = each.predicted; low && high) {
        interval = {figures.text(*low) + " to " + figures.text(*high), {*low * scale, *high * scale}};
    }
    const bool held = each.predicted.holds(measured.value);
    std::string words;
    for (const std::string& part : {each.workload, each.variant, each.shape, each.setting}) {
        if (!part.empty()) words += words.empty() ? part : ", " + part;
    }
    return {count_cell(each.ranks),
            words,
            figures.cell(each.predicted.value),
            interval,
            {figures.text(measured.value), {measured.value * scale, measured.low * scale, measured.high * scale}},
            error_cell(each.error_of(each.predicted)),
            {held ? "yes" : "no", {held}}};
}

// On the line what is predicted as it is measured.
Plot validation_plot(const Machine& machine, const Validation& validation) {
    const Figures& figures = validation.figures;
    Plot plot{validation.title + " on " + machine.name + ", runs that no fit saw",
              fmt::format("measured {}, {}", figures.quantity, figures.unit), "predicted " + figures.quantity,
              figures.unit};
    plot.x_is_size = false;
    Series line{"as measured"}, held{"predicted, and its interval", Look::points};
    Series missed{"measured outside the interval", Look::rings};
    for (const ValidationCase& each : validation.cases) {
        const auto& [value, low, high] = each.predicted;
        Series& cases = each.predicted.holds(each.measured.value) ? held : missed;
        for (const auto& [ends, end] : {std::pair{&cases.x, each.measured.value},
                                        {&cases.y, value},
                                        {&cases.low, low.value_or(value)},
                                        {&cases.high, high.value_or(value)}}) {
            ends->push_back(end * figures.scale);
        }
        line.x.push_back(each.measured.value * figures.scale);
    }
    std::sort(line.x.begin(), line.x.end());
    line.y = line.x;
    plot.series = {line, held, missed};
    return plot;
}

// All runs of a case, from the shortest to the longest.
std::vector<Sample> sorted_runs(const std::vector<Sample>& samples, const std::string& name) {
    std::vector<Sample> runs;
    for (const Sample& taken : samples) {
        if (taken.name == name) runs.push_back(taken);
    }
    std::sort(runs.begin(), runs.end(),
              [](const Sample& a, const Sample& b) { return a.wall_per_update() < b.wall_per_update(); });
    return runs;
}

// The median of all runs of a case, or the first quartile of those in the state that its machine was calibrated in.
OrderEstimate measured_time(const std::vector<Sample>& samples, const std::string& name, bool drawn,
                            double quiet_probe) {
    if (!drawn) return quartile_estimate(times_of(samples, name, quiet_probe));
    std::vector<double> times;
    for (const Sample& taken : sorted_runs(samples, name)) times.push_back(taken.wall_per_update());
    return median_estimate(times);
}

}  // namespace

Validation validate_here(const Machine& machine, const ValidationPlan& plan, const ValidationLimits& allowed,
                         std::ostream& progress_lines) {
    std::vector<StudyCase> cases;
    for (const PlannedRun& run : plan.runs) cases.push_back(run.what);
    const bool drawn = !plan.choice.usual;
    const CoreProbe before = settled_probe(Cores().count());
    const double quiet_probe = probe_of(machine).value_or(0);
    SamplingLimits limits;
    limits.quiet_probe = quiet_probe;
    limits.seconds = allowed.seconds;
    limits.most_seconds = drawn ? 7200 : 1800;
    limits.least = limits.most = allowed.repeats;
    limits.patience = drawn ? 0 : std::numeric_limits<int>::max();
    limits.seed = plan.choice.seed;
    Progress progress(progress_lines, "validate");
    double taken = 0;
    const double wanted = static_cast<double>(cases.size()) * allowed.repeats;
    SamplingHooks hooks;
    hooks.sink = [&](const Sample&) { progress.at(std::min(0.99, ++taken / wanted)); };
    const KeptMemory kept(available_memory() / 2);
    const Sampled sampled = sample(cases, limits, hooks);
    if (!sampled.complete) {
        throw std::runtime_error(fmt::format("the runs took longer than {:.0f} minutes: give a smaller --max-ranks",
                                             limits.most_seconds / 60));
    }
    Validation validation{plan.choice.workload, plan.title, plan.figures, {}, plan.refused, {}, {}};
    if (drawn) validation.seed = plan.choice.seed;
    for (const PlannedRun& run : plan.runs) {
        const std::vector<Sample> runs = sorted_runs(sampled.samples, run.what.name);
        if (drawn && others_had_cores(runs)) {
            validation.refused.push_back(run.what.name + ": in most of its runs other programs used the cores");
            continue;
        }
        ValidationCase found = run.expected;
        found.measured = measured_time(sampled.samples, run.what.name, drawn, quiet_probe);
        for (double* end : {&found.measured.value, &found.measured.low, &found.measured.high}) *end = run.figure(*end);
        if (found.measured.low > found.measured.high) std::swap(found.measured.low, found.measured.high);  // a rate
        const Sample& median = runs[runs.size() / 2];
        if (const std::vector<double> state = median.state(); !state.empty()) {
            found.core_distance = median.core_distance;
            found.in_state = run.predict(in_state(machine, state));
        }
        validation.cases.push_back(found);
    }
    if (validation.cases.empty()) {
        throw std::runtime_error(
            "in most runs of every case other programs used the cores, so that nothing can be judged: stop them");
    }
    validation.evidence = noise_of(machine, before, sampled.samples);
    return validation;
}

std::optional<std::string> failure_of(const Validation& validation) {
    constexpr double most_error = 0.2;
    constexpr double least_coverage = 0.8;
    const Summary summary = summary_of(validation.cases, &ValidationCase::predicted);
    if (summary.median_error <= most_error && summary.coverage >= least_coverage) return std::nullopt;
    return fmt::format("a median error of {:.0f} %, {:.0f} % of the intervals held", 100 * summary.median_error,
                       100 * summary.coverage);
}

Document validation_document(const Machine& machine, const Validation& validation) {
    const std::vector<ValidationCase>& cases = validation.cases;
    const Figures& figures = validation.figures;
    const Summary summary = summary_of(cases, &ValidationCase::predicted);
    const Summary summary_in_state = summary_of(cases, &ValidationCase::in_state);
    const bool state_known = !cases.empty() && cases.front().core_distance > 0;
    Document document;
    document.json = json_of("validate");
    document.json["machine"] = machine.id;
    document.json["seed"] = validation.seed ? nlohmann::ordered_json(*validation.seed) : nlohmann::ordered_json();
    document.json["cases"] = nlohmann::ordered_json::array();
    Table table{"",
                {"ranks",
                 "case",
                 "predicted " + figures.unit,
                 {"95 % interval", {"low " + figures.unit, "high " + figures.unit}},
                 {"measured " + figures.unit,
                  {"measured " + figures.unit, "measured low " + figures.unit, "measured high " + figures.unit}},
                 {"error", {"relative error"}},
                 "held"},
                {}};
    for (const ValidationCase& each : cases) {
        document.json["cases"].push_back(json_of_case(validation, each));
        table.rows.push_back(row_of_case(figures, each));
    }
    document.json["summary"] = json_of(summary);
    if (state_known) document.json["summary_in_state"] = json_of(summary_in_state);
    document.notes.push_back(fmt::format("{} on {}, runs that the fit did not see{}", validation.workload, machine.name,
                                         validation.seed ? fmt::format(", drawn by --seed {}", *validation.seed) : ""));
    document.tables.push_back(table);
    document.remarks.push_back(words_of(summary));
    if (state_known) {
        document.remarks.push_back("predicted for the machine's state beside each median run: " +
                                   words_of(summary_in_state));
    }
    document.remarks.push_back(validation.seed ? "measured: the median of all runs of a case"
                                               : "measured: the first quartile of the times of runs like the "
                                                 "calibration's, to which neighbours add least");
    add_machine_remarks(document, machine);
    for (const std::string& line : validation.refused) document.remarks.push_back("refused: " + line);
    document.json["refused"] = validation.refused;
    document.json["noise"] = validation.evidence;
    for (const std::string& line : validation.evidence) document.remarks.push_back("noise: " + line);
    document.plot = validation_plot(machine, validation);
    return document;
}

}  // namespace narrows
