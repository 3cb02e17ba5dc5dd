#include "cli/workload_options.hpp"

#include <fmt/format.h>

#include <set>

#include "cli/command.hpp"
#include "cli/value_list.hpp"
#include "data/whole_file.hpp"
#include "model/demand/placement.hpp"
#include "topologies/shape.hpp"
#include "topologies/topology.hpp"

namespace narrows {
namespace {

// Many families have members of a few sizes only.
bool can_have(const Topology& topology, std::int64_t nodes) {
    try {
        return topology.with_nodes(nodes).nodes() == nodes;
    } catch (const InputError&) {
        return false;
    }
}

// `20%` is a value, and hardly ever the one that is meant.
Machine changed_machine(const Machine& machine, const std::string& path, const std::string& value) {
    try {
        return with_change(machine, path, value);
    } catch (const InputError& error) {
        const bool unsigned_share = value.ends_with('%') && value.find_first_of("+-") == std::string::npos;
        if (!unsigned_share) throw;
        throw InputError(fmt::format("{}; to change it by a share write '+{}' or '-{}'", error.what(), value, value));
    }
}

}  // namespace

const Options& workload_options() {
    static const Options rows = {
        Option{"-n,--nodes",
               "nodes of the machine, such as 64; a table takes lists: 32,64,..65536, 1..64, 8..64+8 or 10..100*1.5"}
            .taking_count(),
        {"--ranks", "ranks in all, shared evenly by the nodes; without -n by one node", node_limit},
        {"--ranks-per-node", "ranks on each node", node_limit},
        Option{"--protocol", "one of the machine's protocols; default: its first"}.taking("PROTOCOL"),
        Option{"--bytes",
               "of each message, or of a collective's vector or block; default: 8; a table takes lists: 8,64,1KiB, "
               "8..4MiB, its end included, or 8..1KiB+8"}
            .taking_bytes(),
        Option{"--network", "put the nodes on this machine's network, in this topology, or on the network in this file"}
            .taking("MACHINE|SPEC|FILE"),
        Option{"--hosts", "the job's hosts of the network: first:64, random:64:SEED or a file"}.taking(
            "first:N|random:N:SEED|FILE"),
        Option{"--placement",
               "ranks on nodes: consecutive (default), round-robin, random:SEED or a file with each rank's node"}
            .taking("consecutive|round-robin|random:SEED|FILE"),
        Option{"--background", "share of every link that other jobs take, such as 20%"}.taking_fraction("SHARE"),
    };
    return rows;
}

std::pair<std::string, std::string> split_change(const std::string& change) {
    const auto equals = change.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == change.size()) {
        throw InputError(fmt::format("--set {}: write PATH=VALUE, such as network.link.bandwidth=2x", change));
    }
    return {change.substr(0, equals), change.substr(equals + 1)};
}

void add_set(CLI::App& app, std::vector<std::string>& changes) {
    app.add_option("--set", changes, "change a parameter: PATH=2x, PATH=-20%, PATH='2.8 Gbit/s'")
        ->option_text("PATH=VALUE ...");
}

Machine with_changes(Machine machine, std::vector<std::string> changes) {
    while (!changes.empty()) {  // some are possible after others alone, such as a routing that another topology needs
        std::optional<InputError> refusal;
        std::vector<std::string> refused;
        for (const std::string& change : changes) {
            const auto [path, value] = split_change(change);
            try {
                machine = with_option_context("--set " + change,
                                              [&, &p = path, &v = value] { return changed_machine(machine, p, v); });
            } catch (const InputError& error) {
                if (!refusal) refusal = error;
                refused.push_back(change);
            }
        }
        if (refused.size() == changes.size()) throw InputError(*refusal);
        changes = std::move(refused);
    }
    return machine;
}

void choose_placement(const std::string& word, std::int64_t nodes, std::string& rule, std::vector<int>& node_of_rank) {
    if (placed_by_rule(word)) {
        rule = word;
        return;
    }
    node_of_rank = with_option_context("--placement", [&] { return listed_nodes(read_whole_file(word), word, nodes); });
}

double chosen_background(const OptionWords& words) {
    if (!words.has("--background")) return 0;
    const Measure share = with_option_context("--background", [&] { return parse_measure(words["--background"]); });
    if (share.dimension == Dimension::number && share.value >= 0 && share.value < 1) return share.value;
    throw InputError(
        fmt::format("--background {}: give a share from 0 % to below 100 %, such as 20%", words["--background"]));
}

std::int64_t chosen_nodes(const OptionWords& words, const Machine& machine) {
    if (is_varied(words["--nodes"]))
        throw InputError(
            fmt::format("-n {}: give one number; 'narrows table' and 'sweep' take lists", words["--nodes"]));
    if (words.has("--nodes")) return parse_count(words["--nodes"], "-n", 1, node_limit);
    if (!words.has("--ranks") && find(machine, "network.cut.nodes") != nullptr) {
        return static_cast<std::int64_t>(number_at(machine, "network.cut.nodes"));
    }
    if (words.has("--ranks") || !has_network(machine)) return 1;
    if (find(machine, "network.topology") == nullptr) return machine_sizes(machine).back();
    return parse_topology(text_at(machine, "network.topology")).nodes();
}

std::vector<std::int64_t> machine_sizes(const Machine& machine, bool parts) {
    if (has(machine, "network.cut")) return {static_cast<std::int64_t>(number_at(machine, "network.cut.nodes"))};
    std::set<std::int64_t> sizes;
    for (const std::string& name : names_below(machine, "network.partitions")) sizes.insert(std::stoll(name));
    if (sizes.empty() && find(machine, "network.topology") != nullptr) {
        const Topology whole = parse_topology(text_at(machine, "network.topology"));
        for (std::int64_t nodes = 2; nodes < whole.nodes(); nodes *= 2) {
            if ((parts && whole.switched()) || can_have(whole, nodes)) sizes.insert(nodes);
        }
        sizes.insert(whole.nodes());
    }
    if (sizes.empty()) sizes.insert(1);  // a node without a network
    return {sizes.begin(), sizes.end()};
}

std::vector<std::int64_t> parse_sizes(const std::string& text, const std::string& option) {
    return parse_counts(text, option, 1, node_limit);
}

std::vector<std::int64_t> parse_counts(const std::string& text, const std::string& option, std::int64_t least,
                                       std::int64_t most) {
    if (!is_varied(text)) return {parse_count(text, option, least, most)};
    return whole_values(option, text, [=](const std::string& size) { return parse_count(size, "size", least, most); });
}

}  // namespace narrows
