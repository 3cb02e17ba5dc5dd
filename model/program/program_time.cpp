#include "model/program/program_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "model/demand/servers.hpp"
#include "model/messages/collective_rounds.hpp"
#include "model/messages/residuals.hpp"
#include "model/read_costs.hpp"
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
    const auto measured = measured_of(phase);
    if (!measured || phase.rounds.empty()) return prediction;
    MessageQuery beside = query.messages;
    beside.payload = phase.rounds.front().payload;
    beside.neighbours = static_cast<int>(std::max<std::size_t>(1, phase.rounds.front().moves.size()));
    beside.algorithm = phase.algorithm;
    // Of the vector, of which a round of a ring has a piece.
    if (phase.algorithm == "ring") beside.payload *= static_cast<double>(shape_nodes(query.grid));
    return corrected(std::move(prediction), machine, *measured, beside);
}

// Of what a rank reads and writes, half each.
Time moving(const Machine& machine, const ProgramQuery& query, const PhaseWork& phase, double turns) {
    constexpr Data line = bytes(64);
    const Data moved = bytes(phase.compute.memory);
    if (has(machine, "compute.memory")) {
        return curve_at(machine, "compute.memory").at(moved / 2 * turns) * (moved / line * turns);
    }
    if (const auto bandwidth = node_memory(machine)) {
        return moved * static_cast<double>(query.messages.ranks_per_node) / *bandwidth;
    }
    throw InputError(fmt::format("phase '{}' has 'memory', but machine '{}' does not say its memory's bandwidth: add "
                                 "'node: {{memory: {{bandwidth: 20 GB/s}}}}' to its file, or set "
                                 "node.memory.bandwidth='20 GB/s'",
                                 phase.name, machine.id))
        .of_setting("set");
}

// By which operations and memory add: infinite where the longer hides the other, 1 where they follow each other.
double exponent_of(const Machine& machine) {
    constexpr double most = 2;
    if (find(machine, "compute.balanced") == nullptr) return std::numeric_limits<double>::infinity();
    return std::log(2.0) / std::log(std::clamp(number_at(machine, "compute.balanced"), 1.0, most));
}

Time together(Time flops, Time memory, double exponent) {
    const Time longer = std::max(flops, memory);
    if (std::isinf(exponent) || longer == Time()) return longer;
    return longer * std::pow(1 + std::pow(std::min(flops, memory) / longer, exponent), 1 / exponent);
}

Time computing(const Machine& machine, const ProgramQuery& query, const PhaseWork& phase, std::string& server) {
    const RankWork& work = phase.compute;
    const auto each = static_cast<double>(query.messages.ranks_per_node);
    const Parameter* processors = find(machine, "node.processors");
    const double turns = processors == nullptr ? 1 : std::ceil(each / std::max(1.0, processors->measure.value));
    server = "compute";
    Time time = seconds(work.seconds) * turns;
    Time flops, memory;
    if (work.flops > 0) {
        if (find(machine, "compute.flops") == nullptr) {
            throw InputError(
                fmt::format("phase '{}' has 'flops', but machine '{}' does not say how fast a processor computes: add "
                            "'compute: "
                            "{{flops: 10 G/s}}' to its file, set compute.flops='10 G/s', or write the phase's 'time'",
                            phase.name, machine.id))
                .of_setting("set");
        }
        flops = work.flops / rate_at(machine, "compute.flops") * turns;
    }
    if (work.memory > 0) memory = moving(machine, query, phase, turns);
    if (memory > flops) server = "memory";
    return time + together(flops, memory, exponent_of(machine));
}

// A phase alone.
TimePrediction time_of(const Machine& machine, const ProgramQuery& query, const PhaseWork& phase,
                       const PhaseLoads& loads) {
    TimePrediction messages = critical_path(time_of_rounds(machine, query.messages, loads));
    messages = measured_beside(std::move(messages), machine, query, phase);
    std::string server;
    const Time compute = computing(machine, query, phase, server) * phase.computes;
    Breakdown whole;
    if (compute > Time()) whole.terms.push_back({server, compute * phase.repeat});
    for (const NamedTime& term : messages.terms)
        whole.terms.push_back({term.name, term.time * (phase.times * phase.repeat)});
    for (const NamedTime& term : whole.terms) whole.total += term.time;
    TimePrediction prediction = critical_path(whole);
    prediction.beside = messages.beside;
    const double share = whole.total > Time() ? messages.time * (phase.times * phase.repeat) / whole.total : 0;
    prediction.beside.below *= share;
    prediction.beside.above *= share;
    return prediction;
}

bool keeps_processor(const Machine& machine, const NamedTime& term) {
    if (term.name == "compute" || term.name == "combine") return true;
    if (term.name == "memory" || term.name == "network" || term.name == "uplinks") return false;
    std::string server = term.name;
    std::replace(server.begin(), server.end(), ' ', '_');
    return site_of(machine, server) == Site::processor;
}

// Phases at the same time: the longest, or their processors' work.
TimePrediction together(const Machine& machine, const std::vector<TimePrediction>& phases) {
    const TimePrediction* longest = &phases.front();
    Breakdown busy;
    for (const TimePrediction& phase : phases) {
        if (phase.time > longest->time) longest = &phase;
        for (const NamedTime& term : phase.terms) {
            if (!keeps_processor(machine, term)) continue;
            busy.terms.push_back(term);
            busy.total += term.time;
        }
    }
    return busy.total > longest->time ? critical_path(busy) : *longest;
}

void add_beside(MeasuredBeside& sum, const TimePrediction& part) {
    const double seconds = part.time.si();
    sum.below += part.beside.below * seconds;
    sum.above += part.beside.above * seconds;
    if (part.beside.sessions > 0)
        sum.sessions = sum.sessions == 0 ? part.beside.sessions : std::min(sum.sessions, part.beside.sessions);
    for (const std::string& beyond : part.beside.beyond) {
        if (std::find(sum.beyond.begin(), sum.beyond.end(), beyond) == sum.beyond.end()) sum.beyond.push_back(beyond);
    }
}

}  // namespace

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
    Breakdown whole;
    MeasuredBeside beside;
    const auto add = [&](const TimePrediction& part) {
        whole.terms.insert(whole.terms.end(), part.terms.begin(), part.terms.end());
        whole.total += part.time;
        add_beside(beside, part);
    };
    std::map<int, std::vector<TimePrediction>> groups;
    for (std::size_t i = 0; i < alone.size(); ++i) {
        const int group = program.phases[i].overlap;
        if (group < 0) {
            add(alone[i]);
        } else {
            groups[group].push_back(alone[i]);
        }
    }
    for (const auto& [number, group] : groups) add(together(machine, group));
    found.time = critical_path(whole);
    if (whole.total > Time()) {
        beside.below /= whole.total.si();
        beside.above /= whole.total.si();
    }
    found.time.beside = beside;
    found.time.estimate = "the sum of its phases; of phases that overlap the longest, or their processors' work";
    found.time.source = "derived; rounds of each pattern as model/messages has them";
    found.time.assumptions =
        "phases of all ranks one after the other, ranks with as much to do; messages of a round share servers";
    return found;
}

}  // namespace narrows
