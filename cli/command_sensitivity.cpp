#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/prediction_report.hpp"
#include "model/uncertainty.hpp"

namespace narrows {
namespace {

int print_sensitivities(const GupsWords& words, Output& output) {
    const Machine machine = chosen_machine(words);
    const GupsQuery query = chosen_query(words, machine, chosen_nodes(words, machine));
    const auto found = sensitivities(machine, [&query](const Machine& m) { return predict_gups(m, query); });
    Document document;
    document.json = json_of("sensitivity");
    document.json.update(json_of(answer(machine, query)));
    document.json["elasticities"] = nlohmann::ordered_json::array();
    document.notes.push_back(
        fmt::format("gups {} on {}, {} nodes: change of the rate for a change of a parameter by 1 %",
                    name_of(query.variant), machine.id, query.nodes));
    Table table{"", {"parameter", "value", "elasticity"}, {}};
    for (const Sensitivity& sensitivity : found) {
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
            {"sensitivity gups -m bluegene-l -n 16384 --variant routed"},
            [](CLI::App& app) {
                const auto words = std::make_shared<GupsWords>();
                add_gups_options(app, words);
                return [words](Output& output) { return print_sensitivities(*words, output); };
            }};
}

}  // namespace narrows
