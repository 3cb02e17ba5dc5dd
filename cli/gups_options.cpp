#include "cli/gups_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/given_network.hpp"
#include "data/library.hpp"
#include "model/unit.hpp"
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

// The layer whose framing the network's packets get: as asked, else what the variant uses at home, which for software
// routing is the leanest, listed last.
std::string framing_layer(const GupsWords& words, const Machine& machine, const Machine& network) {
    const auto layers = names_below(network, "messaging");
    const bool leanest = words.messaging.empty() && chosen_variant(words, machine) == GupsCode::routed;
    return leanest && !layers.empty() ? layers.back() : words.messaging;
}

// The sharper of the upper ends of φ and t, with what it is.
SearchedNetwork searched(const GivenNetwork& given, const NetworkNumbers& numbers) {
    SearchedNetwork network;
    network.name = given.name;
    network.topology = given.topology;
    network.nodes = given.nodes();
    const bool by_flow = numbers.uniform_flow.upper < numbers.phi.upper;
    const Bracket& sharper = by_flow ? numbers.uniform_flow : numbers.phi;
    network.pair_flow = sharper.upper;
    network.proof =
        fmt::format("{}: {}, {}", by_flow ? "uniform flow t" : "sparsest cut phi", sharper.method, sharper.certificate);
    if (given.topology) return network;
    network.switched = hang_on_switches(*given.graph);
    if (given.capacity_unit == "Gbit/s") {
        double largest = 0;
        for (const auto& edge : given.graph->edges) largest = std::max(largest, edge.capacity);
        network.pair_flow /= largest;
        network.link = parse_bandwidth(fmt::format("{} Gbit/s", largest));
    }
    return network;
}

// A network whose cuts no formula gives is searched for a while.
Machine on_given_network(const Machine& machine, const std::string& network) {
    NetworkWords words;
    words.network = network;
    GivenNetwork given = given_network(words);
    NetworkNumbers numbers = known_numbers(given);
    if (given.topology && (numbers.phi.exact() || numbers.uniform_flow.exact())) {
        return on_network(machine, *given.topology);
    }
    constexpr double seconds = 20;
    AnalysisOptions options;
    options.threads = search_threads();
    options.stop = stop_after(seconds);
    constexpr double seconds_of_work = 1e9;
    options.exact_work = seconds_of_work;
    numbers = analyse(write_out(given), numbers, options).numbers;
    return on_network(machine, searched(given, numbers));
}

// A machine's name, else a topology or a file of a network.
Machine with_network(const Machine& machine, const GupsWords& words) {
    const std::string& network = words.network;
    const auto ids = machine_ids();
    const bool is_machine = network.ends_with(".yaml") || std::find(ids.begin(), ids.end(), network) != ids.end();
    if (is_machine) {
        const Machine other = load_machine(network);
        return on_network(machine, other, framing_layer(words, machine, other));
    }
    const bool means_file = network.find_first_of("./") != std::string::npos || std::filesystem::exists(network);
    if (network.find(' ') == std::string::npos && !means_file) {
        throw InputError(
            fmt::format("--network {}: there is no such machine{} (a topology is written like 'torus 8x8x8')", network,
                        did_you_mean(network, ids)));
    }
    return naming("--network", [&] { return on_given_network(machine, network); });
}

// An option that the variant does not use would change nothing in silence.
void check_used(const std::string& option, const std::string& word, GupsCode variant, GupsCode user) {
    if (word.empty() || variant == user) return;
    throw InputError(
        fmt::format("{} {}: only --variant {} uses it, not {}", option, word, name_of(user), name_of(variant)));
}

// Two options that say the same thing may contradict each other.
void check_alone(const std::string& option, const std::string& word, const std::string& other,
                 const std::string& other_word) {
    if (word.empty() || other_word.empty()) return;
    throw InputError(fmt::format("{} {} and {} {} both say how many ranks a node has: give one of them", option, word,
                                 other, other_word));
}

// A sequential run would ignore what asks for more than one node or rank.
void check_lone(const std::string& option, const std::string& word, std::int64_t number) {
    if (word.empty() || number == 1) return;
    throw InputError(
        fmt::format("{} {}: --variant sequential is one rank on one node: leave {} out", option, number, option));
}

