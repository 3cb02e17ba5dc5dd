#include <fmt/format.h>

#include "cli/sweep3d_query.hpp"
#include "model/wavefront/tune.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

nlohmann::ordered_json json_of_choice(const SweepChoice& choice) {
    return {{"grid", format_shape({choice.query.grid[0], choice.query.grid[1]})},
            {"planes", choice.query.planes},
            {"angle_block", choice.query.angle_block},
            {"blocks", choice.query.blocks()},
            {"value", choice.time.si()},
            {"closed_form", choice.closed_form.si()}};
}

Table table_of_choices(const std::vector<SweepChoice>& choices) {
    Table table{"",
                {"grid",
                 "planes",
                 "angles",
                 "blocks",
                 {"ms", {"time ms"}},
                 {"closed form", {"closed form ms"}},
                 {"against the best", {"over the best"}}},
                {}};
    for (const SweepChoice& choice : choices) {
        table.rows.push_back({format_shape({choice.query.grid[0], choice.query.grid[1]}),
                              count_cell(choice.query.planes), count_cell(choice.query.angle_block),
                              count_cell(choice.query.blocks()), number_cell(choice.time.si() * 1e3),
                              number_cell(choice.closed_form.si() * 1e3),
                              error_cell(choice.time / choices.front().time - 1)});
    }
    return table;
}

Document document_of_choices(const Workload& workload, const Machine& machine, const SweepSize& asked,
                             const std::vector<SweepChoice>& choices) {
    const SweepChoice& best = choices.front();
    Document document{json_of("tune")};
    document.json["machine"] = machine.id;
    document.json["workload"] = workload.name;
    document.json["nodes"] = asked.nodes;
    document.json["ranks"] = asked.query.ranks();
    document.json["result"] = json_of_result("iteration_time", "s", best.time.si());
    document.json["choices"] = nlohmann::ordered_json::array();
    for (const SweepChoice& choice : choices) document.json["choices"].push_back(json_of_choice(choice));
    document.notes.push_back(fmt::format(
        "{} on {}, {}, {}: best as {} in blocks of {} and {}", workload.name, machine.id, counted(asked.nodes, "node"),
        counted(asked.query.ranks(), "rank"), format_shape({best.query.grid[0], best.query.grid[1]}),
        counted(best.query.planes, "plane"), counted(best.query.angle_block, "angle")));
    document.tables.push_back(table_of_choices(choices));
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
