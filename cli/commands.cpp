#include "cli/commands.hpp"

#include "cli/repertoire.hpp"

namespace narrows {
namespace {

// Whose document may have a picture.
Command drawing(Command command) {
    command.draws = true;
    return command;
}

}  // namespace

std::vector<Command> commands(const Repertoire& known) {
    std::vector<Command> all = {demo_command(),
                                machines_command(),
                                show_command(),
                                topology_command(),
                                drawing(predict_command()),
                                drawing(table_command()),
                                drawing(what_if_command()),
                                sensitivity_command(),
                                solve_command(),
                                drawing(crossover_command()),
                                drawing(sweep_command()),
                                compare_command(),
                                report_command(),
                                tune_command(),
                                calibrate_command(),
                                drawing(validate_command()),
                                drawing(run_command()),
                                reproduce_command(),
                                help_command(),
                                completion_command(),
                                reference_command()};
    for (Command& command : all) {
        std::vector<std::string> examples;
        const auto take = [&](const std::vector<std::string>& some) {
            for (const std::string& one : some) {
                if (one.starts_with(command.name + " ")) examples.push_back(one);
            }
        };
        for (const Workload& one : known.workloads) take(one.examples);
        for (const Kernel& one : known.kernels) take(one.examples);
        command.examples.insert(command.examples.begin(), examples.begin(), examples.end());
    }
    return all;
}

}  // namespace narrows
