#include <fmt/format.h>

#include "cli/calibration_session.hpp"
#include "cli/commands.hpp"
#include "cli/launcher.hpp"
#include "cli/prediction_report.hpp"
#include "cli/validation_session.hpp"
#include "data/library.hpp"
#include "model/gups/workload.hpp"
#include "model/uncertainty.hpp"

namespace narrows {
namespace {

constexpr double node_table =
    256.0 * 1024 * 1024;  // bytes: far beyond the caches, within what a quick calibration measures

GupsQuery routed_on(std::int64_t nodes) {
    GupsQuery query;
    query.variant = GupsCode::routed;
    query.nodes = nodes;
    query.table = bytes(node_table) * static_cast<double>(nodes);
    return query;
}

Prediction predicted_on(const Machine& machine, std::int64_t nodes) {
    const GupsQuery query = routed_on(nodes);
    return with_interval(machine, PredictionOf([&query](const Machine& m) { return predict_gups(m, query); }));
}

TableCell interval_cell(const Prediction& prediction) {
    if (!prediction.low || !prediction.high) return "-";
    constexpr double giga = 1e-9;
    return {gups_text(*prediction.low) + " to " + gups_text(*prediction.high),
            {prediction.low->si() * giga, prediction.high->si() * giga}};
}

// Sizes with every bound that the network sets, the prediction with its interval, and its bottleneck.
Table table_on(const Machine& machine, std::string title) {
    Table table{std::move(title), {"N"}, {}};
    for (const std::int64_t nodes : {64, 512, 4096, 32768}) {
        const Prediction prediction = predicted_on(machine, nodes);
        std::vector<TableCell> row = {count_cell(nodes)};
        for (const Bound& bound : prediction.bounds) {
            const std::string resource(bound.resource);
            if (table.rows.empty()) table.header.emplace_back(resource, std::vector{resource + " GUPS"});
            row.push_back(gups_cell(bound.limit));
        }
        row.push_back(gups_cell(prediction.rate));
        row.push_back(interval_cell(prediction));
        row.emplace_back(std::string(prediction.bottleneck));
        table.rows.push_back(row);
    }
    table.header.insert(table.header.end(),
                        {{"GUPS", {"predicted GUPS"}}, {"95 % interval", {"low GUPS", "high GUPS"}}, "bottleneck"});
    return table;
}

std::string what_if_text(const Machine& machine, const char* path, const char* change, std::int64_t nodes) {
    const Prediction before = predict_gups(machine, routed_on(nodes));
    const Prediction after = predict_gups(with_change(machine, path, change), routed_on(nodes));
    return fmt::format(
        "What if {} were {} on {} nodes of {}? {} GUPS instead of {}; {} is the bottleneck{}.", path, change, nodes,
        machine.id, gups_text(after.rate), gups_text(before.rate), after.bottleneck,
        after.bottleneck == before.bottleneck ? " as before" : fmt::format(", not {}", before.bottleneck));
}

int demo(Output& output) {
    require_no_launcher();
    CalibrationWords words;
    words.quick = true;
    words.allow_noise = true;
    words.messages = words.sweep3d = false;  // nothing here asks for them
    output.err << "Measuring this machine: real RandomAccess code on its cores, up to 40 s ...\n";
    const Calibration calibration = calibrate_here(words, output.progress);
    if (calibration.end != Calibration::End::done) return explain_end(calibration, output.err);
    const Machine& here = calibration.machine;
    const Machine on_torus = on_network(here, load_machine("bluegene-l"));
    const Machine on_tree = on_network(here, load_machine("cluster-400g"));
    output.err << "Running cases that the fit did not see, up to 4096 ranks ...\n";
    const ValidationPlan plan = plan_validation(here, {"gups", 4096, true});
    const Validation judged = validate_here(here, plan, {3, 20}, output.progress);
    const Document validation = validation_document(here, judged);

    Document document;
    document.json = json_of("demo");
    document.json["calibration"] = {
        {"runs", calibration.runs}, {"seconds", calibration.seconds}, {"noise", calibration.evidence}};
    document.json["validation"] = validation.json;
    if (const auto failure = failure_of(judged)) {
        document.notes.push_back("The validation failed; do not trust the numbers below: " + *failure);
    }
    document.notes.push_back(
        fmt::format("This machine was measured by {} runs in {:.0f} s{}", calibration.runs, calibration.seconds,
                    calibration.evidence.empty() ? "." : "; it is noisy, so intervals are wider:"));
    for (const std::string& line : calibration.evidence) document.notes.push_back("  " + line);
    document.tables.push_back(
        table_on(on_torus, "Nodes like this one on Blue Gene/L's torus (175 MB/s a link): RandomAccess in GUPS"));
    document.tables.push_back(table_on(on_tree, "The same nodes on a 400 Gbit/s fat tree"));
    Table validated = validation.tables.front();
    validated.title = "Predicted and measured here, runs that the fit did not see";
    document.tables.push_back(validated);
    document.remarks = validation.remarks;
    document.remarks.push_back(what_if_text(on_torus, "network.link.bandwidth", "10x", 4096));
    document.remarks.push_back(
        "Keep a machine file with: narrows calibrate -o here.yaml; then ask: narrows table gups -m here.yaml "
        "--variant routed --network bluegene-l");
    emit(document, output);
    return 0;
}

}  // namespace

Command demo_command() {
    return {"demo",
            "measure, predict, ask what if, validate: on this machine, in under two minutes",
            {"demo"},
            [](CLI::App&, const Arguments&) { return demo; },
            true};
}

}  // namespace narrows
