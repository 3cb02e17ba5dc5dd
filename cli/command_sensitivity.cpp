
#include "cli/commands.hpp"
#include "cli/prediction_report.hpp"
#include "cli/progress.hpp"
#include "cli/sensitivity_report.hpp"
#include "cli/workload.hpp"

namespace narrows {
namespace {

int print_sensitivities(const Workload& workload, const OptionWords& words, Output& output) {
    const Machine machine = chosen_machine(words);
    const std::int64_t nodes = chosen_nodes(words, machine);
    Progress progress(output.progress, "sensitivity");
    const ReportProgress told = [&progress](double fraction) { progress.at(fraction); };
    const Answer found = workload.answer(words, machine, nodes, part_of(told, 0, 0.5));
    require_alone(found);
    Document document{json_of("sensitivity")};
    document.json.update(found.json);
    document.notes.push_back(sensitivity_title(found));
    add_sensitivities(document, machine, nodes, found, value_of(workload.outcome(words, machine, nodes)),
                      part_of(told, 0.5, 1));
    add_doubts(document, {{"", &found}});
    add_machine_remarks(document, machine);
    return emit(document, output);
}

}  // namespace

Command sensitivity_command() {
    return {"sensitivity",
            "what to buy, and what to measure better: how the prediction and its interval change with each parameter",
            {"sensitivity stencil -m cluster-400g -n 64"},
            [](CLI::App& app, const Arguments& arguments) {
                const auto asked = std::make_shared<AskedWorkload>(app, arguments);
                return
                    [asked](Output& output) { return print_sensitivities(asked->workload(), asked->words(), output); };
            }};
}

}  // namespace narrows
