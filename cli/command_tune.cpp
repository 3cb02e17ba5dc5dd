#include <fmt/format.h>

#include "cli/collective_tuning.hpp"
#include "cli/commands.hpp"
#include "cli/grid_tuning.hpp"
#include "cli/sweep3d_query.hpp"
#include "cli/workload.hpp"
#include "model/wavefront/tune.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

const std::string tuned_workload = "sweep3d";

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
                 "over the best"},
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

Document document_of_choices(const Machine& machine, const SweepSize& asked, const std::vector<SweepChoice>& choices) {
    const SweepChoice& best = choices.front();
    Document document;
    document.json = json_of("tune");
    document.json["machine"] = machine.id;
    document.json["workload"] = tuned_workload;
    document.json["nodes"] = asked.nodes;
    document.json["ranks"] = asked.query.ranks();
    document.json["result"] = {
        {"quantity", "iteration_time"}, {"unit", "s"}, {"value", best.time.si()}, {"low", nullptr}, {"high", nullptr}};
    document.json["choices"] = nlohmann::ordered_json::array();
    for (const SweepChoice& choice : choices) document.json["choices"].push_back(json_of_choice(choice));
    document.notes.push_back(fmt::format(
        "sweep3d on {}, {}, {}: best as {} in blocks of {} and {}", machine.id, counted(asked.nodes, "node"),
        counted(asked.query.ranks(), "rank"), format_shape({best.query.grid[0], best.query.grid[1]}),
        counted(best.query.planes, "plane"), counted(best.query.angle_block, "angle")));
    document.tables.push_back(table_of_choices(choices));
    return document;
}

[[noreturn]] void refuse_workload(const std::string& name) {
    std::vector<std::string> names = {tuned_workload};
    for (const Workload& one : workloads()) {
        if (has_algorithms(one)) names.push_back(one.name);
    }
    throw InputError(
        fmt::format("there is nothing to tune in '{}'{} (there is: {}, a workload file whose ranks are a grid)", name,
                    did_you_mean(name, names), fmt::join(names, ", ")));
}

int print_tuned(const AskedWorkload& asked_workload, Output& output) {
    const WorkloadWords& words = asked_workload.words();
    const Workload& workload = asked_workload.workload();
    if (has_algorithms(workload)) {
        emit(tuned_collective(workload, words, chosen_machine(words)), output);
        return 0;
    }
    if (workload.grids) {
        emit(tuned_grid(workload, words, chosen_machine(words)), output);
        return 0;
    }
    if (workload.name != tuned_workload) refuse_workload(words.workload);
    const Machine machine = chosen_machine(words);
    const SweepSize asked = chosen_sweep(words, machine, chosen_nodes(words, machine));
    SweepFreedom freedom;
    freedom.grid = words.grid.empty();
    freedom.planes = words.planes.empty();
    freedom.angle_block = words.angle_block.empty();
    freedom.cells_follow_grid = !words.cells_per_rank.empty();
    emit(document_of_choices(machine, asked, tune_sweep(machine, asked.query, freedom)), output);
    return 0;
}

}  // namespace

Command tune_command() {
    return {"tune",
            "the best grid and blocks of sweep3d, grid of a workload file's ranks, or algorithm of a collective by "
            "size, for a "
            "machine",
            {"tune sweep3d -m roadrunner -n 1 --cells-per-rank 5x5x400",
             "tune sweep3d -m roadrunner -n 2 --cells 160x160x100 --angle-block 6",
             "tune allreduce -m cluster-400g -n 64", "tune fft-pencils -m cluster-400g -n 64"},
            [](CLI::App& app, const Arguments& arguments) {
                const auto asked = std::make_shared<AskedWorkload>(app, arguments);
                return [asked](Output& output) { return print_tuned(*asked, output); };
            }};
}

}  // namespace narrows
