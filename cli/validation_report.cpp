#include "cli/validation_report.hpp"

#include <fmt/format.h>

#include "cli/prediction_report.hpp"

namespace narrows {
namespace {

nlohmann::ordered_json summary_json(const ValidationSummary& summary) {
    return {{"median_error", summary.median_error},
            {"worst_error", summary.worst_error},
            {"coverage", summary.coverage},
            {"median_half_width", summary.median_half_width}};
}

std::string words_of(const ValidationSummary& summary) {
    return fmt::format(
        "median error {:.1f} %, worst {:.1f} %; {:.0f} % of the intervals held, their median half-width is {:.1f} %",
        100 * summary.median_error, 100 * summary.worst_error, 100 * summary.coverage, 100 * summary.median_half_width);
}

nlohmann::ordered_json figure_json(const PredictedFigure& predicted) {
    return {{"value", predicted.value}, {"low", json_or_null(predicted.low)}, {"high", json_or_null(predicted.high)}};
}

nlohmann::ordered_json json_of_case(const Validation& validation, const ValidationCase& each) {
    nlohmann::ordered_json json = {{"workload", each.workload.empty() ? validation.workload : each.workload}};
    if (!each.variant.empty()) json["variant"] = each.variant;
    json["ranks"] = each.ranks;
    json["shape"] = each.shape;
    if (!each.setting.empty()) json["setting"] = each.setting;
    json["predicted"] = figure_json(each.predicted);
    json["measured"] = {{"value", each.measured.value},
                        {"low", each.measured.low},
                        {"high", each.measured.high},
                        {"runs", each.measured.samples}};
    json["relative_error"] = each.error_of(each.predicted);
    json["held"] = each.predicted.holds(each.measured.value);
    json["fitted"] = false;
    if (each.core_distance > 0) {
        json["core_distance"] = each.core_distance;
        json["in_state"] = figure_json(each.in_state);
    }
    return json;
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
    const Figures figures{validation.figures};
    Plot plot{validation.title + " on " + machine.name + ", runs that no fit saw",
              fmt::format("measured {}, {}", figures.quantity, figures.unit), "predicted " + figures.quantity,
              figures.unit};
    plot.x_is_size = false;
    Series line{"as measured"}, held{"predicted, and its interval", Look::points};
    Series missed{"measured outside the interval", Look::rings};
    for (const ValidationCase& each : validation.cases) {
        const auto& [value, low, high] = each.predicted;
        const double scale = figures.scale;
        Series& cases = each.predicted.holds(each.measured.value) ? held : missed;
        cases.add(each.measured.value * scale, value * scale, low.value_or(value) * scale,
                  high.value_or(value) * scale);
        line.x.push_back(each.measured.value * scale);
    }
    std::ranges::sort(line.x);
    line.y = line.x;
    plot.series = {line, held, missed};
    return plot;
}

}  // namespace

Document validation_document(const Machine& machine, const Validation& validation) {
    const std::vector<ValidationCase>& cases = validation.cases;
    const Figures figures{validation.figures};
    const ValidationSummary summary = summary_of(cases, &ValidationCase::predicted);
    const ValidationSummary summary_in_state = summary_of(cases, &ValidationCase::in_state);
    const bool state_known = !cases.empty() && cases.front().core_distance > 0;
    Document document{json_of("validate")};
    document.json["machine"] = machine.id;
    document.json["seed"] = validation.seed ? nlohmann::ordered_json(*validation.seed) : nlohmann::ordered_json();
    document.json["cases"] = nlohmann::ordered_json::array();
    Table table{"",
                {"ranks",
                 "case",
                 "predicted " + figures.unit,
                 figures.interval_column(),
                 {"measured " + figures.unit,
                  {"measured " + figures.unit, "measured low " + figures.unit, "measured high " + figures.unit}},
                 {"error", {"relative error"}},
                 "held"},
                {}};
    for (const ValidationCase& each : cases) {
        document.json["cases"].push_back(json_of_case(validation, each));
        table.rows.push_back(row_of_case(figures, each));
    }
    document.json["summary"] = summary_json(summary);
    if (state_known) document.json["summary_in_state"] = summary_json(summary_in_state);
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
