#include <fmt/format.h>

#include "cli/prediction_report.hpp"
#include "cli/sweep3d_query.hpp"
#include "cli/workload.hpp"
#include "data/library.hpp"
#include "model/demand/placement.hpp"
#include "model/messages/workload.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

// What was asked, in words and in JSON.
Answer asked(const Machine& machine, const SweepQuery& query, std::int64_t nodes) {
    const std::string grid = format_shape({query.grid[0], query.grid[1]});
    const std::string cells = format_shape({query.cells[0], query.cells[1], query.cells[2]});
    Answer answer = answer_about(machine, "sweep3d", "Sweep3D");
    answer.subject = "sweep3d";
    answer.size = counted(nodes, "node");
    answer.setting = fmt::format("{}, {} as {}, {} cells in blocks of {} planes and {} angles", answer.size,
                                 counted(query.ranks(), "rank"), grid, cells, query.planes, query.angle_block);
    tell_nodes(answer, machine, nodes);
    answer.json["ranks"] = query.ranks();
    answer.json["grid"] = grid;
    answer.json["cells"] = cells;
    answer.json["angles"] = query.angles;
    answer.json["planes"] = query.planes;
    answer.json["angle_block"] = query.angle_block;
    answer.json["moments"] = query.moments;
    return answer;
}

// What the published closed forms say of the same grid, for who knows one of them.
void add_closed_forms(Answer& answer, const Wavefront& wavefront) {
    const SweepGrid grid = {static_cast<int>(wavefront.cells[0].size()), static_cast<int>(wavefront.cells[1].size()),
                            wavefront.blocks};
    const std::vector<Formula> forms = closed_forms(grid, sweep_cost(wavefront));
    for (const Formula& form : forms) answer.json["closed_forms"][form.name] = form.value;
    report_formulas(
        answer, "closed forms, from 3 x 3 equal ranks on, with all messages the farthest and none that waits:", forms);
}

// The same cells on all ranks of as many nodes of another machine.
OptionWords words_beside(OptionWords words, const SweepSize& size) {
    const auto& [i, j, k] = size.query.cells;
    words["--cells"] = format_shape({i, j, k});
    words["--nodes"] = std::to_string(size.nodes);
    for (const char* given : {"--cells-per-rank", "--ranks", "--ranks-per-node", "--grid", "--protocol"}) {
        words[given].clear();
    }
    if (!placed_by_rule(words["--placement"])) words["--placement"].clear();  // a file is of the first machine's ranks
    return words;
}

void put_beside(Answer& answer, const OptionWords& words, const SweepSize& size) {
    const Machine other = load_machine(words["--beside"]);
    const SweepQuery query = chosen_sweep(words_beside(words, size), other, size.nodes).query;
    const double time = sweep3d_time(other, query).si();
    const std::string ratio = fmt::format("{:.3g}", time / answer.value);
    answer.beside = Part{other.id, time, ""};
    answer.json["beside"] = {{"machine", other.id},
                             {"ranks", query.ranks()},
                             {"grid", format_shape({query.grid[0], query.grid[1]})},
                             {"value", time},
                             {"unit", "s"},
                             {"ratio", time / answer.value}};
    answer.columns.emplace_back(other.id + " ms", answer.cell(time));
    answer.columns.emplace_back("ratio", TableCell(ratio, {time / answer.value}));
    answer.notes.push_back(fmt::format("{} ms, {} times that, on {} of {}: {} as {}", answer.text(time), ratio,
                                       counted(size.nodes, "node"), other.id, counted(query.ranks(), "rank"),
                                       format_shape({query.grid[0], query.grid[1]})));
}

Answer answer_sweep3d(const OptionWords& words, const Machine& machine, std::int64_t nodes,
                      const ReportProgress& progress) {
    const SweepSize size = chosen_sweep(words, machine, nodes);
    Answer answer = asked(machine, size.query, size.nodes);
    const TimePrediction prediction = predict_sweep3d(machine, size.query, part_of(progress, 0, 0.8));
    report(answer, prediction);
    answer.figures = {"time", "ms", 1e3, false};
    answer.json["result"]["quantity"] = "iteration_time";
    const Wavefront wavefront = sweep_wavefront(machine, size.query);
    const double share =
        communication_share(wavefront, prediction.time / prediction.beside.factor, part_of(progress, 0.8, 1));
    add_closed_forms(answer, wavefront);
    answer.json["communication_share"] = share;
    const bool by_ranks = words.has("--ranks");  // which the row begins with
    answer.columns = {{by_ranks ? "nodes" : "ranks", count_cell(by_ranks ? size.nodes : size.query.ranks())},
                      {"grid", format_shape({size.query.grid[0], size.query.grid[1]})},
                      {"communication", share_cell(share)}};
    if (!is_negligible(share, 1))
        answer.notes.push_back(fmt::format("communication takes {:.1f} % of it: with free messages it would be {} ms",
                                           100 * share, answer.text(prediction.time.si() * (1 - share))));
    if (words.has("--beside")) put_beside(answer, words, size);
    return answer;
}

