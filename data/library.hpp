#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/machine.hpp"

namespace narrows {

/// The folder with `machines` and `published`: what NARROWS_DATA in the environment names, else the sources that the
/// program was built from, else `../share/narrows` beside the program. InputError when there is none.
std::filesystem::path data_directory();

/// The folder with a folder of tables for each paper.
std::filesystem::path published_directory();

/// Ids of the machines shipped, in alphabetical order: names for `load_machine`.
std::vector<std::string> machine_ids();

/// The machine shipped as `name`, or the one in the file `name` when that ends in `.yaml` or `.yml` or has a slash.
/// InputError with a suggestion when there is no such machine.
Machine load_machine(const std::string& name);

}  // namespace narrows
