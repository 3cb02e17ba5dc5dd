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
#include "calibrate/study/sweep_fit.hpp"
#include "calibrate/study/validation.hpp"
#include "cli/progress.hpp"
#include "model/gups/workload.hpp"
#include "model/uncertainty.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

struct Summary {
    double median_error = 0;
    double worst_error = 0;
    double coverage = 0;
    double median_half_width = 0;
};

Summary summary_of(const std::vector<ValidationCase>& cases) {
    std::vector<double> errors;
    std::vector<double> widths;
    Summary summary;
    for (const ValidationCase& each : cases) {
        errors.push_back(std::abs(each.relative_error()));
        widths.push_back(each.half_width());
        summary.coverage += each.held() ? 1.0 / static_cast<double>(cases.size()) : 0;
    }
    summary.median_error = median_estimate(errors).value;
    summary.worst_error = *std::max_element(errors.begin(), errors.end());
    summary.median_half_width = median_estimate(widths).value;
    return summary;
}

nlohmann::ordered_json json_of_case(const Validation& validation, const ValidationCase& each) {
    const auto edge = [](const std::optional<double>& end) {
        return end ? nlohmann::ordered_json(*end) : nlohmann::ordered_json(nullptr);
    };
    nlohmann::ordered_json json = {{"workload", validation.workload}};
    if (!validation.variant.empty()) json["variant"] = validation.variant;
    json["ranks"] = each.ranks;
    json["shape"] = each.shape;
    json["predicted"] = {{"value", each.predicted}, {"low", edge(each.low)}, {"high", edge(each.high)}};
    json["measured"] = {{"value", each.measured.value},
                        {"low", each.measured.low},
                        {"high", each.measured.high},
                        {"runs", each.measured.samples}};
    json["relative_error"] = each.relative_error();
    json["held"] = each.held();
    json["fitted"] = false;
    return json;
}

// Seconds of the probe beside the runs of the machine's calibration.
std::optional<double> probe_of(const Machine& machine) {
    const char* probe = "compute.gups.route.probe";
    return find(machine, probe) != nullptr ? std::optional(time_at(machine, probe).si()) : std::nullopt;
}

// A neighbour's share in what was measured: seen by the probe of the cores, and by the pieces of work beside the runs,
// which took a known time when the machine was calibrated.
std::vector<std::string> noise_of(const Machine& machine, const CoreProbe& before, const CoreProbe& after,
                                  const std::vector<Sample>& samples) {
    constexpr double much_slower = 1.25;
    std::vector<std::string> evidence = evidence_of_noise(before);
    for (const std::string& line : evidence_of_noise(after)) evidence.push_back("afterwards: " + line);
    for (const std::string& line : evidence_of_noise(samples)) evidence.push_back(line);
    const double slowdown = quiet_probe_seconds(samples) / probe_of(machine).value_or(quiet_probe_seconds(samples));
    if (slowdown > much_slower || slowdown < 1 / much_slower) {
        evidence.push_back(
            fmt::format("the probe beside the runs took {:.2g} times as long as in the calibration: they were "
                        "not taken on the same machine in the same state",
                        slowdown));
    }
    return evidence;
}

std::vector<TableCell> row_of_case(const Figures& figures, const ValidationCase& each) {
    const double scale = figures.scale;
    const OrderEstimate& measured = each.measured;
    TableCell interval("");
    if (each.low && each.high) {
        interval = {figures.text(*each.low) + " to " + figures.text(*each.high),
                    {*each.low * scale, *each.high * scale}};
    }
    return {count_cell(each.ranks),
            each.shape,
            figures.cell(each.predicted),
            interval,
            {figures.text(measured.value), {measured.value * scale, measured.low * scale, measured.high * scale}},
            error_cell(each.relative_error()),
            {each.held() ? "yes" : "no", {each.held()}}};
}

Plot validation_plot(const Machine& machine, const Validation& validation) {
    const Figures& figures = validation.figures;
    Plot plot{validation.title + " on " + machine.name + ", runs that no fit saw", "ranks", figures.unit, {}};
    Series predicted{"predicted", {}, {}, false};
    Series measured{"measured", {}, {}, true};
    for (const ValidationCase& each : validation.cases) {
        predicted.x.push_back(each.ranks);
        predicted.y.push_back(each.predicted * figures.scale);
        measured.x.push_back(each.ranks);
        measured.y.push_back(each.measured.value * figures.scale);
    }
    plot.series = {predicted, measured};
    return plot;
}

/// A case to be run, and what a sample of it says in the figures of its prediction.
struct ValidatedRun {
    StudyCase what;
    std::function<double(double per_update)> figure;
};

