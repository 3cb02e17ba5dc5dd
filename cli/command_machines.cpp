#include <fmt/format.h>

#include "cli/commands.hpp"
#include "data/library.hpp"
#include "model/gups/workload.hpp"

namespace narrows {
namespace {

std::string variants_of(const Machine& machine) {
    std::string text;
    for (const GupsCode variant : gups_variants(machine)) {
        text += (text.empty() ? "" : ", ") + std::string(name_of(variant));
    }
    return text;
}

int print_machines(Output& output) {
    Document document;
    document.json = json_of("machines");
    document.json["machines"] = nlohmann::ordered_json::array();
    Table table{"", {"machine", "name", "source", "network", "gups variants"}, {}};
    for (const std::string& id : machine_ids()) {
        const Machine machine = load_machine(id);
        const Parameter* network = find(machine, "network.topology");
        const std::string topology = network != nullptr ? network->text : "";
        document.json["machines"].push_back(
            {{"id", id}, {"name", machine.name}, {"source", machine.source}, {"topology", topology}});
        table.rows.push_back({id, machine.name, machine.source, topology, variants_of(machine)});
    }
    document.tables.push_back(table);
    emit(document, output);
    return 0;
}

}  // namespace

Command machines_command() {
    return {"machines", "the machines that are shipped", {"machines"}, [](CLI::App&) { return print_machines; }};
}

}  // namespace narrows
