// Dragonfly+: Shpiner, Haramaty, Eliad, Zdornov, Gafni and Zahavi, "Dragonfly+: low cost topology for scaling
// datacenters", HiPINEB 2017. A group is a complete bipartite graph of leaf switches, which have the hosts, and spine
// switches, which have the links to other groups. By formula: its size, and upper ends from cuts of one host, of one
// leaf and of groups.
#include <fmt/format.h>

#include <algorithm>

#include "topologies/families/formulas.hpp"
#include "topologies/families/makers.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_of_each = 65536;

struct DragonflyPlus {
    std::int64_t groups = 1, leaves = 1, spines = 1, hosts = 1;
    /// Between two groups.
    std::int64_t links_of_pair = 1;

    std::int64_t nodes() const { return groups * leaves * hosts; }
    std::int64_t global_links_of_group() const { return groups == 1 ? 0 : links_of_pair * (groups - 1); }
    std::int64_t links() const {
        return nodes() + groups * leaves * spines + links_of_pair * (groups * (groups - 1) / 2);
    }
    /// Global links of the fullest spine: they are dealt to the spines of a group in turn.
    std::int64_t global_links_of_spine() const { return (global_links_of_group() + spines - 1) / spines; }
    std::int64_t degree() const { return std::max(hosts + spines, leaves + global_links_of_spine()); }
    /// The spine of group `from` with the given link to group `to`.
    std::int64_t spine(std::int64_t from, std::int64_t to, std::int64_t link) const {
        return (link * (groups - 1) + (to < from ? to : to - 1)) % spines;
    }
};

Network graph_of(const DragonflyPlus& fly) {
    const std::int64_t switches = fly.groups * (fly.leaves + fly.spines);
    Network network = unlinked(fly.nodes(), switches, fly.links());
    const std::int64_t first_leaf = fly.nodes();
    const std::int64_t first_spine = first_leaf + fly.groups * fly.leaves;
    const auto connect = [&](std::int64_t u, std::int64_t v) {
        network.connect(static_cast<int>(u), static_cast<int>(v));
    };
    for (std::int64_t host = 0; host < fly.nodes(); ++host) connect(host, first_leaf + host / fly.hosts);
    for (std::int64_t leaf = 0; leaf < fly.groups * fly.leaves; ++leaf) {
        const std::int64_t group = leaf / fly.leaves;
        for (std::int64_t s = 0; s < fly.spines; ++s) connect(first_leaf + leaf, first_spine + group * fly.spines + s);
    }
    for (std::int64_t from = 0; from < fly.groups; ++from) {
        for (std::int64_t to = from + 1; to < fly.groups; ++to) {
            for (std::int64_t link = 0; link < fly.links_of_pair; ++link) {
                connect(first_spine + from * fly.spines + fly.spine(from, to, link),
                        first_spine + to * fly.spines + fly.spine(to, from, link));
            }
        }
    }
    return network;
}

void bound_cuts(ClosedForms& network, const DragonflyPlus& fly) {
    if (network.nodes == 1) {
        fill_single_node(network);
        return;
    }
    const auto of_leaf = static_cast<double>(fly.hosts);
    const double of_group = of_leaf * static_cast<double>(fly.leaves);
    const std::int64_t half = fly.groups / 2;
    const auto improve = [&](const std::string& what, double links, double hosts) {
        improve_by_cut(network, what, links, hosts, "hosts");
    };
    improve("one host's link", 1, 1);
    improve("one leaf switch", static_cast<double>(fly.spines), of_leaf);
    improve("one group", static_cast<double>(fly.global_links_of_group()), of_group);
    improve(fmt::format("{} of {} groups", half, fly.groups),
            static_cast<double>(half * (fly.groups - half) * fly.links_of_pair), static_cast<double>(half) * of_group);
    network.uniform_flow = network.phi;
}

}  // namespace

std::shared_ptr<const ClosedForms> make_dragonfly_plus(const TopologySpec& spec) {
    DragonflyPlus fly;
    fly.groups = spec.count("groups", 1, most_of_each, 1);
    fly.leaves = spec.count("leaves", 1, most_of_each, 1);
    fly.spines = spec.count("spines", 1, most_of_each, 1);
    fly.hosts = spec.count("hosts", 1, most_of_each, 1);
    fly.links_of_pair = spec.count("links", 1, most_of_each, 1);
    const std::string text =
        fmt::format("dragonfly-plus groups={} leaves={} spines={} hosts={}{}", fly.groups, fly.leaves, fly.spines,
                    fly.hosts, fly.links_of_pair == 1 ? "" : fmt::format(" links={}", fly.links_of_pair));
    require_countable(text, static_cast<double>(fly.groups * fly.leaves) * static_cast<double>(fly.hosts),
                      static_cast<double>(fly.groups * fly.leaves) * static_cast<double>(fly.hosts + fly.spines) +
                          static_cast<double>(fly.groups * fly.groups) * static_cast<double>(fly.links_of_pair));
    ClosedForms network = forms_of(fly, text);
    network.switched = true;
    network.sizing = "choose groups, leaves and hosts, whose product is the number of nodes";
    bound_cuts(network, fly);
    return share(std::move(network));
}

}  // namespace narrows
