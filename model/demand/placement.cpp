#include "model/demand/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "model/read_costs.hpp"
#include "topologies/families/formulas.hpp"
#include "topologies/input_error.hpp"
#include "topologies/random.hpp"
#include "topologies/registry.hpp"
#include "topologies/routes/text_lines.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_placed_ranks = std::int64_t{1} << 26;

// A network of which nothing is known but its cuts.
Topology searched_network(const Machine& machine, std::int64_t nodes) {
    const auto searched = static_cast<std::int64_t>(number_at(machine, "network.cut.nodes"));
    if (nodes > searched) {
        throw InputError(fmt::format("{} nodes are more than the {} of {}: give at most -n {}", nodes, searched,
                                     machine.id, searched));
    }
    if (nodes < searched) {
        throw InputError(
            fmt::format("{} is a network of {} nodes, whose cuts are known only for all of them: give -n {}",
                        machine.id, searched, searched));
    }
    if (find(machine, "network.topology") != nullptr) return parse_topology(text_at(machine, "network.topology"));
    ClosedForms network;
    network.spec = machine.network_name.empty() ? machine.id : machine.network_name;
    network.nodes = nodes;
    network.switched = find(machine, "network.cut.injection") != nullptr;
    const auto upper_end = [&machine](const char* path) {
        return Bracket{0, number_at(machine, path), "searched", ""};
    };
    const bool by_flow = find(machine, "network.cut.uniform_flow") != nullptr;
    if (by_flow) network.uniform_flow = upper_end("network.cut.uniform_flow");
    if (!by_flow) network.phi = upper_end("network.cut.pair_flow");
    return Topology(share(std::move(network)));
}

// Of the same family: so many nodes where it has such a member, else how its members are written.
std::string larger_one(const Topology& whole, std::int64_t nodes) {
    try {
        return fmt::format("such as '{}'", whole.with_nodes(nodes).spec());
    } catch (const InputError&) {
        return fmt::format("written '{}'", topology_family(whole.family()).grammar);
    }
}

void require_at_most(const Topology& whole, std::int64_t nodes) {
    if (nodes <= whole.nodes()) return;
    throw InputError(fmt::format("{} nodes are more than the {} of '{}': give a larger topology or set "
                                 "network.topology=..., {}",
                                 nodes, whole.nodes(), whole.spec(), larger_one(whole, nodes)))
        .of_setting("network");
}

}  // namespace

bool can_be_routed(const Placement& placement) {
    constexpr std::int64_t most_nodes = 4096;
    return placement.routing && placement.nodes <= most_nodes && placement.network.links() <= most_links_written_out;
}

std::optional<Routing> routing_of(const Machine& machine) {
    const Parameter* routing = find(machine, "network.routing");
    return routing != nullptr ? std::optional(parse_routing(routing->text)) : std::nullopt;
}

void require_nodes(const Machine& machine, std::int64_t nodes) {
    if (find(machine, "network.topology") == nullptr || has(machine, "network.partitions")) return;
    require_at_most(parse_topology(text_at(machine, "network.topology")), nodes);
}

bool has_network(const Machine& machine) {
    return find(machine, "network.topology") != nullptr || has(machine, "network.partitions") ||
           has(machine, "network.cut");
}

Topology network_of(const Machine& machine, std::int64_t nodes) {
    if (has(machine, "network.cut") && nodes > 1) {
        const auto searched = static_cast<std::int64_t>(number_at(machine, "network.cut.nodes"));
        return searched_network(machine, nodes < searched ? searched : nodes);
    }
    const bool is_listed = find(machine, fmt::format("network.partitions.{}", nodes)) != nullptr;
    if (find(machine, "network.topology") != nullptr && nodes > 1 && !is_listed) {
        Topology whole = parse_topology(text_at(machine, "network.topology"));
        const bool has_parts = whole.phi().exact() || whole.uniform_flow().exact();  // a random graph has none
        if ((whole.switched() || !has_parts) && nodes <= whole.nodes()) return whole;
    }
    return partition(machine, nodes);
}

Topology partition(const Machine& machine, std::int64_t nodes) {
    if (nodes < 1) throw InputError(fmt::format("{} nodes are impossible: give at least 1", nodes));
    if (nodes == 1) return Topology();
    if (has(machine, "network.cut")) return searched_network(machine, nodes);
    const std::string listed = fmt::format("network.partitions.{}", nodes);
    if (find(machine, listed) != nullptr) return parse_topology(text_at(machine, listed));
    std::string nearest;
    std::int64_t size = 0;
    for (const std::string& name : names_below(machine, "network.partitions")) {
        const std::int64_t candidate = std::stoll(name);
        if (candidate > nodes && (size == 0 || candidate < size)) {
            size = candidate;
            nearest = "network.partitions." + name;
        }
    }
    if (nearest.empty() && find(machine, "network.topology") == nullptr) {
        throw InputError(
            fmt::format("machine '{}' has no network for {} nodes: choose one, such as 'torus 8x8x8', or add "
                        "'network.topology' to its file",
                        machine.id, nodes))
            .of_setting("network");
    }
    const Topology whole = parse_topology(text_at(machine, nearest.empty() ? "network.topology" : nearest));
    require_at_most(whole, nodes);
    return whole.nodes() == nodes ? whole : whole.with_nodes(nodes);
}

