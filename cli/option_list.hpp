#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace narrows {

/// An option or positional word of a command, as its help has it.
struct ListedOption {
    std::vector<std::string> names;  ///< `-m`, `--machine`; of a positional word its name alone
    std::string takes;               ///< as `Option::takes`; empty of a flag
    std::string help;
    bool positional = false;
    bool required = false;
    bool repeats = false;  ///< one word after the other belongs to it
};

/// Those of `command` where `words` follow its name. InputError as its own for a workload file that is wrong.
std::vector<ListedOption> option_list(const Command& command, const std::vector<std::string>& words,
                                      const Repertoire& known);

/// The same of records.
std::vector<ListedOption> option_list(const Options& options);

}  // namespace narrows
