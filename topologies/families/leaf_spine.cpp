// Star, leaf-spine and Roadrunner's fat tree of compute units: leaf switches of d hosts with u uplinks divided evenly
// over spine switches. A spine has as many links to each leaf, so it goes with the majority and costs
// min(|A|, L−|A|) of them, and it passes on whatever the leaves' links carry: the conditions of `LeafCuts`.
#include <fmt/format.h>

#include <algorithm>

#include "topologies/families/formulas.hpp"
#include "topologies/families/leaf_cuts.hpp"
#include "topologies/families/makers.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_of_a_switch = 65536;

struct LeafSpine {
    std::int64_t leaves = 1;
    std::int64_t hosts_of_leaf = 1;
    std::int64_t spines = 0;
    /// Links between a leaf and a spine.
    std::int64_t links_of_pair = 1;
    /// Nodes that the last leaf lacks.
    std::int64_t unused = 0;

    std::int64_t uplinks() const { return spines * links_of_pair; }
    std::int64_t nodes() const { return leaves * hosts_of_leaf - unused; }
    std::int64_t links() const { return nodes() + leaves * uplinks(); }
    std::int64_t degree() const {
        return std::max(std::min(hosts_of_leaf, nodes()) + uplinks(), spines == 0 ? 0 : leaves * links_of_pair);
    }
};

Network graph_of(const LeafSpine& tree) {
    Network network = unlinked(tree.nodes(), tree.leaves + tree.spines, tree.links());
    const int hosts = network.hosts;
    for (int host = 0; host < hosts; ++host) network.connect(host, hosts + host / static_cast<int>(tree.hosts_of_leaf));
    for (int leaf = 0; leaf < tree.leaves; ++leaf) {
        for (int up = 0; up < tree.uplinks(); ++up) {
            network.connect(hosts + leaf,
                            hosts + static_cast<int>(tree.leaves) + up / static_cast<int>(tree.links_of_pair));
        }
    }
    return network;
}

Distances distances_of(const LeafSpine& tree, const LeafCuts& cuts) {
    if (tree.nodes() == 1) return {};
    const double near = cuts.pairs_within_leaves() / ordered_pairs(tree.nodes());
    return {tree.leaves == 1 ? 2 : 4, 2 * near + 4 * (1 - near)};
}

ClosedForms named(std::string spec, const LeafSpine& tree) {
    require_countable(spec, static_cast<double>(tree.nodes()), static_cast<double>(tree.links()));
    const LeafCuts cuts(tree.nodes(), tree.hosts_of_leaf, tree.uplinks());
    ClosedForms network = forms_of(tree, std::move(spec));
    network.switched = true;
    network.tree = true;
    network.distances = distances_of(tree, cuts);
    take_cuts(network, cuts);
    network.blocks.emplace();
    if (tree.leaves > 1) network.blocks->push_back({tree.hosts_of_leaf, static_cast<double>(tree.uplinks())});
    return network;
}

std::shared_ptr<const ClosedForms> star(std::int64_t hosts) {
    ClosedForms network = named(fmt::format("star {}", hosts), {1, hosts, 0, 1});
    network.resized = [](std::int64_t nodes) {
        if (nodes < 1 || nodes > graph_limit) {
            throw InputError(fmt::format("a star cannot have {} nodes: give from 1 to {}", nodes, graph_limit));
        }
        return star(nodes);
    };
    return share(std::move(network));
}

using Maker = std::shared_ptr<const ClosedForms> (*)(LeafSpine);

/// The same tree with as many leaves as so many nodes need.
LeafSpine with_nodes(LeafSpine tree, std::int64_t nodes) {
    tree.leaves = (nodes + tree.hosts_of_leaf - 1) / tree.hosts_of_leaf;
    tree.unused = tree.leaves * tree.hosts_of_leaf - nodes;
    return tree;
}

std::shared_ptr<const ClosedForms> resized(const std::string& spec, Maker make, const LeafSpine& tree,
                                           std::int64_t nodes) {
    const std::int64_t most = tree.hosts_of_leaf * most_of_a_switch;
    if (nodes < 1 || nodes > most) {
        throw InputError(fmt::format("'{}' cannot be resized to {} nodes: give from 1 to {}", spec, nodes, most));
    }
    return make(with_nodes(tree, nodes));
}

std::string used_text(const LeafSpine& tree) {
    return tree.unused == 0 ? "" : fmt::format(" used={}", tree.nodes());
}

/// The nodes of all leaves, or as many as the words say.
LeafSpine of_used(const LeafSpine& tree, const TopologySpec& spec) {
    return with_nodes(tree, spec.count("used", 1, tree.nodes(), tree.nodes()));
}

std::shared_ptr<const ClosedForms> leaf_spine(LeafSpine tree) {
    const std::string spec =
        fmt::format("leaf-spine leaves={} hosts={} spines={}{}{}", tree.leaves, tree.hosts_of_leaf, tree.spines,
                    tree.links_of_pair == 1 ? "" : fmt::format(" links={}", tree.links_of_pair), used_text(tree));
    ClosedForms network = named(spec, tree);
    network.resized = [=](std::int64_t nodes) { return resized(spec, leaf_spine, tree, nodes); };
    return share(std::move(network));
}

std::shared_ptr<const ClosedForms> cu_fat_tree(LeafSpine tree) {
    const std::string spec = fmt::format("cu-fat-tree units={} nodes={} uplinks={} spines={}{}", tree.leaves,
                                         tree.hosts_of_leaf, tree.uplinks(), tree.spines, used_text(tree));
    ClosedForms network = named(spec, tree);
    network.resized = [=](std::int64_t nodes) { return resized(spec, cu_fat_tree, tree, nodes); };
    return share(std::move(network));
}

}  // namespace

std::shared_ptr<const ClosedForms> make_star(const TopologySpec& spec) {
    return star(parse_count(*spec.size, "the number of nodes", 1, graph_limit));
}

std::shared_ptr<const ClosedForms> make_leaf_spine(const TopologySpec& spec) {
    const LeafSpine whole = {spec.count("leaves", 1, most_of_a_switch, 1), spec.count("hosts", 1, most_of_a_switch, 1),
                             spec.count("spines", 1, most_of_a_switch, 1), spec.count("links", 1, most_of_a_switch, 1)};
    return leaf_spine(of_used(whole, spec));
}

std::shared_ptr<const ClosedForms> make_cu_fat_tree(const TopologySpec& spec) {
    const std::int64_t uplinks = spec.count("uplinks", 1, most_of_a_switch, 1);
    const std::int64_t spines = spec.count("spines", 1, most_of_a_switch, 1);
    if (uplinks % spines != 0) {
        throw InputError(fmt::format("{} uplinks do not divide evenly over {} spines: give a multiple of {}", uplinks,
                                     spines, spines));
    }
    const LeafSpine whole = {spec.count("units", 1, most_of_a_switch, 1), spec.count("nodes", 1, most_of_a_switch, 1),
                             spines, uplinks / spines};
    return cu_fat_tree(of_used(whole, spec));
}

}  // namespace narrows
