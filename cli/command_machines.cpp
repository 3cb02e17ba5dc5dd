#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/repertoire.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "data/workload_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// The workload files, each with its options.
void add_workload_files(Document& document, const std::vector<std::pair<std::string, Program>>& programs) {
    Table table{"workload files", {"workload", "name", "options"}, {}};
    document.json["workloads"] = nlohmann::ordered_json::array();
    for (const auto& [id, program] : programs) {
        std::vector<std::string> options;
        for (const ProgramOption& option : program.options) options.push_back(option.name);
        document.json["workloads"].push_back(
            {{"id", id}, {"name", program.name}, {"source", program.source}, {"options", options}});
        table.rows.push_back({id, program.name, fmt::format("{}", fmt::join(options, ", "))});
    }
    document.tables.push_back(std::move(table));
}

// The machines of a table and of JSON, one by one.
class MachineList {
  public:
    explicit MachineList(const Repertoire& known) {
        for (const Workload& one : known.workloads) {
            if (one.variants) with_variants_.push_back(&one);
        }
        for (const Workload* one : with_variants_) table_.header.emplace_back(one->name + " variants");
        table_.header.emplace_back("kept in");
    }
    void add(const Machine& machine, const std::string& kept_in, const std::string& file) {
        const Parameter* network = find(machine, "network.topology");
        const std::string topology = network != nullptr ? network->text : "";
        json_.push_back({{"id", machine.id},
                         {"name", machine.name},
                         {"source", machine.source},
                         {"topology", topology},
                         {"file", file.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(file)}});
        std::vector<TableCell> row = {machine.id, machine.name, machine.source, topology};
        for (const Workload* one : with_variants_) {
            row.emplace_back(fmt::format("{}", fmt::join(one->variants(machine), ", ")));
        }
        row.emplace_back(kept_in);
        table_.rows.push_back(std::move(row));
    }
    Document document() const {
        Document document{json_of("machines")};
        document.json["machines"] = json_;
        document.tables.push_back(table_);
        return document;
    }

  private:
    nlohmann::ordered_json json_ = nlohmann::ordered_json::array();
    Table table_{"", {"machine", "name", "source", "network"}, {}};
    std::vector<const Workload*> with_variants_;
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

int print_machines(const Repertoire& known, Output& output) {
    MachineList list(known);
    for (const std::string& id : machine_ids()) list.add(read_machine(*find_machine(id)), "shipped", "");
    std::vector<std::pair<std::string, Program>> programs;
    for (const std::string& id : workload_file_names()) programs.emplace_back(id, load_program(id));
    add_own(list, output.remarks);
    Document document = list.document();
    add_workload_files(document, programs);
    return emit(document, output);
}

}  // namespace

Command machines_command() {
    return {"machines",
            "the machines that are shipped, and your own",
            {"machines"},
            [](CLI::App&, const Arguments& arguments) {
                return [&known = arguments.known](Output& output) { return print_machines(known, output); };
            }};
}

}  // namespace narrows