// Runs the cases of a validation, each as often as asked, and adds what was measured.
void measure(const Machine& machine, const std::vector<ValidatedRun>& runs, const ValidationLimits& allowed,
             std::ostream& progress_lines, Validation& validation) {
    std::vector<StudyCase> cases;
    for (const ValidatedRun& run : runs) cases.push_back(run.what);
    const CoreProbe before = settled_probe(Cores().count());
    const double quiet_probe = probe_of(machine).value_or(0);
    SamplingLimits limits;
    limits.quiet_probe = quiet_probe;
    limits.seconds = allowed.seconds;
    limits.most_seconds = 1800;
    limits.least = allowed.repeats;
    limits.most = allowed.repeats;
    limits.patience = std::numeric_limits<int>::max();
    Progress progress(progress_lines, "validate");
    double taken = 0;
    const double wanted = static_cast<double>(runs.size()) * allowed.repeats;
    SamplingHooks hooks;
    hooks.sink = [&](const Sample&) { progress.at(std::min(0.99, ++taken / wanted)); };
    const Sampled sampled = sample(cases, limits, hooks);
    if (!sampled.complete)
        throw std::runtime_error("the runs took longer than half an hour: give a smaller --max-ranks");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        OrderEstimate& measured = validation.cases[i].measured;
        measured = quartile_estimate(times_of(sampled.samples, runs[i].what.name, quiet_probe));
        for (double* end : {&measured.value, &measured.low, &measured.high}) *end = runs[i].figure(*end);
        if (measured.low > measured.high) std::swap(measured.low, measured.high);  // a rate
    }
    validation.evidence = noise_of(machine, before, probe_cores(Cores().count()), sampled.samples);
}

template <class Quantity>
std::optional<double> end_of(const std::optional<Quantity>& end) {
    return end ? std::optional(end->si()) : std::nullopt;
}

}  // namespace

bool ValidationCase::held() const {
    return low && high && *low <= measured.value && measured.value <= *high;
}

double ValidationCase::half_width() const {
    return low && high ? (*high - *low) / 2 / predicted : 0;
}

Validation validate_here(const Machine& machine, const ValidationLimits& allowed, std::ostream& progress_lines) {
    const std::vector<GupsCase> cases = validation_cases(Cores().count(), allowed.most_ranks, available_memory());
    if (cases.empty())
        throw InputError(fmt::format("--max-ranks {}: no size below it is free of the fit", allowed.most_ranks));
    Validation validation{"gups", "routed", "RandomAccess", {"rate", "GUPS", 1e-9, true}, {}, {}};
    std::vector<ValidatedRun> runs;
    for (const GupsCase& what : cases) {
        const GupsQuery query = query_of(what);
        const Prediction prediction =
            with_interval(machine, PredictionOf([&query](const Machine& m) { return predict_gups(m, query); }));
        validation.cases.push_back({what.options.ranks,
                                    format_shape(what.options.shape),
                                    prediction.rate.si(),
                                    end_of(prediction.low),
                                    end_of(prediction.high),
                                    {}});
        runs.push_back({study_case(what), [workers = what.options.workers](double time) { return workers / time; }});
    }
    measure(machine, runs, allowed, progress_lines, validation);
    return validation;
}

Validation validate_sweep3d_here(const Machine& machine, const ValidationLimits& allowed,
                                 std::ostream& progress_lines) {
    Validation validation{"sweep3d", "", "Sweep3D", {"time", "ms", 1e3, false}, {}, {}};
    std::vector<ValidatedRun> runs;
    for (const SweepCase& what : sweep_validation_cases(Cores().count(), allowed.most_ranks)) {
        SweepQuery query = what.query();
        query.processors = Cores().count();
        query.ranks_per_node = std::max(query.ranks(), query.processors);
        const TimePrediction prediction = predict_sweep3d(machine, query);
        const auto& [i, j, k] = query.cells;
        validation.cases.push_back(
            {query.ranks(),
             fmt::format("{} of {}, {} planes, {} angles", format_shape({query.grid[0], query.grid[1]}),
                         format_shape({i, j, k}), query.planes, query.angle_block),
             prediction.time.si(),
             end_of(prediction.low),
             end_of(prediction.high),
             {}});
        runs.push_back({study_case(what), [cells = what.cell_angles(), workers = what.workers](double time) {
                            return time * cells / workers;
                        }});
    }
    measure(machine, runs, allowed, progress_lines, validation);
    return validation;
}

Document validation_document(const Machine& machine, const Validation& validation) {
    const std::vector<ValidationCase>& cases = validation.cases;
    const Figures& figures = validation.figures;
    const Summary summary = summary_of(cases);
    Document document;
    document.json = json_of("validate");
    document.json["machine"] = machine.id;
    document.json["cases"] = nlohmann::ordered_json::array();
    Table table{"",
                {"ranks",
                 "shape",
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
    document.json["summary"] = {{"median_error", summary.median_error},
                                {"worst_error", summary.worst_error},
                                {"coverage", summary.coverage},
                                {"median_half_width", summary.median_half_width}};
    document.notes.push_back(fmt::format("{}{}{} on {}, runs that the fit did not see", validation.workload,
                                         validation.variant.empty() ? "" : " ", validation.variant, machine.name));
    document.tables.push_back(table);
    document.remarks.push_back(
        fmt::format("median error {:.1f} %, worst {:.1f} %; {:.0f} % of the intervals held, their median "
                    "half-width is {:.1f} %",
                    100 * summary.median_error, 100 * summary.worst_error, 100 * summary.coverage,
                    100 * summary.median_half_width));
    document.remarks.push_back(
        "measured: the first quartile of the times of runs like the calibration's, to which "
        "neighbours add least");
    document.json["noise"] = validation.evidence;
    for (const std::string& line : validation.evidence) document.remarks.push_back("noise: " + line);
    document.plot = validation_plot(machine, validation);
    return document;
}

}  // namespace narrows
