#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/options.hpp"
#include "cli/words.hpp"
#include "model/machine.hpp"

namespace narrows {

/// The options that several workloads have, each typed once.
const Options& workload_options();
/// Those of these names.
inline Options workload_options(const std::vector<std::string>& names) {
    return options_named(workload_options(), names);
}

/// The one number of nodes of `-n`; without it 1 if only `--ranks` is given, else the whole machine, 1 when it has no
/// network.
std::int64_t chosen_nodes(const OptionWords& words, const Machine& machine);

/// A rule of `--placement`, or the nodes that its file lists. InputError names the option.
void choose_placement(const std::string& word, std::int64_t nodes, std::string& rule, std::vector<int>& node_of_rank);

/// The share of `--background`, 0 without it. InputError unless it is from 0 to below 1.
double chosen_background(const OptionWords& words);

/// Sizes to show when `-n` does not say: the listed partitions, else powers of two up to the whole machine; one node
/// where it has no network.
std::vector<std::int64_t> machine_sizes(const Machine& machine, bool parts = true);

/// Sizes of nodes, in a list as `values_of` reads it.
std::vector<std::int64_t> parse_sizes(const std::string& text, const std::string& option);
/// The same of anything that is counted.
std::vector<std::int64_t> parse_counts(const std::string& text, const std::string& option, std::int64_t least,
                                       std::int64_t most);

/// Splits `PATH=VALUE`. InputError when there is no `=`.
std::pair<std::string, std::string> split_change(const std::string& change);

/// Adds `--set`, whose words come to `changes`.
void add_set(CLI::App& app, std::vector<std::string>& changes);

/// The machine with its changes, each `PATH=VALUE`, in any order that is possible.
Machine with_changes(Machine machine, std::vector<std::string> changes);

}  // namespace narrows
