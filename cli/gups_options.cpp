#include "cli/gups_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "data/library.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

std::int64_t count(const std::string& text, const std::string& option, std::int64_t high = node_limit) {
    return parse_count(text, option, 1, high);
}

bool small_pages(const std::string& pages) {
    if (pages.empty() || pages == "2MiB" || pages == "2 MiB") return false;
    if (pages == "4KiB" || pages == "4 KiB") return true;
    throw InputError(fmt::format("--pages {}: pages are '2MiB' or '4KiB'", pages));
}

GupsCode chosen_variant(const GupsWords& words, const Machine& machine) {
    if (!words.variant.empty()) return naming("--variant", [&] { return gups_variant(words.variant); });
    const auto possible = gups_variants(machine);
    if (possible.empty()) {
        throw InputError(
            fmt::format("machine '{}' has no costs of gups: add 'compute.gups.update' to its file", machine.id));
    }
    return possible.front();
}

// The layer whose framing the network's packets get: as asked, else what the variant uses at home, which for software
// routing is the leanest, listed last.
std::string framing_layer(const GupsWords& words, const Machine& machine, const Machine& network) {
    const auto layers = names_below(network, "messaging");
    const bool leanest = words.messaging.empty() && chosen_variant(words, machine) == GupsCode::routed;
    return leanest && !layers.empty() ? layers.back() : words.messaging;
}

// A machine's name, else a topology.
Machine with_network(const Machine& machine, const GupsWords& words) {
    const std::string& network = words.network;
    const auto ids = machine_ids();
    const bool is_machine = network.ends_with(".yaml") || std::find(ids.begin(), ids.end(), network) != ids.end();
    if (is_machine) {
        const Machine other = load_machine(network);
        return on_network(machine, other, framing_layer(words, machine, other));
    }
    if (network.find(' ') == std::string::npos && !std::filesystem::exists(network)) {
        throw InputError(
            fmt::format("--network {}: there is no such machine{} (a topology is written like 'torus 8x8x8')", network,
                        did_you_mean(network, ids)));
    }
    return naming("--network", [&] { return on_network(machine, parse_topology(network)); });
}

// An option that the variant does not use would change nothing in silence.
void check_used(const std::string& option, const std::string& word, GupsCode variant, GupsCode user) {
    if (word.empty() || variant == user) return;
    throw InputError(
        fmt::format("{} {}: only --variant {} uses it, not {}", option, word, name_of(user), name_of(variant)));
}

}  // namespace

void add_gups_options(CLI::App& app, const std::shared_ptr<GupsWords>& words) {
    app.add_option("WORKLOAD", words->workload, "gups")->required();
    app.add_option("-m,--machine", words->machine, "a shipped machine or a machine file")->required();
    app.add_option("-n,--nodes", words->nodes, "nodes of the machine");
    app.add_option("--ranks", words->ranks, "ranks in all, shared evenly by the nodes");
    app.add_option("--ranks-per-node", words->ranks_per_node, "ranks on each node");
    app.add_option("--mode", words->mode, "how ranks share a node, such as coprocessor or virtual-node");
    app.add_option("--messaging", words->messaging, "messaging layer; default: the machine's first");
    app.add_option("--variant", words->variant, "naive, bucketed, routed, shmem or sequential");
    app.add_option("--shape", words->shape, "arrangement of the ranks or nodes, such as 64x32x32");
    app.add_option("--table", words->table, "table of all ranks together, such as '32 MiB'");
    app.add_option("--updates", words->updates, "updates of all ranks together; default: four a word of the table");
    app.add_option("--bucket", words->bucket, "routed: updates a bucket holds; default: 1024 / sum of the shape");
    app.add_option("--test-interval", words->test_interval, "bucketed: updates between tests of the previous send");
    app.add_option("--pages", words->pages, "2MiB (default) or 4KiB");
    app.add_option("--network", words->network, "put the nodes on this machine's network, or in this topology");
    app.add_option("--set", words->changes, "change a parameter: PATH=2x, PATH=-20%, PATH='2.8 Gbit/s'")
        ->option_text("PATH=VALUE ...");
}

