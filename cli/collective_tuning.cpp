#include "cli/collective_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/contest.hpp"
#include "model/messages/collective_rounds.hpp"

namespace narrows {
namespace {

// Each algorithm of the collective, with the sizes at which it is the fastest.
std::vector<Reign> fastest_by_size(const Workload& workload, const WorkloadWords& words, const Machine& machine) {
    std::vector<Contender> contenders;
    for (const CollectiveAlgorithm& one : collective_algorithms()) {
        if (one.collective != workload.name) continue;
        contenders.push_back({std::string(one.name), words, machine});
        contenders.back().words["--algorithm"] = one.name;
    }
    Variable bytes(workload, words, machine, "bytes");
    const Range range = parse_range(bytes, "1..64MiB", "--bytes");
    return Contest(workload, std::move(contenders), bytes).reigns(range);
}

}  // namespace

Document tuned_collective(const Workload& workload, const WorkloadWords& words, const Machine& machine) {
    for (const char* option : {"--algorithm", "--bytes"}) {
        if (words.has(option))
            throw InputError(fmt::format("{} {}: tune finds it for all sizes: leave it out", option, words[option]));
    }
    const Answer asked = workload.answer(words, machine, chosen_nodes(words, machine));
    const std::vector<Reign> reigns = fastest_by_size(workload, words, machine);
    Document document;
    document.json = json_of("tune");
    document.json["machine"] = machine.id;
    document.json["workload"] = workload.name;
    document.json["nodes"] = asked.json["nodes"];
    document.json["ranks"] = asked.json["nodes"].get<std::int64_t>() * asked.json["ranks_per_node"].get<std::int64_t>();
    document.json["algorithms"] = nlohmann::ordered_json::array();
    Table table{"", {"bytes from", "algorithm", {"µs", {"time µs"}}}, {}};
    for (const Reign& reign : reigns) {
        document.json["algorithms"].push_back({{"from", static_cast<std::int64_t>(reign.from)},
                                               {"algorithm", reign.what},
                                               {"value", reign.value},
                                               {"unit", "s"}});
        table.rows.push_back(
            {count_cell(static_cast<std::int64_t>(reign.from)), reign.what, number_cell(reign.value * 1e6)});
    }
    document.notes.push_back(fmt::format("{} on {}, {}: the fastest algorithm by size, up to 64 MiB", workload.name,
                                         machine.id, counted(asked.json["nodes"].get<std::int64_t>(), "node")));
    document.tables.push_back(std::move(table));
    return document;
}

}  // namespace narrows
