#include "cli/validation_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calibrate/measure/noise.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/study/sampling.hpp"
#include "calibrate/study/validation.hpp"
#include "cli/prediction_report.hpp"
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
    summary.median_error = median_estimate(errors).median;
    summary.worst_error = *std::max_element(errors.begin(), errors.end());
    summary.median_half_width = median_estimate(widths).median;
    return summary;
}

nlohmann::ordered_json json_of_case(const ValidationCase& each) {
    const auto edge = [](const std::optional<Rate>& rate) {
        return rate ? nlohmann::ordered_json(rate->si()) : nlohmann::ordered_json(nullptr);
    };
    return {{"workload", "gups"},
            {"variant", "routed"},
            {"ranks", each.ranks},
            {"shape", each.shape},
            {"predicted",
             {{"value", each.prediction.rate.si()},
              {"low", edge(each.prediction.low)},
              {"high", edge(each.prediction.high)}}},
            {"measured",
             {{"value", each.measured.median},
              {"low", each.measured.low},
              {"high", each.measured.high},
              {"runs", each.measured.samples}}},
            {"relative_error", each.relative_error()},
            {"held", each.held()},
            {"fitted", false}};
}

// A neighbour's share in what was measured: seen by the probe of the cores, and by the pieces of work beside the runs,
// which took a known time when the machine was calibrated.
std::vector<std::string> noise_of(const Machine& machine, const CoreProbe& before, const CoreProbe& after,
                                  const std::vector<Sample>& samples) {
    constexpr double much_slower = 1.25;
    std::vector<std::string> evidence = evidence_of_noise(before);
    for (const std::string& line : evidence_of_noise(after)) evidence.push_back("afterwards: " + line);
    for (const std::string& line : evidence_of_noise(samples)) evidence.push_back(line);
    for (const auto& [key, value] : machine.environment) {
        if (key != "probe") continue;
        const double slowdown = quiet_probe_seconds(samples) / parse_time(value).si();
        if (slowdown > much_slower || slowdown < 1 / much_slower) {
            evidence.push_back(
                fmt::format("the probe beside the runs took {:.2g} times as long as in the calibration: they were "
                            "not taken on the same machine in the same state",
                            slowdown));
        }
    }
    return evidence;
}

Plot validation_plot(const Machine& machine, const std::vector<ValidationCase>& cases) {
    Plot plot{"RandomAccess on " + machine.name + ", runs that no fit saw", "ranks", "GUPS", {}};
    Series predicted{"predicted", {}, {}, false};
    Series measured{"measured", {}, {}, true};
    for (const ValidationCase& each : cases) {
        predicted.x.push_back(each.ranks);
        predicted.y.push_back(each.prediction.rate.si() / 1e9);
        measured.x.push_back(each.ranks);
        measured.y.push_back(each.measured.median / 1e9);
    }
    plot.series = {predicted, measured};
    return plot;
}

}  // namespace

bool ValidationCase::held() const {
    return prediction.low && prediction.high && prediction.low->si() <= measured.median &&
           measured.median <= prediction.high->si();
}

double ValidationCase::half_width() const {
    if (!prediction.low || !prediction.high) return 0;
    return (prediction.high->si() - prediction.low->si()) / 2 / prediction.rate.si();
}

Validation validate_here(const Machine& machine, int most_ranks, int repeats, std::ostream& progress_lines) {
    const std::vector<GupsCase> runs = validation_cases(Cores().count(), most_ranks, available_memory());
    if (runs.empty()) throw InputError(fmt::format("--max-ranks {}: no size below it is free of the fit", most_ranks));
    std::vector<ValidationCase> cases;
    for (const GupsCase& what : runs) {
        const GupsQuery query = query_of(what);
        ValidationCase each;
        each.ranks = what.options.ranks;
        each.shape = format_shape(what.options.shape);
        each.prediction = with_interval(machine, [&query](const Machine& m) { return predict_gups(m, query); });
        cases.push_back(each);
    }
    const CoreProbe before = probe_cores(Cores().count());
    SamplingLimits limits;
    limits.seconds = 300;  // in search of undisturbed runs
    limits.most_seconds = 1800;
    limits.least = repeats;
    limits.most = repeats;
    limits.patience = 3 * repeats;
    Progress progress(progress_lines, "validate");
    double taken = 0;
    const double wanted = static_cast<double>(runs.size()) * repeats;
    SamplingHooks hooks;
    hooks.sink = [&](const Sample&) { progress.at(std::min(1.0, ++taken / wanted)); };
    const Sampled sampled = sample(runs, limits, hooks);
    if (!sampled.complete)
        throw std::runtime_error("the runs took longer than half an hour: give a smaller --max-ranks");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::vector<double> rates;
        for (const double time : times_of(sampled.samples, runs[i].name()))
            rates.push_back(runs[i].options.workers / time);
        cases[i].measured = median_estimate(rates);
    }
    return {cases, noise_of(machine, before, probe_cores(Cores().count()), sampled.samples)};
}

Document validation_document(const Machine& machine, const Validation& validation) {
    const std::vector<ValidationCase>& cases = validation.cases;
    const Summary summary = summary_of(cases);
    Document document;
    document.json = json_of("validate");
    document.json["machine"] = machine.id;
    document.json["cases"] = nlohmann::ordered_json::array();
    Table table{"", {"ranks", "shape", "predicted GUPS", "95 % interval", "measured GUPS", "error", "held"}, {}};
    for (const ValidationCase& each : cases) {
        document.json["cases"].push_back(json_of_case(each));
        table.rows.push_back({std::to_string(each.ranks), each.shape, gups_text(each.prediction.rate),
                              interval_text(each.prediction), gups_text(Rate(each.measured.median)),
                              fmt::format("{:+.1f} %", 100 * each.relative_error()), each.held() ? "yes" : "no"});
    }
    document.json["summary"] = {{"median_error", summary.median_error},
                                {"worst_error", summary.worst_error},
                                {"coverage", summary.coverage},
                                {"median_half_width", summary.median_half_width}};
    document.notes.push_back(fmt::format("gups routed on {}, runs that the fit did not see", machine.name));
    document.tables.push_back(table);
    document.remarks.push_back(
        fmt::format("median error {:.1f} %, worst {:.1f} %; {:.0f} % of the intervals held, their median "
                    "half-width is {:.1f} %",
                    100 * summary.median_error, 100 * summary.worst_error, 100 * summary.coverage,
                    100 * summary.median_half_width));
    document.json["noise"] = validation.evidence;
    for (const std::string& line : validation.evidence) document.remarks.push_back("noise: " + line);
    document.plot = validation_plot(machine, cases);
    return document;
}

}  // namespace narrows
