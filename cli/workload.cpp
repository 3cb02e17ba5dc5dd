#include "cli/workload.hpp"

#include <fmt/format.h>

#include "cli/chosen_network.hpp"
#include "cli/command.hpp"
#include "cli/repertoire.hpp"
#include "data/library.hpp"
#include "data/workload_file.hpp"

namespace narrows {
namespace {

// The workload of this name, one of a file included.
std::optional<Workload> workload_named(const Repertoire& known, const std::string& name) {
    if (const Workload* const one = known.workload(name)) return *one;
    if (is_workload_file(name)) return file_workload(name);
    return std::nullopt;
}

}  // namespace

std::string Figures::text(double si) const {
    const double shown = si * scale;
    constexpr double largest_in_full = 1e15;
    return shown < 9999.5 || shown >= largest_in_full ? fmt::format("{:.4g}", shown) : fmt::format("{:.0f}", shown);
}

TableCell Figures::cell(double si) const {
    return {text(si), {si * scale}};
}

bool is_negligible(double part, double whole) {
    constexpr double shown_as_zero = 0.0005;
    return part < shown_as_zero * whole;
}

std::string Answer::interval() const {
    return low && high ? fmt::format("{} to {}", text(*low), text(*high)) : "";
}

TableCell Answer::interval_cell() const {
    if (!low || !high) return "-";
    return {interval(), {*low * figures.scale, *high * figures.scale}};
}

std::string counted(std::int64_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

AskedWorkload::AskedWorkload(CLI::App& app, const Arguments& arguments)
    : workload_(workload_named(
          arguments.known,
          named_in(arguments, [&](const std::string& word) { return arguments.known.workload(word) != nullptr; }))),
      known_(arguments.known) {
    std::string names;
    for (const Workload& one : known_.workloads) names += one.name + ", ";
    app.add_option("WORKLOAD", words_.workload,
                   names +
                       "or a workload file, shipped (narrows machines lists them) or your own, such as ./my.yaml. "
                       "Its options: narrows " +
                       app.get_name() + " WORKLOAD --help")
        ->required();
    words_.add_options(app, {{"-m,--machine", machine_help}});
    app.get_option("--machine")->required();
    app.add_option("--set", words_.changes, "change a parameter: PATH=2x, PATH=-20%, PATH='2.8 Gbit/s'")
        ->option_text("PATH=VALUE ...");
    if (workload_) {
        words_.add_options(app, workload_->options);
    } else {
        app.allow_extras();  // that there is no such workload is what is wrong
    }
}

const Workload& AskedWorkload::workload() const {
    if (workload_) return *workload_;
    std::vector<std::string> names;
    for (const Workload& one : known_.workloads) names.push_back(one.name);
    for (const std::string& file : workload_file_names()) names.push_back(file);
    throw InputError(fmt::format("there is no workload '{}'{} (there are: {}; any file's name ends in '.yaml')",
                                 words_.workload, did_you_mean(words_.workload, names), fmt::join(names, ", ")));
}

Machine chosen_machine(const WorkloadWords& words, bool changed) {
    Machine machine = load_machine(words["--machine"]);
    if (words.has("--network") || words.has("--hosts"))
        machine = with_network(machine, words["--network"], words["--hosts"]);
    return changed ? with_changes(std::move(machine), words.changes) : machine;
}

}  // namespace narrows
