#include <fmt/format.h>

#include <algorithm>

#include "cli/calibration_session.hpp"
#include "cli/commands.hpp"
#include "cli/launcher.hpp"
#include "cli/progress.hpp"
#include "cli/repertoire.hpp"
#include "cli/size_table.hpp"
#include "cli/validation_report.hpp"
#include "data/library.hpp"
#include "model/gups/workload.hpp"

namespace narrows {
namespace {

// Sizes with every bound, the prediction with its interval, and its bottleneck.
Table table_on(const Workload& workload, const Machine& machine, std::string title) {
    std::vector<SizeRow> rows;
    for (const std::int64_t nodes : {64, 512, 4096, 32768}) {
        rows.push_back({nodes, workload.answer(workload.demonstrated(nodes), machine, nodes, {})});
        rows.back().answer.columns.clear();
    }
    Table table = bottleneck_table(workload.axes.front(), rows);
    table.title = std::move(title);
    return table;
}

std::string what_if_text(const Workload& workload, const Machine& machine, const char* path, const char* change,
                         std::int64_t nodes) {
    const OptionWords words = workload.demonstrated(nodes);
    const Answer before = workload.answer(words, machine, nodes, {});
    const Answer after = workload.answer(words, with_change(machine, path, change), nodes, {});
    return fmt::format(
        "What if {} were {} on {} nodes of {}? {} {} instead of {}; {} is the bottleneck{}.", path, change, nodes,
        machine.id, after.text(after.value), after.figures.unit, before.text(before.value), after.bottleneck,
        after.bottleneck == before.bottleneck ? " as before" : fmt::format(", not {}", before.bottleneck));
}

int demo(const Repertoire& known, Output& output) {
    const auto shown =
        std::ranges::find_if(known.workloads, [](const Workload& one) { return static_cast<bool>(one.demonstrated); });
    if (shown == known.workloads.end()) throw InputError("there is no workload to demonstrate");
    const Workload& workload = *shown;
    require_no_launcher();
    require_output(output, Draws::no);
    const Kernel* const kernel = known.kernel(workload.name);
    if (kernel == nullptr || !kernel->calibrated || !kernel->validated || !kernel->validated->usual) {
        throw InputError(fmt::format("the kernel of {} is not calibrated and validated", workload.name));
    }
    CalibrationWords words;
    words.choice.kernels = {*kernel->calibrated};
    words.choice.quick = true;
    words.choice.allow_noise = true;
    words.choice.messages = false;  // nothing here asks for them
    output.remarks << "Measuring this machine: real code on its cores, less than a minute ...\n";
    const Calibration calibration = calibrate_here(words, output.progress);
    if (calibration.end != Calibration::End::done) return explain_end(calibration, words, output.err);
    const Machine& here = calibration.machine;
    const Machine on_torus = on_network(here, load_machine("bluegene-l"));
    const Machine on_tree = on_network(here, load_machine("cluster-400g"));
    output.remarks << "Running cases that the fit did not see, up to 4096 ranks ...\n";
    Progress progress(output.progress, "validate");
    const ValidationPlan plan = plan_validation(*kernel->validated, here, {workload.name, 4096, true});
    const Validation judged =
        validate_here(here, plan, {3, 20}, [&progress](double fraction) { progress.at(fraction); });
    const Document validation = validation_document(here, judged);

    Document document{json_of("demo")};
    document.json["calibration"] = {
        {"runs", calibration.runs}, {"seconds", calibration.seconds}, {"noise", calibration.evidence}};
    document.json["validation"] = validation.json;
    if (const auto failure = failure_of(judged)) {
        document.notes.push_back("The validation failed; do not trust the numbers below: " + *failure);
    }
    document.notes.push_back(
        fmt::format("This machine was measured by {}{}", calibration.runs_text(),
                    calibration.evidence.empty() ? "." : "; it is noisy, so intervals are wider:"));
    for (const std::string& line : calibration.evidence) document.notes.push_back("  " + line);
    document.tables.push_back(
        table_on(workload, on_torus,
                 fmt::format("Nodes like this one on Blue Gene/L's torus (175 MB/s a link): {}", workload.name)));
    document.tables.push_back(table_on(workload, on_tree, "The same nodes on a 400 Gbit/s fat tree"));
    Table validated = validation.tables.front();
    validated.title = "Predicted and measured here, runs that the fit did not see";
    document.tables.push_back(validated);
    document.remarks = validation.remarks;
    document.remarks.push_back(what_if_text(workload, on_torus, "network.link.bandwidth", "10x", 4096));
    document.remarks.push_back(
        fmt::format("Keep a machine file with: narrows calibrate -o here.yaml; then ask: narrows table {} -m here.yaml "
                    "--network bluegene-l",
                    workload.name));
    return emit(document, output);
}

}  // namespace

Command demo_command() {
    return {"demo",
            "measure, predict, ask what if, validate: on this machine, in under two minutes",
            {"demo"},
            [](CLI::App&, const Arguments& arguments) {
                return [&known = arguments.known](Output& output) { return demo(known, output); };
            },
            true};
}

}  // namespace narrows
