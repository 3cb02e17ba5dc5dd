#include "cli/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/chosen_network.hpp"
#include "data/library.hpp"

namespace narrows {
namespace {

// An option that the workload does not have is an error rather than without effect.
void check_options(const CLI::App& app, const Workload& workload) {
    static const std::vector<std::string> of_all = {"--help",    "--format", "--output",
                                                    "--machine", "--set",    "--explain"};
    for (const CLI::Option* option : app.get_options()) {
        const std::string name = option->get_lnames().empty() ? "" : "--" + option->get_lnames().front();
        const auto among = [&name](const std::vector<std::string>& names) {
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        if (option->count() == 0 || name.empty() || among(of_all) || among(workload.options)) continue;
        throw InputError(
            fmt::format("{} has no option {} (it has: {})", workload.name, name, fmt::join(workload.options, ", ")));
    }
}

}  // namespace

std::string Figures::text(double si) const {
    const double shown = si * scale;
    return shown < 9999.5 ? fmt::format("{:.4g}", shown) : fmt::format("{:.0f}", shown);
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

const std::vector<Workload>& workloads() {
    static const std::vector<Workload> all = {gups_workload(),      ping_pong_workload(),  halo_exchange_workload(),
                                              allreduce_workload(), all_to_all_workload(), sweep3d_workload()};
    return all;
}

const Workload& chosen_workload(const WorkloadWords& words, const CLI::App& app) {
    std::vector<std::string> names;
    for (const Workload& workload : workloads()) {
        names.push_back(workload.name);
        if (workload.name != words.workload) continue;
        check_options(app, workload);
        return workload;
    }
    throw InputError(fmt::format("there is no workload '{}'{} (there are: {})", words.workload,
                                 did_you_mean(words.workload, names), fmt::join(names, ", ")));
}

Machine chosen_machine(const WorkloadWords& words, bool changed) {
    Machine machine = load_machine(words.machine);
    if (!words.network.empty() || !words.hosts.empty()) machine = with_network(machine, words.network, words.hosts);
    return changed ? with_changes(std::move(machine), words.changes) : machine;
}

}  // namespace narrows
