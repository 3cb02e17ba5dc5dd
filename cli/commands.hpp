#pragma once

#include <vector>

#include "cli/command.hpp"

namespace narrows {

Command machines_command();
Command show_command();
Command topology_command();
Command predict_command();
Command table_command();
Command what_if_command();
Command sensitivity_command();
Command solve_command();
Command crossover_command();
Command sweep_command();
Command compare_command();
Command report_command();
Command tune_command();
Command calibrate_command();
Command validate_command();
Command run_command();
Command reproduce_command();
Command demo_command();
Command help_command();
Command completion_command();
Command reference_command();

/// All of them, in the order of the help text, with the examples of what they may name.
std::vector<Command> commands(const Repertoire& known = repertoire());

}  // namespace narrows
