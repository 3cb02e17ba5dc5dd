#include <fmt/format.h>

#include "cli/choice_tuning.hpp"
#include "cli/sweep3d_query.hpp"
#include "model/wavefront/tune.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

nlohmann::ordered_json json_of_choice(const SweepChoice& choice, const RankedChoice& one) {
    nlohmann::ordered_json json = {{"grid", format_shape({choice.query.grid[0], choice.query.grid[1]})},
                                   {"planes", choice.query.planes},
                                   {"angle_block", choice.query.angle_block},
                                   {"blocks", choice.query.blocks()},
                                   {"value", one.outcome.value}};
    add_interval(json, one.outcome.interval);
    json["closed_form"] = choice.closed_form.si();
    json["like_best"] = one.like_best;
    return json;
}

Table table_of_choices(const std::vector<SweepChoice>& choices, const std::vector<RankedChoice>& found,
                       const Figures& figures) {
    const Outcome& best = found.front().outcome;
    Table table{"",
                {"grid",
                 "planes",
                 "angles",
                 "blocks",
                 {"ms", {"time ms"}},
                 {"closed form", {"closed form ms"}},
                 {"against the best", {"over the best"}}},
                {}};
    if (best.interval) table.header.push_back(figures.interval_column());
    for (const RankedChoice& one : found) {
        const auto& [query, time, closed_form] = choices[one.choice];
        table.rows.push_back({format_shape({query.grid[0], query.grid[1]}), count_cell(query.planes),
                              count_cell(query.angle_block), count_cell(query.blocks()),
                              number_cell(one.outcome.value * 1e3), number_cell(closed_form.si() * 1e3),
                              error_cell(one.outcome.value / best.value - 1)});
        if (best.interval) table.rows.back().push_back(figures.interval_cell(one.outcome.interval));
    }
    return table;
}

Document document_of_choices(const Workload& workload, const Machine& machine, const SweepSize& asked,
                             const std::vector<SweepChoice>& choices) {
    std::vector<std::string> unmeasured;
    const auto outcome = [&](std::size_t choice) {
        const SweepQuery& query = choices[choice].query;
        const TimePrediction prediction = predict_sweep3d(machine, query);
        if (!prediction.beside.beyond.empty()) {
            unmeasured.push_back(fmt::format("{} in blocks of {} and {}", format_shape({query.grid[0], query.grid[1]}),
                                             counted(query.planes, "plane"), counted(query.angle_block, "angle")));
        }
        return outcome_of(prediction);
    };
    const std::vector<RankedChoice> found = ranked_choices(choices.size(), outcome, false).found;
    const Outcome& fastest = found.front().outcome;
    const SweepQuery& best = choices[found.front().choice].query;
    Document document{json_of("tune")};
    document.json["machine"] = machine.id;
    document.json["workload"] = workload.name;
    document.json["nodes"] = asked.nodes;
    document.json["ranks"] = asked.query.ranks();
    document.json["result"] = json_of_result("iteration_time", "s", fastest.value);
    add_interval(document.json["result"], fastest.interval);
    document.json["choices"] = nlohmann::ordered_json::array();
    for (const RankedChoice& one : found) {
        document.json["choices"].push_back(json_of_choice(choices[one.choice], one));
    }
    document.notes.push_back(fmt::format("{} on {}, {}, {}: best as {} in blocks of {} and {}", workload.name,
                                         machine.id, counted(asked.nodes, "node"), counted(asked.query.ranks(), "rank"),
                                         format_shape({best.grid[0], best.grid[1]}), counted(best.planes, "plane"),
                                         counted(best.angle_block, "angle")));
    document.tables.push_back(table_of_choices(choices, found, Figures{{"time", "ms", 1e3, false}}));
    tell_doubts(document, found, unmeasured);
    return document;
}

}  // namespace

Document tuned_sweep(const Workload& workload, const OptionWords& words, const Machine& machine,
                     const ReportProgress& progress) {
    if (words.has("--beside")) throw InputError("--beside: tune compares choices on one machine: leave it out");
    const SweepSize asked = chosen_sweep(words, machine, chosen_nodes(words, machine));
    SweepFreedom freedom{.grid = !words.has("--grid"),
                         .planes = !words.has("--planes"),
                         .angle_block = !words.has("--angle-block"),
                         .cells_follow_grid = words.has("--cells-per-rank")};
    return document_of_choices(workload, machine, asked, tune_sweep(machine, asked.query, freedom, progress));
}

}  // namespace narrows
