#include "cli/grid_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace narrows {

Document tuned_grid(const Workload& workload, const WorkloadWords& words, const Machine& machine,
                    const std::vector<std::string>& grids) {
    if (words.has("--grid")) {
        throw InputError(fmt::format("--grid {}: tune finds it: leave it out, or ask predict", words["--grid"]));
    }
    const std::int64_t nodes = chosen_nodes(words, machine);
    std::vector<std::pair<double, std::string>> choices;
    for (const std::string& grid : grids) {
        WorkloadWords chosen = words;
        chosen["--grid"] = grid;
        choices.emplace_back(workload.outcome(chosen, machine, nodes)(machine).value, grid);
    }
    std::stable_sort(choices.begin(), choices.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    const auto& [shortest, best] = choices.front();
    WorkloadWords words_of_best = words;
    words_of_best["--grid"] = best;
    const Answer answer = workload.answer(words_of_best, machine, nodes);
    Document document;
    document.json = json_of("tune");
    for (const char* key : {"machine", "workload", "nodes", "ranks", "result"}) document.json[key] = answer.json[key];
    document.json["choices"] = nlohmann::ordered_json::array();
    constexpr std::size_t most_rows = 20;
    Table table{"", {"grid", {"ms", {"time ms"}}, "over the best"}, {}};
    for (const auto& [seconds, grid] : choices) {
        document.json["choices"].push_back({{"grid", grid}, {"value", seconds}});
        if (table.rows.size() == most_rows) continue;
        table.rows.push_back({grid, number_cell(seconds * 1e3), error_cell(shortest > 0 ? seconds / shortest - 1 : 0)});
    }
    document.notes.push_back(fmt::format("{} on {}, {}: best as {} of {}", answer.subject, machine.id, answer.size,
                                         best, counted(static_cast<std::int64_t>(choices.size()), "grid")));
    document.tables.push_back(std::move(table));
    return document;
}

}  // namespace narrows
