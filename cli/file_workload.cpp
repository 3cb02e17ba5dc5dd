#include <fmt/format.h>

#include "cli/byte_sizes.hpp"
#include "cli/choice_tuning.hpp"
#include "cli/prediction_report.hpp"
#include "cli/program_words.hpp"
#include "cli/workload.hpp"
#include "model/demand/placement.hpp"
#include "model/program/grids.hpp"
#include "model/program/program_formulas.hpp"
#include "model/program/program_time.hpp"
#include "topologies/shape.hpp"

// The workload that a file describes.
namespace narrows {
namespace {

constexpr std::int64_t most_program_ranks = std::int64_t{1} << 22;

// Ranks of a node: as told; where there is no network to say more, one for each processor.
std::int64_t chosen_ranks_per_node(const OptionWords& words, const Machine& machine, std::int64_t nodes) {
    if (words.has("--ranks") && words.has("--ranks-per-node")) {
        throw InputError("--ranks and --ranks-per-node both say how many ranks a node has: give one of them");
    }
    if (words.has("--ranks-per-node")) {
        return parse_count(words["--ranks-per-node"], "--ranks-per-node", 1, most_program_ranks);
    }
    if (!words.has("--ranks")) {
        const bool alone = !words.has("--nodes") && nodes == 1 && find(machine, "node.processors") != nullptr;
        return alone ? static_cast<std::int64_t>(number_at(machine, "node.processors")) : 1;
    }
    const std::int64_t ranks = parse_count(words["--ranks"], "--ranks", 1, most_program_ranks);
    if (ranks % nodes == 0) return ranks / nodes;
    throw InputError(fmt::format("--ranks {}: not a multiple of the {} nodes of -n", ranks, nodes));
}

ProgramQuery chosen_query(const OptionWords& words, const Program& program, const Machine& machine,
                          std::int64_t nodes) {
    ProgramQuery query;
    MessageQuery& messages = query.messages;
    messages.protocol =
        with_option_context("--protocol", [&] { return chosen_protocol(machine, words["--protocol"]); });
    messages.nodes = nodes;
    messages.ranks_per_node = chosen_ranks_per_node(words, machine, nodes);
    messages.background = chosen_background(words);
    if (words.has("--placement"))
        choose_placement(words["--placement"], nodes, messages.placement, messages.node_of_rank);
    const std::int64_t ranks = nodes * messages.ranks_per_node;
    if (ranks > most_program_ranks)
        throw InputError(fmt::format("{} ranks are more than {}: give fewer", ranks, most_program_ranks));
    query.grid = program_grid(program, words["--grid"], ranks);
    query.options = program_options(program, words);
    return query;
}

std::string options_text(const OptionWords& words, const Program& program) {
    std::string text;
    for (const ProgramOption& option : program.options) {
        const std::string& given = words["--" + option.name];
        text += fmt::format(", {} = {}", option.name, given.empty() ? option.text : given);
    }
    return text;
}

Answer asked(const OptionWords& words, const Program& program, const Machine& machine, const ProgramQuery& query) {
    const std::int64_t ranks = query.messages.nodes * query.messages.ranks_per_node;
    Answer answer = answer_about(machine, words.workload, program.name);
    answer.subject = program.name;
    answer.size = counted(query.messages.nodes, "node");
    answer.setting = fmt::format("{}, {} as {}{}", answer.size, counted(ranks, "rank"), format_shape(query.grid),
                                 options_text(words, program));
    answer.json["name"] = program.name;
    answer.json["protocol"] = query.messages.protocol;
    tell_nodes(answer, machine, query.messages.nodes);
    answer.json["ranks"] = ranks;
    answer.json["grid"] = format_shape(query.grid);
    answer.json["options"] = json_of_options(program, query.options);
    for (const ProgramOption& option : program.options) {
        const auto dimension = option.usual.dimension();
        if (dimension && dimension != Dimension::number) answer.option_units[option.name] = base_unit(*dimension);
    }
    return answer;
}

// Each phase as if alone.
void tell_phases(Answer& answer, const ProgramPrediction& prediction) {
    answer.json["phases"] = nlohmann::ordered_json::array();
    for (const NamedTime& phase : prediction.phases) {
        answer.json["phases"].push_back({{"name", phase.name}, {"value", phase.time.si()}, {"unit", "s"}});
        answer.notes.push_back(fmt::format("{} {} {}", phase.name, answer.text(phase.time.si()), answer.figures.unit));
        const std::string column = "phase " + phase.name;  // a term may have the same name
        answer.columns.emplace_back(TableColumn(column, {fmt::format("{} {}", column, answer.figures.unit)}),
                                    answer.cell(phase.time.si()));
    }
}

// Of messages that take no time the machine says too little.
void tell_free_messages(Answer& answer, const ProgramQuery& query, const PlacedProgram& work,
                        const ProgramPrediction& prediction) {
    for (std::size_t i = 0; i < work.phases.size(); ++i) {
        if (prediction.phases[i].time > Time() || !sends(work.phases[i])) continue;
        answer.notes.push_back(
            fmt::format("{}: messages take no time, as the paths of protocol '{}' have no stage inside a node, such as "
                        "'memory'",
                        work.phases[i].name, query.messages.protocol));
    }
}

// A rank a node is what is predicted where nobody says how many, and one node where only ranks are given; users of
// today's nodes mean more. More ranks than processors are seldom meant.
void tell_processors(Answer& answer, const OptionWords& words, const Machine& machine, const ProgramQuery& query) {
    const std::int64_t processors = processors_of_node(machine);
    if (turns_on_processors(machine, query.messages.ranks_per_node) > 1) {
        const bool alone = !words.has("--nodes") && has_network(machine);
        answer.notes.push_back(fmt::format(
            "{} take turns on the {} of {} node{}", counted(query.messages.ranks_per_node, "rank"),
            counted(processors, "processor"), alone ? "one" : "a", alone ? ": -n spreads them over more nodes" : ""));
    }
    const bool chosen = words.has("--ranks-per-node") || words.has("--ranks");
    if (chosen || query.messages.ranks_per_node > 1 || processors <= 1) return;
    answer.notes.push_back(
        fmt::format("one of {0} processors of a node has a rank: --ranks-per-node {0} uses all", processors));
}

Answer answer_file(const Program& program, const OptionWords& words, const Machine& machine, std::int64_t nodes,
                   const ReportProgress& progress) {
    const ProgramQuery query = chosen_query(words, program, machine, nodes);
    const PlacedProgram work = placed(machine, program, query);
    Answer answer = asked(words, program, machine, query);
    const TimePredictionOf of = [&](const Machine& changed) { return predict_program(changed, query, work).time; };
    const ProgramPrediction prediction = predict_program(machine, query, work);
    report(answer, with_interval(machine, of, progress));
    answer.figures = {"time", "ms", 1e3, false};
    tell_phases(answer, prediction);
    tell_free_messages(answer, query, work, prediction);
    tell_processors(answer, words, machine, query);
    report_formulas(answer, "what its file says of each phase:", formulas_of(program, query.grid, query.options));
    return answer;
}

OutcomeOf outcome_of_file(const Program& program, const OptionWords& words, const Machine& machine,
                          std::int64_t nodes) {
    const ProgramQuery query = chosen_query(words, program, machine, nodes);
    return [query, work = placed(machine, program, query)](const Machine& changed) {
        return outcome_of(predict_program(changed, query, work).time);
    };
}

std::vector<std::int64_t> parse_numbers(const std::string& text, const std::string& option) {
    return parse_counts(text, option, 0, node_limit);
}

std::vector<Axis> axes_of(const Program& program) {
    std::vector<Axis> axes = {Axis{"-n", "--nodes", "N", "nodes"}, Axis{"--ranks", "--ranks", "ranks", "ranks"}};
    for (const ProgramOption& option : program.options) {
        if (!makes_rows(option)) continue;
        const bool is_data = option.usual.is(Dimension::data);
        axes.push_back({"--" + option.name, "--" + option.name, option.name, option.name,
                        is_data ? parse_data_sizes : parse_numbers});
    }
    return axes;
}

}  // namespace

Workload file_workload(const std::string& name) {
    const Program program = read_program(name);
    Workload workload;
    workload.name = program.name;
    workload.options = together({workload_options({"--nodes", "--ranks", "--ranks-per-node", "--protocol"}),
                                 {program_grid_option()},
                                 workload_options({"--network", "--hosts", "--placement", "--background"}),
                                 own_options(program)});
    workload.axes = axes_of(program);
    workload.sizes = [](const OptionWords&, const Machine& machine) { return machine_sizes(machine); };
    workload.answer = [program](const OptionWords& words, const Machine& machine, std::int64_t nodes,
                                const ReportProgress& progress) {
        return answer_file(program, words, machine, nodes, progress);
    };
    workload.outcome = [program](const OptionWords& words, const Machine& machine, std::int64_t nodes) {
        return outcome_of_file(program, words, machine, nodes);
    };
    workload.tuned = [dimensions = program.dimensions](const Workload& of, const OptionWords& words,
                                                       const Machine& machine, const ReportProgress& progress) {
        const std::int64_t nodes = chosen_nodes(words, machine);
        const std::int64_t ranks_per_node = chosen_ranks_per_node(words, machine, nodes);
        std::vector<std::string> grids;
        for (const auto& shape : all_grids(nodes * ranks_per_node, dimensions)) grids.push_back(format_shape(shape));
        return tuned_choices(
            of, words, machine,
            {{"--grid", "--placement"},
             paired(asked_or(words, "--grid", grids), placements_to_try(words, nodes, ranks_per_node))},
            progress);
    };
    return workload;
}

}  // namespace narrows
