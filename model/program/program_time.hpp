#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/messages/workload.hpp"
#include "model/program/program.hpp"
#include "model/time_prediction.hpp"

namespace narrows {

/// What is asked of a program.
struct ProgramQuery {
    MessageQuery messages;  ///< protocol, nodes, ranks of a node, placement; its payload does not count
    std::vector<int> grid;  ///< of all ranks
    std::map<std::string, Amount> options;
};

/// A program's phases, and what their messages ask of every server. It depends on no cost.
struct PlacedProgram {
    std::vector<PhaseWork> phases;
    std::vector<PhaseLoads> loads;
};

/// InputError as `phases_of` and `loads_of_rounds`, and for a grid that is not of all ranks.
PlacedProgram placed(const Machine& machine, const Program& program, const ProgramQuery& query);

/// Whether there are messages with bytes.
bool sends(const PhaseWork& phase);

struct ProgramPrediction {
    TimePrediction time;
    std::vector<NamedTime> phases;  ///< in their order; those that overlap each as if alone
};

/// The time of a program.
///
/// Statement: the sum of its phases. A phase: n t_compute + m t_rounds. Of phases that overlap: the longest, or the sum
///            of what keeps their processors busy if that is more.
/// Symbols:   n, m, rounds by `Pattern`; t_compute by `computing_time`; t_rounds by `phase_time`, by measured residuals
///            where the machine has them of such a phase.
/// Source:    derived.
/// Range:     phases of all ranks one after the other; ranks with as much to do.
/// Test:      tests/model/program/test_program_time.cpp
ProgramPrediction predict_program(const Machine& machine, const ProgramQuery& query, const PlacedProgram& program);

}  // namespace narrows
