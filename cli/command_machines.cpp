#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/program_words.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "data/workload_file.hpp"
#include "model/gups/workload.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::string variants_of(const Machine& machine) {
    std::string text;
    for (const GupsCode variant : gups_variants(machine)) {
        text += (text.empty() ? "" : ", ") + std::string(name_of(variant));
    }
    return text;
}

// The workload files that are shipped, each with its options.
void add_workload_files(Document& document) {
    Table table{"workload files, for predict, table, what-if, sensitivity, solve, run and validate",
                {"workload", "name", "options"},
                {}};
    document.json["workloads"] = nlohmann::ordered_json::array();
    for (const std::string& id : workload_file_names()) {
        const Program program = load_program(id);
        std::vector<std::string> options;
        for (const auto& [name, help] : own_options(program)) options.push_back(name);
        document.json["workloads"].push_back(
            {{"id", id}, {"name", program.name}, {"source", program.source}, {"options", options}});
        table.rows.push_back({id, program.name, fmt::format("{}", fmt::join(options, ", "))});
    }
    document.tables.push_back(std::move(table));
}

// The machines of a table and of JSON, one by one.
class MachineList {
  public:
    void add(const Machine& machine, const std::string& kept_in, const std::string& file) {
        const Parameter* network = find(machine, "network.topology");
        const std::string topology = network != nullptr ? network->text : "";
        json_.push_back({{"id", machine.id},
                         {"name", machine.name},
                         {"source", machine.source},
                         {"topology", topology},
                         {"file", file.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(file)}});
        table_.rows.push_back({machine.id, machine.name, machine.source, topology, variants_of(machine), kept_in});
    }
    Document document() const {
        Document document;
        document.json = json_of("machines");
        document.json["machines"] = json_;
        document.tables.push_back(table_);
        add_workload_files(document);
        return document;
    }

  private:
    nlohmann::ordered_json json_ = nlohmann::ordered_json::array();
    Table table_{"", {"machine", "name", "source", "network", "gups variants", "kept in"}, {}};
};

// The current folder may hold YAML of any kind, which is passed over; a file among the user's machines is meant as one.
void add_own(MachineList& list, std::ostream& err) {
    for (const std::filesystem::path& file : own_machine_files()) {
        try {
            list.add(read_machine(file), file.parent_path().string(), file.string());
        } catch (const InputError& error) {
            if (file.parent_path() != user_machines()) continue;
            err << fmt::format("narrows: warning: {}:{}:{}: {}: it is not listed\n", file.string(), error.line(),
                               error.column(), error.what());
        }
    }
}

int print_machines(Output& output) {
    MachineList list;
    for (const std::string& id : machine_ids()) list.add(load_machine(id), "shipped", "");
    add_own(list, output.err);
    emit(list.document(), output);
    return 0;
}

}  // namespace

Command machines_command() {
    return {"machines", "the machines that are shipped, and your own", {"machines"}, [](CLI::App&, const Arguments&) {
                return print_machines;
            }};
}

}  // namespace narrows
