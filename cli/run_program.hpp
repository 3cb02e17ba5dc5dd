#pragma once

#include <optional>
#include <string>
#include <vector>

namespace narrows {

/// What a program wrote and whether it ended well.
struct ProgramEnd {
    bool good = false;  ///< it ended by itself with exit code 0
    std::string out;
    std::string err;
};

/// Runs a program of the PATH with `input` as its standard input, and waits for its end; `words` are its name and its
/// arguments. No shell reads them and nothing is written to any folder, so that nothing is left behind however either
/// process ends. None where there is no such program. Throws std::system_error when the system refuses.
std::optional<ProgramEnd> run_program(const std::vector<std::string>& words, const std::string& input);

}  // namespace narrows