std::pair<std::string, std::string> split_change(const std::string& change) {
    const auto equals = change.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == change.size()) {
        throw InputError(fmt::format("--set {}: write PATH=VALUE, such as network.link.bandwidth=2x", change));
    }
    return {change.substr(0, equals), change.substr(equals + 1)};
}

Machine chosen_machine(const GupsWords& words, bool with_changes) {
    if (words.workload != "gups") {
        throw InputError(fmt::format("there is no workload '{}'{} (there is: gups)", words.workload,
                                     did_you_mean(words.workload, std::vector<std::string>{"gups"})));
    }
    Machine machine = load_machine(words.machine);
    if (!words.network.empty()) machine = with_network(machine, words);
    if (!with_changes) return machine;
    for (const std::string& change : words.changes) {
        const auto [path, value] = split_change(change);
        machine = naming("--set " + change, [&, &p = path, &v = value] { return with_change(machine, p, v); });
    }
    return machine;
}

std::int64_t chosen_nodes(const GupsWords& words, const Machine& machine) {
    if (!words.nodes.empty()) return count(words.nodes, "-n");
    if (!words.ranks.empty() || find(machine, "network.topology") == nullptr) return 1;
    return parse_topology(text_at(machine, "network.topology")).nodes();
}

GupsQuery chosen_query(const GupsWords& words, const Machine& machine, std::int64_t nodes) {
    GupsQuery query;
    query.variant = chosen_variant(words, machine);
    query.nodes = query.variant == GupsCode::sequential ? 1 : nodes;
    check_used("--bucket", words.bucket, query.variant, GupsCode::routed);
    check_used("--test-interval", words.test_interval, query.variant, GupsCode::bucketed);
    query.mode = words.mode;
    query.messaging = words.messaging;
    query.small_pages = small_pages(words.pages);
    if (!words.ranks_per_node.empty()) query.ranks_per_node = count(words.ranks_per_node, "--ranks-per-node");
    if (!words.ranks.empty()) {
        const std::int64_t ranks = count(words.ranks, "--ranks");
        if (ranks % nodes != 0) {
            throw InputError(fmt::format("--ranks {}: not a multiple of the {} nodes of -n", ranks, nodes));
        }
        query.ranks_per_node = ranks / nodes;
    }
    if (!words.shape.empty()) query.shape = naming("--shape", [&] { return parse_shape(words.shape); });
    if (!words.table.empty()) query.table = naming("--table", [&] { return parse_data(words.table); });
    if (query.table && query.table->si() < 8) throw InputError("--table: a table has at least one word of 8 bytes");
    if (!words.updates.empty()) query.updates = static_cast<double>(count(words.updates, "--updates"));
    if (!words.bucket.empty()) query.bucket = static_cast<int>(count(words.bucket, "--bucket", 1024));
    if (!words.test_interval.empty()) {
        query.test_interval = static_cast<double>(count(words.test_interval, "--test-interval"));
    }
    return query;
}

std::vector<std::int64_t> parse_sizes(const std::string& text, const std::string& option) {
    std::vector<std::int64_t> sizes;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        const std::string word = text.substr(begin, comma - begin);
        begin = comma + 1;
        const auto dots = word.find("..");
        if (word.empty() || word.ends_with("..")) {
            throw InputError(fmt::format("{} '{}' lacks a size: write sizes like 32,64,..65536", option, text));
        }
        if (dots == std::string::npos) {
            sizes.push_back(count(word, option));
            continue;
        }
        if (dots > 0) sizes.push_back(count(word.substr(0, dots), option));
        const std::int64_t last = count(word.substr(dots + 2), option);
        if (sizes.empty()) throw InputError(fmt::format("{} {}: '..' needs a size before it", option, text));
        const std::size_t known = sizes.size();
        const std::int64_t ratio = known > 1 && dots == 0 ? sizes[known - 1] / sizes[known - 2] : 2;
        if (ratio < 2 || last < sizes.back()) {
            throw InputError(fmt::format("{} {}: '..' continues upwards by a ratio of at least 2", option, text));
        }
        while (sizes.back() <= last / ratio) sizes.push_back(sizes.back() * ratio);
    }
    return sizes;
}

}  // namespace narrows
