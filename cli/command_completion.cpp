#include <fmt/format.h>

#include "cli/commands.hpp"
#include "data/library.hpp"
#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

int print_completion(const std::string& shell, Output& output) {
    const std::vector<std::string> shells = {"bash", "zsh", "fish"};
    if (std::ranges::find(shells, shell) == shells.end()) {
        throw InputError(fmt::format("there is no completion for '{}'{} (there is: {})", shell,
                                     did_you_mean(shell, shells), fmt::join(shells, ", ")));
    }
    output.out << read_whole_file(data_directory() / "completion" / ("narrows." + shell));
    return 0;
}

}  // namespace

Command completion_command() {
    Command command = {"completion",
                       "what a shell reads to complete commands, options and their values",
                       {"completion bash", "completion zsh", "completion fish"},
                       [](CLI::App& app, const Arguments&) {
                           const auto shell = std::make_shared<std::string>();
                           app.add_option("bash|zsh|fish", *shell,
                                          "bash: source <(narrows completion bash); zsh: the same, behind compinit; "
                                          "fish: narrows completion fish | source")
                               ->type_name("")
                               ->required();
                           return [shell](Output& output) { return print_completion(*shell, output); };
                       }};
    command.has_document = false;
    return command;
}

}  // namespace narrows
