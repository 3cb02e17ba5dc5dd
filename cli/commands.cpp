#include "cli/commands.hpp"

namespace narrows {

std::vector<Command> commands() {
    return {demo_command(),      machines_command(), show_command(),        topology_command(), predict_command(),
            table_command(),     what_if_command(),  sensitivity_command(), solve_command(),    tune_command(),
            calibrate_command(), validate_command(), run_command(),         reproduce_command()};
}

}  // namespace narrows
