// Dragonfly: Kim, Dally, Scott and Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008. The wiring
// of groups is as in Hastings, Rincon-Cruz, Spehlmann, Meyers, Xu, Bunde and Leung, "Comparing global link arrangements
// for Dragonfly networks", CLUSTER 2015. By formula: its size, and upper ends from cuts between groups, k of g on one
// side, which cut k(g−k) times the links of a pair.
#include <fmt/format.h>

#include <algorithm>

#include "topologies/families/formulas.hpp"
#include "topologies/families/makers.hpp"
#include "topologies/families/pendant_hosts.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_of_a_group = 65536;

struct Dragonfly {
    /// Routers of a group, hosts and global links of a router, groups, links between two groups.
    std::int64_t a = 1, p = 0, h = 0, g = 1, links_of_pair = 0;
    bool palm_tree = false;

    /// Of the routers alone.
    std::int64_t nodes() const { return a * g; }
    std::int64_t degree() const { return a - 1 + std::min(h, links_of_pair * (g - 1)); }
    std::int64_t links() const { return g * (a * (a - 1) / 2) + links_of_pair * (g * (g - 1) / 2); }

    /// The global port of group `from`, of its a·h, that the first link to group `to` takes.
    std::int64_t port(std::int64_t from, std::int64_t to) const {
        if (palm_tree) return (from - to - 1 + g) % g;
        return to < from ? to : to - 1;
    }
    /// Router at the end of the given link between two groups. Its links fill the ports of a group in rounds.
    int router(std::int64_t from, std::int64_t to, std::int64_t link) const {
        return static_cast<int>(from * a + (link * (g - 1) + port(from, to)) / h);
    }
};

Network graph_of(const Dragonfly& fly) {
    Network network = unlinked(fly.nodes(), 0, fly.links());
    for (int router = 0; router < network.hosts; ++router) {
        const int end = (router / static_cast<int>(fly.a) + 1) * static_cast<int>(fly.a);
        for (int other = router + 1; other < end; ++other) network.connect(router, other);
    }
    for (std::int64_t from = 0; from < fly.g; ++from) {
        for (std::int64_t to = from + 1; to < fly.g; ++to) {
            for (std::int64_t link = 0; link < fly.links_of_pair; ++link) {
                network.connect(fly.router(from, to, link), fly.router(to, from, link));
            }
        }
    }
    return network;
}

void bound_cuts(ClosedForms& network, const Dragonfly& fly) {
    if (network.nodes == 1) fill_single_node(network);
    const std::int64_t half = fly.g / 2;
    improve_by_cut(network, fmt::format("{} of {} groups", half, fly.g),
                   static_cast<double>(half * (fly.g - half) * fly.links_of_pair), static_cast<double>(half * fly.a),
                   "routers");
    network.uniform_flow = network.phi;
}

/// Routers alone, where all have as many links, and whole groups.
std::vector<HostBlocks> blocks_of(const Dragonfly& fly) {
    std::vector<HostBlocks> blocks;
    const auto global = static_cast<double>(fly.links_of_pair * (fly.g - 1));
    const bool fills_ports = fly.g == 1 || fly.links_of_pair * (fly.g - 1) == fly.a * fly.h;
    if (fills_ports) blocks.push_back({1, static_cast<double>(fly.a - 1) + global / static_cast<double>(fly.a)});
    if (fly.g > 1) blocks.push_back({fly.a, global});
    return blocks;
}

std::int64_t links_of_a_pair(const TopologySpec& spec, const Dragonfly& fly) {
    const std::int64_t ports = fly.a * fly.h;
    if (fly.g == 1) return 0;
    if (fly.g - 1 > ports) {
        throw InputError(
            fmt::format("a dragonfly of {} groups needs {} global links a group, but a={} routers of "
                        "h={} have {}: give g of at most {}",
                        fly.g, fly.g - 1, fly.a, fly.h, ports, ports + 1));
    }
    const std::int64_t links = spec.count("links", 1, most_of_a_group, ports / (fly.g - 1));
    if (links > ports / (fly.g - 1)) {
        throw InputError(
            fmt::format("{} links to each of {} other groups are more than the {} global links of a "
                        "group: give links of at most {}",
                        links, fly.g - 1, ports, ports / (fly.g - 1)));
    }
    return links;
}

Dragonfly parse_dragonfly(const TopologySpec& spec) {
    Dragonfly fly;
    fly.a = spec.count("a", 1, most_of_a_group, 1);
    fly.p = spec.count("p", 0, most_of_a_group, 0);
    fly.h = spec.count("h", 1, most_of_a_group, 1);
    fly.g = spec.count("g", 1, node_limit, fly.a * fly.h + 1);
    const auto wiring = spec.parameters.find("wiring");
    const std::string name = wiring == spec.parameters.end() ? "absolute" : wiring->second;
    if (name != "absolute" && name != "palm-tree") {
        throw InputError(fmt::format("a dragonfly has no wiring '{}': write absolute or palm-tree", name));
    }
    fly.palm_tree = name == "palm-tree";
    fly.links_of_pair = links_of_a_pair(spec, fly);
    return fly;
}

/// What differs from the balanced network.
std::string optional_words(const Dragonfly& fly) {
    const bool balanced = fly.g == fly.a * fly.h + 1;
    const bool as_many = fly.g == 1 || fly.links_of_pair == fly.a * fly.h / (fly.g - 1);
    return fmt::format("{}{}{}", balanced ? "" : fmt::format(" g={}", fly.g), fly.palm_tree ? " wiring=palm-tree" : "",
                       as_many ? "" : fmt::format(" links={}", fly.links_of_pair));
}

}  // namespace

std::shared_ptr<const ClosedForms> make_dragonfly(const TopologySpec& spec) {
    const Dragonfly fly = parse_dragonfly(spec);
    const std::string text = fmt::format("dragonfly a={} p={} h={}{}", fly.a, fly.p, fly.h, optional_words(fly));
    require_countable(text, static_cast<double>(fly.a) * static_cast<double>(fly.g),
                      static_cast<double>(fly.g) * static_cast<double>(fly.a) * static_cast<double>(fly.a + fly.h));
    ClosedForms network = forms_of(fly, text);
    network.sizing = "choose a, p, h and g, of a*g*p hosts";
    network.blocks = blocks_of(fly);
    bound_cuts(network, fly);
    if (fly.p == 0) return share(std::move(network));
    return with_hosts(share(std::move(network)), fly.p, text);
}

}  // namespace narrows
