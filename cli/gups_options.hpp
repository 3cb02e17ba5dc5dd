#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/gups/workload.hpp"
#include "model/machine.hpp"

#include "cli/options.hpp"

namespace narrows {

/// The options by which `predict`, `table`, `what-if` and `sensitivity` say what is to be predicted, as typed.
struct GupsWords {
    std::string workload;
    std::string machine;
    std::string nodes;
    std::string ranks;
    std::string ranks_per_node;
    std::string mode;
    std::string messaging;
    std::string variant;
    std::string shape;
    std::string table;
    std::string updates;
    std::string bucket;
    std::string test_interval;
    std::string pages;
    std::string network;
    std::vector<std::string> changes;  ///< `PATH=VALUE`
};

/// Adds the options to `app`; the words are filled in when it parses.
void add_gups_options(CLI::App& app, const std::shared_ptr<GupsWords>& words);

/// The machine that the words name, on the network they name, with their changes if `with_changes`.
Machine chosen_machine(const GupsWords& words, bool with_changes = true);

/// The variant that the words name, else the machine's first. InputError when it has the costs of none.
GupsCode chosen_variant(const GupsWords& words, const Machine& machine);

/// The query for `nodes` nodes. InputError names the option that is wrong.
GupsQuery chosen_query(const GupsWords& words, const Machine& machine, std::int64_t nodes);

/// The one number of nodes of `-n`; without it 1 if only `--ranks` is given, else the whole machine.
std::int64_t chosen_nodes(const GupsWords& words, const Machine& machine);

/// A list of sizes: `32,64,..65536` continues the ratio of the two before, `2..4096` doubles.
std::vector<std::int64_t> parse_sizes(const std::string& text, const std::string& option);

/// Splits `PATH=VALUE`. InputError when there is no `=`.
std::pair<std::string, std::string> split_change(const std::string& change);

}  // namespace narrows
