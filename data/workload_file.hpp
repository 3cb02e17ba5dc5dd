#pragma once

#include <string>
#include <vector>

#include "model/program/program.hpp"

namespace narrows {

/// The program that the text of a workload file describes, whose format `docs/workload-files.md` has. InputError with
/// file, line and column for unknown and missing keys, names, patterns and units; numbers that depend on ranks and
/// options are checked when they are known (`phases_of`).
Program parse_program(const std::string& text, const std::string& file);

/// Whether the word of a command line names a workload file (`names_yaml_file`) or is the name of one shipped.
bool is_workload_file(const std::string& word);

/// Names of the workload files shipped, in alphabetical order.
std::vector<std::string> workload_file_names();

/// The program in a file, or the one shipped under a bare name. InputError when it cannot be read, and as above.
Program load_program(const std::string& name);

}  // namespace narrows