bool has_room(const Machine& machine, std::int64_t nodes) {
    if (nodes < 2 || find(machine, "network.topology") == nullptr) return true;
    if (find(machine, fmt::format("network.partitions.{}", nodes)) != nullptr) return true;
    std::vector<int> whole = parse_topology(text_at(machine, "network.topology")).shape();
    if (whole.empty()) return true;
    std::vector<int> part;
    try {
        part = partition(machine, nodes).shape();
    } catch (const InputError&) {
        return false;  // a Tofu network has whole units alone
    }
    std::ranges::sort(whole, std::greater());
    std::ranges::sort(part, std::greater());
    part.resize(std::max(part.size(), whole.size()), 1);  // a smaller hypercube has fewer dimensions
    whole.resize(part.size(), 1);
    return std::ranges::equal(part, whole, std::less_equal());
}

std::int64_t processors_of_node(const Machine& machine) {
    double processors = number_or(machine, "node.processors", 1);
    for (const std::string& mode : names_below(machine, "node.modes")) {
        processors = std::max(processors, number_at(machine, "node.modes." + mode));
    }
    return static_cast<std::int64_t>(processors);
}

double turns_on_processors(const Machine& machine, std::int64_t ranks_per_node) {
    const bool known = find(machine, "node.processors") != nullptr || !names_below(machine, "node.modes").empty();
    if (!known) return 1;
    return std::ceil(static_cast<double>(ranks_per_node) / static_cast<double>(processors_of_node(machine)));
}

std::vector<int> default_rank_shape(std::int64_t ranks) {
    constexpr int dimensions = 3;
    std::vector<int> shape = most_cubic_shape(ranks, dimensions);
    std::erase(shape, 1);
    return shape.empty() ? std::vector<int>{1} : shape;
}

bool placed_by_rule(std::string_view text) {
    return text == "consecutive" || text == "round-robin" || text.starts_with("random:") ||
           text.find_first_of("./") == std::string_view::npos;
}

std::vector<int> listed_nodes(std::string_view text, const std::string& file, std::int64_t nodes) {
    const HostFinder numbers(static_cast<int>(std::min(nodes, most_placed_ranks)), {});
    WordLines lines(text, numbers);
    std::vector<int> listed;
    while (const WordLine* line = lines.next()) {
        for (const PlacedWord& word : line->words) {
            if (!word.host) {
                throw InputError(file, line->line, word.column, std::string(line->text),
                                 fmt::format("'{}' is not a node: write its number, 0 to {}", word.text, nodes - 1));
            }
            listed.push_back(*word.host);
        }
    }
    return listed;
}

std::vector<int> placed_ranks(std::string_view rule, std::int64_t nodes, std::int64_t ranks_per_node) {
    if (rule == "consecutive") return {};
    const std::int64_t ranks = nodes * ranks_per_node;
    if (ranks > most_placed_ranks) {
        throw InputError(fmt::format("{} ranks are too many to place one by one: give at most {}, or consecutive ones",
                                     ranks, most_placed_ranks));
    }
    std::vector<int> node(static_cast<std::size_t>(ranks));
    for (std::int64_t rank = 0; rank < ranks; ++rank) node[rank] = static_cast<int>(rank % nodes);
    constexpr std::string_view random_rule = "random:";
    if (rule == "round-robin") return node;
    if (!rule.starts_with(random_rule)) {
        throw InputError(fmt::format("there is no placement '{}'{} (there are: consecutive, round-robin, random:SEED, "
                                     "or a file, which begins with ./)",
                                     rule,
                                     did_you_mean(std::string(rule),
                                                  std::vector<std::string>{"consecutive", "round-robin", "random:1"})))
            .of_setting("placement");
    }
    constexpr std::int64_t most_seeds = std::int64_t{1} << 62;
    std::mt19937_64 random(parse_count(rule.substr(random_rule.size()), "the seed of random:SEED", 0, most_seeds));
    for (std::size_t last = node.size() - 1; last > 0; --last) {
        // Not std::shuffle, whose order differs between libraries.
        std::swap(node[last], node[random_below(random, last + 1)]);
    }
    return node;
}

std::vector<int> nodes_of_ranks(const std::vector<int>& listed, std::string_view rule, std::int64_t nodes,
                                std::int64_t ranks_per_node) {
    if (listed.empty()) return placed_ranks(rule, nodes, ranks_per_node);
    require_even(listed, nodes, ranks_per_node);
    return listed;
}

void require_even(const std::vector<int>& node_of_rank, std::int64_t nodes, std::int64_t ranks_per_node) {
    if (static_cast<std::int64_t>(node_of_rank.size()) != nodes * ranks_per_node) {
        throw InputError(
            fmt::format("the placement has {} ranks, but there are {}: name the node of each, in their order",
                        node_of_rank.size(), nodes * ranks_per_node));
    }
    std::vector<std::int64_t> ranks(static_cast<std::size_t>(nodes), 0);
    for (const int node : node_of_rank) {
        if (node < 0 || node >= nodes) {
            throw InputError(fmt::format("there is no node {}: nodes are numbered from 0 to {}", node, nodes - 1));
        }
        if (++ranks[node] > ranks_per_node) {
            throw InputError(
                fmt::format("node {} gets more than {} ranks: every node runs the same number", node, ranks_per_node));
        }
    }
}

}  // namespace narrows
