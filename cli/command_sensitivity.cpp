#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/workload.hpp"

namespace narrows {
namespace {

int print_sensitivities(const Workload& workload, const WorkloadWords& words, Output& output) {
    const Machine machine = chosen_machine(workload, words);
    const std::int64_t nodes = chosen_nodes(words, machine);
    const Answer found = workload.answer(words, machine, nodes);
    Document document;
    document.json = json_of("sensitivity");
    document.json.update(found.json);
    document.json["elasticities"] = nlohmann::ordered_json::array();
    document.notes.push_back(fmt::format("{} on {}, {}: change of the {} for a change of a parameter by 1 %",
                                         found.subject, machine.id, found.size, found.figures.quantity));
    Table table{"", {"parameter", "value", "elasticity"}, {}};
    for (const Sensitivity& sensitivity : sensitivities(machine, workload.number(words, machine, nodes))) {
        document.json["elasticities"].push_back({{"path", sensitivity.path}, {"elasticity", sensitivity.elasticity}});
        table.rows.push_back({sensitivity.path, print(find(machine, sensitivity.path)->measure),
                              fmt::format("{:+.3f}", sensitivity.elasticity)});
    }
    document.tables.push_back(table);
    emit(document, output);
    return 0;
}

}  // namespace

Command sensitivity_command() {
    return {"sensitivity",
            "how much the prediction follows each parameter, largest first",
            {"sensitivity gups -m bluegene-l -n 16384 --variant routed",
             "sensitivity allreduce -m xt3-pgas-nic -n 32 --bytes 1KiB"},
            [](CLI::App& app) {
                const auto words = std::make_shared<WorkloadWords>();
                add_workload_options(app, words);
                return [words, &app](Output& output) {
                    return print_sensitivities(chosen_workload(*words, app), *words, output);
                };
            }};
}

}  // namespace narrows