void check_pages(const GupsWords& words, const Machine& machine) {
    constexpr const char* path = "compute.gups.update_4KiB_pages";
    if (!small_pages(words.pages) || has(machine, path)) return;
    throw InputError(fmt::format(
        "--pages {}: machine '{}' has no '{}': add it to its file, give it with --set, or leave --pages out",
        words.pages, machine.id, path));
}

Data checked_table(const GupsWords& words, const Machine& machine, std::int64_t nodes) {
    constexpr double word = 8;
    const Data table = parse_data(words.table);
    if (table.si() < word) throw InputError("a table has at least one word of 8 bytes");
    if (std::fmod(table.si(), word) != 0) {
        throw InputError(fmt::format("'{}' is not a whole number of words: give a multiple of 8 B", words.table));
    }
    if (find(machine, "node.memory.size") == nullptr) return table;
    const Data memory = data_at(machine, "node.memory.size");
    if (table <= memory * static_cast<double>(nodes)) return table;
    throw InputError(fmt::format(
        "'{}' does not fit into the memory of {} of {} (node.memory.size): give a smaller table{}", words.table,
        nodes == 1 ? "a node" : fmt::format("{} nodes", nodes), print(memory), nodes == 1 ? "" : " or more nodes"));
}

void choose_ranks(const GupsWords& words, std::int64_t nodes, GupsQuery& query) {
    const bool lone = query.variant == GupsCode::sequential;
    if (!words.ranks_per_node.empty()) {
        query.ranks_per_node = count(words.ranks_per_node, "--ranks-per-node");
        if (lone) check_lone("--ranks-per-node", words.ranks_per_node, *query.ranks_per_node);
    }
    if (words.ranks.empty()) return;
    const std::int64_t ranks = count(words.ranks, "--ranks");
    if (lone) return check_lone("--ranks", words.ranks, ranks);
    if (ranks % nodes != 0) {
        throw InputError(fmt::format("--ranks {}: not a multiple of the {} nodes of -n", ranks, nodes));
    }
    query.ranks_per_node = ranks / nodes;
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

GupsCode chosen_variant(const GupsWords& words, const Machine& machine) {
    if (!words.variant.empty()) return naming("--variant", [&] { return gups_variant(words.variant); });
    const auto possible = gups_variants(machine);
    if (possible.empty()) {
        throw InputError(
            fmt::format("machine '{}' has no costs of gups: add 'compute.gups.update' to its file", machine.id));
    }
    return possible.front();
}

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
    app.add_option("--network", words->network,
                   "put the nodes on this machine's network, in this topology, or on the network in this file");
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
        machine = naming("--set " + change, [&, &p = path, &v = value] { return changed_machine(machine, p, v); });
    }
    return machine;
}

std::int64_t chosen_nodes(const GupsWords& words, const Machine& machine) {
    if (!words.nodes.empty()) return count(words.nodes, "-n");
    if (words.ranks.empty() && find(machine, "network.cut.nodes") != nullptr) {
        return static_cast<std::int64_t>(number_at(machine, "network.cut.nodes"));
    }
    if (!words.ranks.empty() || find(machine, "network.topology") == nullptr) return 1;
    return parse_topology(text_at(machine, "network.topology")).nodes();
}

GupsQuery chosen_query(const GupsWords& words, const Machine& machine, std::int64_t nodes) {
    GupsQuery query;
    query.variant = chosen_variant(words, machine);
    query.nodes = query.variant == GupsCode::sequential ? 1 : nodes;
    check_used("--bucket", words.bucket, query.variant, GupsCode::routed);
    check_used("--test-interval", words.test_interval, query.variant, GupsCode::bucketed);
    check_alone("--ranks", words.ranks, "--ranks-per-node", words.ranks_per_node);
    check_alone("--mode", words.mode, "--ranks", words.ranks);
    check_alone("--mode", words.mode, "--ranks-per-node", words.ranks_per_node);
    check_pages(words, machine);
    if (query.variant == GupsCode::sequential) check_lone("-n", words.nodes, nodes);
    query.mode = words.mode;
    query.messaging = words.messaging;
    query.small_pages = small_pages(words.pages);
    choose_ranks(words, nodes, query);
    if (!words.shape.empty()) query.shape = naming("--shape", [&] { return parse_shape(words.shape); });
    if (!words.table.empty())
        query.table = naming("--table", [&] { return checked_table(words, machine, query.nodes); });
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
