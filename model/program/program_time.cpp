#include "model/program/program_time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/demand/placement.hpp"
#include "model/messages/collective_rounds.hpp"
#include "model/messages/residuals.hpp"
#include "model/program/computing.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

// What calibrations measure of such messages, if they do.
std::optional<MessagePhase> measured_of(const PhaseWork& phase) {
    const Pattern& pattern = *phase.pattern;
    if (!phase.all_ranks) return std::nullopt;
    if (!pattern.has_algorithms) return pattern.measured;
    return measured_phase(pattern.name, collective_algorithm(pattern.name, phase.algorithm).name);
}

TimePrediction measured_beside(TimePrediction prediction, const Machine& machine, const ProgramQuery& query,
                               const PhaseWork& phase) {
    if (phase.rounds.empty()) return prediction;
    const auto measured = measured_of(phase);
    if (!measured)
        return beyond_measured(std::move(prediction), machine, fmt::format("messages of {}", phase.pattern->name));
    MessageQuery beside = query.messages;
    beside.payload = phase.rounds.front().payload;
    beside.neighbours = static_cast<int>(std::max<std::size_t>(1, phase.rounds.front().moves.size()));
    beside.algorithm = phase.algorithm;
    // Of the vector, of which a round of a ring has a piece.
    if (phase.algorithm == "ring") beside.payload *= static_cast<double>(shape_nodes(query.grid));
    return corrected(std::move(prediction), machine, *measured, beside);
}

// A phase alone.
TimePrediction time_of(const Machine& machine, const ProgramQuery& query, const PhaseWork& phase,
                       const PhaseLoads& loads) {
    TimePrediction messages = critical_path(time_of_rounds(machine, query.messages, loads));
    messages = measured_beside(std::move(messages), machine, query, phase);
    SumOfTimes whole;
    whole.add(computing_time(machine, phase, query.messages.ranks_per_node), phase.computes * phase.repeat);
    whole.add(messages, phase.times * phase.repeat);
    return whole.take();
}

// Phases at the same time. Those with messages ask the same servers, one after the other, as runs have them.
struct Overlapped {
    std::vector<TimePrediction> computing;
    std::vector<TimePrediction> messages;
};

// What its processors do.
TimePrediction processors_work(TimePrediction phase) {
    phase.time = {};
    for (NamedTime& term : phase.terms) {
        term.time = term.of_processor;
        phase.time += term.time;
    }
    return phase;
}

// The longest, or their processors' work.
TimePrediction together(const Overlapped& overlapped) {
    std::vector<TimePrediction> phases = overlapped.computing;
    SumOfTimes messages;
    for (const TimePrediction& one : overlapped.messages) messages.add(one);
    if (!overlapped.messages.empty()) phases.push_back(messages.take());
    SumOfTimes work;
    for (const TimePrediction& phase : phases) work.add(processors_work(phase));
    phases.push_back(work.take());
    return *std::ranges::max_element(phases, {}, &TimePrediction::time);
}

// Ranks that share a processor take turns at its calls, and at combining, as they do at computing.
void take_turns(double turns, PhaseLoads& loads) {
    loads.turns = turns;
    for (MessageLoads& kind : loads.kinds) {
        kind.rank *= turns;
        kind.beside *= turns;
    }
}

}  // namespace

bool sends(const PhaseWork& phase) {
    const bool any = std::ranges::any_of(phase.rounds, [](const Round& round) { return round.payload > Data(); });
    return any && phase.times * phase.repeat > 0;
}

PlacedProgram placed(const Machine& machine, const Program& program, const ProgramQuery& query) {
    const std::int64_t ranks = query.messages.nodes * query.messages.ranks_per_node;
    if (shape_nodes(query.grid) != ranks) {
        throw InputError(fmt::format("a grid of {} is not of {} ranks: its sizes must multiply to that",
                                     format_shape(query.grid), ranks));
    }
    PlacedProgram found;
    found.phases = phases_of(program, query.grid, query.options, query.messages.ranks_per_node);
    for (const PhaseWork& phase : found.phases) {
        found.loads.push_back(loads_of_rounds(machine, query.messages, phase.rounds));
        take_turns(turns_on_processors(machine, query.messages.ranks_per_node), found.loads.back());
    }
    return found;
}

ProgramPrediction predict_program(const Machine& machine, const ProgramQuery& query, const PlacedProgram& program) {
    require_message(machine, query.messages.protocol);
    std::vector<TimePrediction> alone;
    ProgramPrediction found;
    for (std::size_t i = 0; i < program.phases.size(); ++i) {
        alone.push_back(time_of(machine, query, program.phases[i], program.loads[i]));
        found.phases.push_back({program.phases[i].name, alone.back().time});
    }
    SumOfTimes whole;
    std::map<int, Overlapped> groups;
    for (std::size_t i = 0; i < alone.size(); ++i) {
        const int group = program.phases[i].overlap;
        if (group < 0) {
            whole.add(alone[i]);
        } else if (program.phases[i].rounds.empty()) {
            groups[group].computing.push_back(alone[i]);
        } else {
            groups[group].messages.push_back(alone[i]);
        }
    }
    for (const auto& [number, group] : groups) whole.add(together(group));
    found.time = whole.take();
    if (found.time.time == Time() && std::ranges::any_of(program.phases, sends)) {
        throw InputError(
            fmt::format("all messages by protocol '{}' would take no time: its paths have no stage inside a node: give "
                        "more nodes, or a stage such as 'memory'",
                        query.messages.protocol));
    }
    found.time.estimate =
        "the sum of its phases; of those that overlap the longest, messages one after the other, or processors' work";
    found.time.source = "derived; rounds of each pattern as model/messages has them";
    found.time.assumptions =
        "phases of all ranks one after the other, ranks with as much to do; messages of a round share servers";
    return found;
}

}  // namespace narrows
