#include <fmt/format.h>

#include <filesystem>
#include <future>

#include "cli/commands.hpp"
#include "cli/repertoire.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
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

// A machine in the table and in JSON.
void add_machine(Document& document, const Repertoire& known, const Machine& machine, const std::string& kept_in,
                 const std::string& file) {
    const Parameter* network = find(machine, "network.topology");
    const std::string topology = network != nullptr ? network->text : "";
    document.json["machines"].push_back(
        {{"id", machine.id},
         {"name", machine.name},
         {"source", machine.source},
         {"topology", topology},
         {"file", file.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(file)}});
    std::vector<TableCell> row = {machine.id, machine.name, machine.source, topology};
    for (const Workload& one : known.workloads) {
        if (one.variants) row.emplace_back(fmt::format("{}", fmt::join(one.variants(machine), ", ")));
    }
    row.emplace_back(kept_in);
    document.tables.front().rows.push_back(std::move(row));
}

void add_own(Document& document, const Repertoire& known, std::ostream& err) {
    for (const std::filesystem::path& file : own_machine_files()) {
        try {
            add_machine(document, known, read_machine(file), file.parent_path().string(), file.string());
        } catch (const InputError& error) {
            err << fmt::format("narrows: warning: {}:{}:{}: {}: it is not listed\n", file.string(), error.line(),
                               error.column(), error.what());
        }
    }
}

// Their YAML is most of the command's time: all cores parse it. The files are opened by this thread, whose inputs are
// the command's.
std::vector<std::future<Machine>> read_shipped() {
    std::vector<std::future<Machine>> machines;
    for (const std::string& id : machine_ids()) {
        const std::string file = find_machine(id)->string();
        machines.push_back(std::async(
            std::launch::async, [id, file](const std::string& text) { return parse_machine(text, file, id); },
            read_whole_file(file)));
    }
    return machines;
}

int print_machines(const Repertoire& known, Output& output) {
    Document document{json_of("machines")};
    document.json["machines"] = nlohmann::ordered_json::array();
    Table table{"", {"machine", "name", "source", "network"}, {}};
    for (const Workload& one : known.workloads) {
        if (one.variants) table.header.emplace_back(one.name + " variants");
    }
    table.header.emplace_back("kept in");
    document.tables.push_back(std::move(table));
    std::vector<std::future<Machine>> shipped = read_shipped();
    std::vector<std::pair<std::string, Program>> programs;
    for (const std::string& id : workload_file_names()) programs.emplace_back(id, load_program(id));
    for (std::future<Machine>& machine : shipped) add_machine(document, known, machine.get(), "shipped", "");
    add_own(document, known, output.remarks);
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
