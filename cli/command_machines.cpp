#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <filesystem>
#include <functional>
#include <thread>

#include "cli/commands.hpp"
#include "cli/repertoire.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "data/workload_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

/// A file that is listed, with what was found in it.
template <class Content>
struct ListedFile {
    std::string name;
    std::filesystem::path path;
    std::string text = {};
    Content content = {};
};

// Calls `work` of 0, 1, ... on all processors; what it throws first in that order comes out.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::vector<std::exception_ptr> failures(count);
    std::atomic<std::size_t> next = 0;
    const auto work_on = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                work(i);
            } catch (...) {
                failures[i] = std::current_exception();
            }
        }
    };
    {
        std::vector<std::jthread> others;
        for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) others.emplace_back(work_on);
        work_on();
    }
    for (const std::exception_ptr& failure : failures) {
        if (failure) std::rethrow_exception(failure);
    }
}

/// What is shipped. Files are read by this thread, whose record has them then, and parsed by all.
struct Shipped {
    std::vector<ListedFile<Machine>> machines;
    std::vector<ListedFile<Program>> programs;
};

Shipped read_shipped() {
    Shipped shipped;
    for (const std::string& id : machine_ids()) shipped.machines.push_back({id, *find_machine(id)});
    for (const std::string& id : workload_file_names()) shipped.programs.push_back({id, workload_path(id)});
    for (auto& [name, path, text, machine] : shipped.machines) text = read_whole_file(path);
    for (auto& [name, path, text, program] : shipped.programs) text = read_whole_file(path);
    in_parallel(shipped.machines.size() + shipped.programs.size(), [&shipped](std::size_t i) {
        if (i < shipped.machines.size()) {
            auto& [name, path, text, machine] = shipped.machines[i];
            machine = parse_machine(text, path.string(), name);
        } else {
            auto& [name, path, text, program] = shipped.programs[i - shipped.machines.size()];
            program = parse_program(text, path.string());
        }
    });
    return shipped;
}

// The workload files, each with its options.
void add_workload_files(Document& document, const std::vector<ListedFile<Program>>& programs) {
    Table table{"workload files", {"workload", "name", "options"}, {}};
    document.json["workloads"] = nlohmann::ordered_json::array();
    for (const auto& [id, path, text, program] : programs) {
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
        Document document;
        document.json = json_of("machines");
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
    const Shipped shipped = read_shipped();
    for (const auto& listed : shipped.machines) list.add(listed.content, "shipped", "");
    add_own(list, output.remarks);
    Document document = list.document();
    add_workload_files(document, shipped.programs);
    emit(document, output);
    return 0;
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
