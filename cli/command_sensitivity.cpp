#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/parameter_cells.hpp"
#include "cli/prediction_report.hpp"
#include "cli/workload.hpp"

namespace narrows {
namespace {

int print_sensitivities(const Workload& workload, const WorkloadWords& words, Output& output) {
    const Machine machine = chosen_machine(words);
    const std::int64_t nodes = chosen_nodes(words, machine);
    const Answer found = workload.answer(words, machine, nodes);
    Document document;
    document.json = json_of("sensitivity");
    document.json.update(found.json);
    document.json["elasticities"] = nlohmann::ordered_json::array();
    document.notes.push_back(fmt::format("{} on {}, {}: change of the {} for a change of a parameter by 1 %",
                                         found.subject, machine.id, found.size, found.figures.quantity));
    Table table{"", {"parameter", value_column(), "elasticity"}, {}};
    for (const Sensitivity& sensitivity : sensitivities(machine, workload.number(words, machine, nodes))) {
        document.json["elasticities"].push_back({{"path", sensitivity.path}, {"elasticity", sensitivity.elasticity}});
        const TableCell elasticity(fmt::format("{:+.3f}", sensitivity.elasticity), {sensitivity.elasticity});
        table.rows.push_back({sensitivity.path, value_cell(*find(machine, sensitivity.path)), elasticity});
    }
    document.tables.push_back(table);
    add_machine_remarks(document, machine);
    emit(document, output);
    return 0;
}

}  // namespace

Command sensitivity_command() {
    return {"sensitivity",
            "how much the prediction changes with each parameter, largest first",
            {},
            [](CLI::App& app, const Arguments& arguments) {
                const auto asked = std::make_shared<AskedWorkload>(app, arguments);
                return
                    [asked](Output& output) { return print_sensitivities(asked->workload(), asked->words(), output); };
            }};
}

}  // namespace narrows
