#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/machine.hpp"

namespace narrows {

/// Whether a word of the command line names a file of YAML, not what is shipped or one's own by its bare name: it ends
/// in `.yaml` or `.yml` or has a slash.
bool names_yaml_file(const std::string& word);

/// Names of the YAML files in a folder, without their ending, in alphabetical order; none of a folder that is not
/// there.
std::vector<std::string> yaml_names_in(const std::filesystem::path& folder);

/// The folder with `machines` and `published`: what NARROWS_DATA in the environment names, else what
/// `use_data_directory` was given, else `../share/narrows` beside the program, wherever it was moved to, else the
/// sources that it was built from. InputError when there is none.
std::filesystem::path data_directory();

/// For programs that are not installed beside the data. A folder that is not there is passed over by `data_directory`.
/// Not while another thread looks for a machine.
void use_data_directory(std::filesystem::path folder);

/// The folder with a folder of tables for each paper.
std::filesystem::path published_directory();

/// Ids of the machines shipped, in alphabetical order: names for `load_machine`.
std::vector<std::string> machine_ids();

/// The user's folder of machine files, which need not exist: `narrows/machines` below XDG_DATA_HOME, else below
/// `~/.local/share`, as shipped ones are below `share`. Empty when the environment names neither.
std::filesystem::path user_machines();

/// The user's own machine files that a bare name finds, `NAME.yaml` in the current folder and then in `user_machines`,
/// each in alphabetical order. Not those whose name finds another machine. The current folder may hold YAML of any
/// kind, which is passed over; a file in `user_machines` is meant as a machine, whether it can be read or not.
std::vector<std::filesystem::path> own_machine_files();

/// The file of the machine that the bare `name` finds: the one shipped, else `name.yaml` in the current folder, else in
/// `user_machines`. Nothing when there is none.
std::optional<std::filesystem::path> find_machine(const std::string& name);

/// The machine that `name` finds (`find_machine`); the one in the file `name` when that ends in `.yaml` or `.yml` or
/// has a slash; the one that standard input describes when it is `-`. InputError with a suggestion when there is none.
Machine load_machine(const std::string& name);

}  // namespace narrows
