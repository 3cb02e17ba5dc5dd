#include "cli/collective_tuning.hpp"

#include <fmt/format.h>

#include "cli/choice_tuning.hpp"
#include "model/messages/collective_rounds.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

std::int64_t asked_ranks_of_node(const OptionWords& words) {
    return words.has("--ranks-per-node") ? parse_count(words["--ranks-per-node"], "--ranks-per-node", 1, node_limit)
                                         : 1;
}

// Algorithms and placements for one size.
Document tuned_for_size(const Workload& workload, const OptionWords& words, const Machine& machine,
                        const ReportProgress& progress) {
    const std::vector<std::string_view> all = algorithm_names(workload.name);
    return tuned_choices(workload, words, machine,
                         {{"--algorithm", "--placement"},
                          paired(asked_or(words, "--algorithm", {all.begin(), all.end()}),
                                 placements_to_try(words, chosen_nodes(words, machine), asked_ranks_of_node(words)))},
                         progress);
}

}  // namespace

std::vector<std::string_view> algorithm_names(std::string_view collective) {
    std::vector<std::string_view> names;
    for (const CollectiveAlgorithm& one : collective_algorithms()) {
        if (one.collective == collective) names.push_back(one.name);
    }
    return names;
}

TunedCollective tune_collective(const Workload& workload, const OptionWords& words, const Machine& machine,
                                const std::vector<std::string_view>& algorithms, const ReportProgress& progress) {
    for (const char* option : {"--algorithm", "--bytes"}) {
        if (words.has(option))
            throw InputError(fmt::format("{} {}: tune finds it for all sizes: leave it out", option, words[option]));
    }
    const Answer asked = workload.answer(words, machine, chosen_nodes(words, machine), {});
    TunedCollective tuned;
    tuned.nodes = asked.json["nodes"];
    tuned.ranks = tuned.nodes * asked.json["ranks_per_node"].get<std::int64_t>();
    std::vector<Contender> contenders;
    for (const std::string_view name : algorithms) {
        contenders.push_back({std::string(name), words, machine});
        contenders.back().words["--algorithm"] = name;
    }
    const TypedAxis sizes{"bytes", "1..64MiB", "--bytes"};
    Variable bytes(workload, words, machine, sizes);
    const Range range = parse_range(bytes, sizes);
    // Of a single contender a contest tells the bottlenecks.
    if (contenders.size() == 1)
        tuned.reigns = {{range.from, range.to, contenders.front().name, 0}};
    else
        tuned.reigns = reigns_of(workload, contenders, bytes, range, std::nullopt, progress);
    return tuned;
}

Document tuned_collective(const Workload& workload, const OptionWords& words, const Machine& machine,
                          const ReportProgress& progress) {
    if (words.has("--bytes")) return tuned_for_size(workload, words, machine, progress);
    const TunedCollective tuned = tune_collective(workload, words, machine, algorithm_names(workload.name), progress);
    Document document{json_of("tune")};
    document.json["machine"] = machine.id;
    document.json["workload"] = workload.name;
    document.json["nodes"] = tuned.nodes;
    document.json["ranks"] = tuned.ranks;
    document.json["algorithms"] = nlohmann::ordered_json::array();
    Table table{"", {"bytes from", "algorithm", {"µs", {"time µs"}}}, {}};
    for (const Reign& reign : tuned.reigns) {
        document.json["algorithms"].push_back({{"from", static_cast<std::int64_t>(reign.from)},
                                               {"algorithm", reign.what},
                                               {"value", reign.value},
                                               {"unit", "s"}});
        table.rows.push_back(
            {count_cell(static_cast<std::int64_t>(reign.from)), reign.what, number_cell(reign.value * 1e6)});
    }
    document.notes.push_back(fmt::format("{} on {}, {}: the fastest algorithm by size, up to 64 MiB", workload.name,
                                         machine.id, counted(tuned.nodes, "node")));
    document.tables.push_back(std::move(table));
    if (!machine.residuals.empty()) {
        document.remarks.push_back(
            "the fastest by the predictions, which have intervals: tune with --bytes tells whose intervals overlap");
    }
    return document;
}

}  // namespace narrows
