#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/words.hpp"
#include "model/program/program.hpp"

namespace narrows {

// What `predict` and `run` are told of a workload file, as typed.

/// What `load_program` reads. InputError with its place for an option that a command has itself.
Program read_program(const std::string& name);

/// The grid of the words, as cubic as possible without them. InputError names --grid.
std::vector<int> program_grid(const Program& program, const std::string& grid, std::int64_t ranks);

/// Whether a list of the option makes the rows of a table: data and whole numbers.
bool makes_rows(const ProgramOption& option);

/// The values of the options that are given; bytes and seconds may be plain numbers. InputError names the option.
std::map<std::string, Amount> program_options(const Program& program, const OptionWords& words);

/// The program's own options, with the default in the help.
Options own_options(const Program& program);

/// `--grid`
Option program_grid_option();

/// The values of all options, in SI units.
nlohmann::ordered_json json_of_options(const Program& program, const std::map<std::string, Amount>& chosen);

}  // namespace narrows