OutcomeOf outcome_of_sweep3d(const OptionWords& words, const Machine& machine, std::int64_t nodes) {
    return [query = chosen_sweep(words, machine, nodes).query](const Machine& changed) {
        return outcome_of(sweep3d_path(changed, query));
    };
}

}  // namespace

std::int64_t ranks_per_node(const Machine& machine) {
    const std::vector<std::string> modes = names_below(machine, "node.modes");
    const std::string path = modes.empty() ? "node.processors" : "node.modes." + modes.front();
    return find(machine, path) != nullptr ? static_cast<std::int64_t>(number_at(machine, path)) : 1;
}

namespace {

// Whether the machine knows what ranks pay that take turns on a processor.
bool takes_turns(const Machine& machine) {
    const std::vector<std::string> levels = names_below(machine, "levels");
    const std::string path = levels.empty() ? "" : "levels." + levels.front() + ".processors";
    return !levels.empty() && find(machine, path) != nullptr && number_at(machine, path) == 1;
}

// Ranks of a node: as told, else so many that all nodes of -n have some, else one a processor; where they take turns,
// as many as there are.
std::int64_t chosen_ranks_per_node(const OptionWords& words, const Machine& machine, std::int64_t ranks,
                                   std::int64_t nodes) {
    const std::int64_t processors = ranks_per_node(machine);
    if (words.has("--ranks-per-node")) {
        return parse_count(words["--ranks-per-node"], "--ranks-per-node", 1, max_extent);
    }
    const std::int64_t each = (ranks + nodes - 1) / nodes;
    const bool given = words.has("--ranks") || words.has("--grid");
    if (given && words.has("--nodes") && nodes > 1) return each;
    if (!takes_turns(machine) || (!words.has("--nodes") && has_network(machine))) return processors;
    return std::max(processors, each);
}

// The node of each rank by --placement; none where they lie in the order of their numbers.
std::vector<int> chosen_nodes(const OptionWords& words, const SweepQuery& query, std::int64_t nodes,
                              std::int64_t each) {
    if (!words.has("--placement")) return {};
    std::string rule;
    std::vector<int> node_of_rank;
    choose_placement(words["--placement"], nodes, rule, node_of_rank);
    node_of_rank = with_option_context("--placement", [&] { return nodes_of_ranks(node_of_rank, rule, nodes, each); });
    if (!node_of_rank.empty()) node_of_rank.resize(static_cast<std::size_t>(query.ranks()));
    return node_of_rank;
}

}  // namespace

SweepSize chosen_sweep(const OptionWords& words, const Machine& machine, std::int64_t nodes) {
    const bool given = words.has("--ranks") || words.has("--grid");
    OptionWords of_deck = words;
    if (!given) of_deck["--ranks"] = std::to_string(nodes * chosen_ranks_per_node(words, machine, 1, nodes));
    SweepQuery query = sweep_deck(of_deck, given ? "--ranks" : fmt::format("-n {}", nodes));
    if (words.has("--protocol"))
        query.protocol =
            with_option_context("--protocol", [&] { return chosen_protocol(machine, words["--protocol"]); });
    check(query);
    const std::int64_t each = chosen_ranks_per_node(words, machine, query.ranks(), nodes);
    query.ranks_per_node = static_cast<int>(each);
    query.processors = static_cast<int>(processors_of_node(machine));
    const std::int64_t taken = given ? (query.ranks() + each - 1) / each : nodes;
    if (words.has("--nodes") && taken != nodes) {
        throw InputError(
            fmt::format("-n {}: {}, {} a node, are on {}: give another number of ranks or nodes, or leave -n "
                        "out",
                        nodes, counted(query.ranks(), "rank"), each, counted(taken, "node")));
    }
    require_nodes(machine, taken);
    query.background = chosen_background(words);
    query.node_of_rank = chosen_nodes(words, query, taken, each);
    return {query, taken};
}

Workload sweep3d_workload() {
    Workload workload{
        "sweep3d",
        together(
            {workload_options({"--nodes"}),
             {Option{"--ranks", "ranks in all; without -n on as many nodes as they need, on a calibrated machine one",
                     node_limit}},
             workload_options({"--ranks-per-node", "--protocol"}),
             sweep_deck_options(),
             {Option{"--beside", "the same cells on as many nodes of this machine, beside it"}.taking("MACHINE")},
             workload_options({"--network", "--hosts", "--placement", "--background"})}),
        {Axis{"-n", "--nodes", "N", "nodes"}, Axis{"--ranks", "--ranks", "ranks", "ranks"}},
        [](const OptionWords&, const Machine& machine) { return machine_sizes(machine); },
        answer_sweep3d,
        outcome_of_sweep3d,
        {"predict sweep3d -m roadrunner -n 8 --cells-per-rank 5x5x400",
         "table sweep3d -m roadrunner -n 1,2,8 --cells-per-rank 5x5x400",
         "tune sweep3d -m roadrunner -n 1 --cells-per-rank 5x5x400",
         "tune sweep3d -m roadrunner -n 2 --cells 160x160x100 --angle-block 6"}};
    workload.tuned = tuned_sweep;
    return workload;
}

}  // namespace narrows
