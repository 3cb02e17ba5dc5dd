#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/workload.hpp"

namespace narrows {
namespace {

// After over before; a time that was nothing and still is has not changed, and one that was nothing has no ratio.
std::optional<double> ratio(double before, double after) {
    if (before == 0) return after == 0 ? std::optional<double>(1) : std::nullopt;
    return after / before;
}

std::string ratio_text(double before, double after) {
    const auto found = ratio(before, after);
    return found ? fmt::format("{:.4g}", *found) : "-";
}

std::optional<double> value_of(const Answer& answer, const std::string& name) {
    for (const Part& part : answer.parts) {
        if (part.name == name) return part.value;
    }
    return answer.figures.bounded ? std::nullopt : std::optional<double>(0);  // a term that is left out takes no time
}

std::vector<std::string> part_names(const Answer& before, const Answer& after) {
    std::vector<std::string> names;
    for (const Answer* answer : {&before, &after}) {
        for (const Part& part : answer->parts) {
            if (std::find(names.begin(), names.end(), part.name) == names.end()) names.push_back(part.name);
        }
    }
    return names;
}

Table comparison(const Answer& before, const Answer& after) {
    Table table{"", {"", "before", "after", "ratio"}, {}};
    const auto row = [&](const std::string& name, double a, double b) {
        table.rows.push_back({name, before.text(a), after.text(b), ratio_text(a, b)});
    };
    row("predicted", before.value, after.value);
    for (const std::string& name : part_names(before, after)) {
        const auto was = value_of(before, name);
        const auto is = value_of(after, name);
        if (was && is) row(name + (before.figures.bounded ? " bound" : ""), *was, *is);
    }
    return table;
}

// How the result and what holds it back have moved.
std::string verdict(const Answer& before, const Answer& after) {
    const bool rate = before.figures.bounded;
    const std::string result =
        fmt::format("{} times {}", ratio_text(before.value, after.value), rate ? "as fast" : "the time");
    const char* the = rate ? "the " : "";
    const char* role = rate ? "the bottleneck" : "the largest term";
    if (before.bottleneck == after.bottleneck) {
        return fmt::format("{}; {}{} remains {}", result, the, before.bottleneck, role);
    }
    return fmt::format("{}; {} moves from {}{} to {}{}", result, role, the, before.bottleneck, the, after.bottleneck);
}

int what_if(const Workload& workload, const WorkloadWords& words, Output& output) {
    if (words.changes.empty())
        throw InputError("what-if needs a change: --set PATH=VALUE, such as --set node.clock=2x");
    const Machine machine = chosen_machine(workload, words, false);
    const Machine changed = chosen_machine(workload, words, true);
    const std::int64_t nodes = chosen_nodes(words, machine);
    const Answer before = workload.answer(words, machine, nodes);
    const Answer after = workload.answer(words, changed, nodes);
    const auto times = ratio(before.value, after.value);
    Document document;
    document.json = json_of("what-if");
    document.json["changes"] = words.changes;
    document.json["before"] = before.json;
    document.json["after"] = after.json;
    document.json["ratio"] = times ? nlohmann::ordered_json(*times) : nlohmann::ordered_json(nullptr);
    document.notes.push_back(
        fmt::format("{} on {}, {}, in {}", before.subject, machine.id, before.size, before.figures.unit));
    document.tables.push_back(comparison(before, after));
    document.remarks.push_back(verdict(before, after));
    emit(document, output);
    return 0;
}

}  // namespace

Command what_if_command() {
    return {"what-if",
            "change parameters and see how the prediction and its bottleneck move",
            {"what-if gups -m bluegene-l -n 65536 --set node.clock=2x",
             "what-if gups -m bluegene-l -n 65536 --messaging raw --set network.topology='torus 32x64x32' --set "
             "network.link.bandwidth='2.8 Gbit/s'",
             "what-if halo-exchange -m bluegene-p -n 512 --protocol mpi-eager --bytes 1MiB --set "
             "paths.copy.receiver.bandwidth=2x"},
            [](CLI::App& app) {
                const auto words = std::make_shared<WorkloadWords>();
                add_workload_options(app, words);
                return [words, &app](Output& output) { return what_if(chosen_workload(*words, app), *words, output); };
            }};
}

}  // namespace narrows
