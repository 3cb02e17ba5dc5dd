#include "cli/commands.hpp"
#include "cli/run.hpp"

namespace narrows {

Command help_command() {
    Command command = {"help",
                       "the help of a command, and of what follows its name: the same as --help behind them",
                       {"help", "help predict", "help predict gups"},
                       [](CLI::App& app, const Arguments& arguments) {
                           const auto words = std::make_shared<std::vector<std::string>>();
                           app.add_option("COMMAND", *words,
                                          "a command, then a workload, kernel or file of it; default: all commands")
                               ->type_name("");
                           return [words, &known = arguments.known](Output& output) {
                               words->emplace_back("--help");
                               return run(*words, output.out, output.err, output.progress, known);
                           };
                       }};
    command.has_document = false;
    return command;
}

}  // namespace narrows
