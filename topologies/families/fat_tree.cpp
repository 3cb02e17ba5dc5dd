// A folded Clos network of L ≥ 2 levels of switches with P ports: leaves with d hosts and u uplinks (d + u = P), above
// them as many links up as down. The top level joins up to P pods of level L−1 by u·(P/2)^(L−2) switches. Hosts fill
// leaves in order; leaves and pods without hosts are left out.
//
// Cuts and flow are those of `LeafCuts`. Its first condition: above the leaves the tree is u planes of one link a
// leaf, and of a plane the leaves A cost min(|A|, ℓ−|A|) of ℓ. That holds for a switch. With more levels, let x be the
// pods of level 2 whose switch is with A, not more than half of the m pods; h = P/2 planes above each cost min(|x|,
// m−|x|) = |x| by induction. A pod with a of its ℓ_p ≤ h leaves in A costs ℓ_p − a + h ≥ a if it is in x, else a:
// together at least |A|; and with more than half of the pods in x, at least ℓ−|A|. All switches on one side cost no
// more. Its second: every pair's flow divided evenly over the u uplinks, and above them over the P/2, loads the links
// of a pod no more than those of its fullest pod below, and so of its fullest leaf.
//
// The switches of a fat tree. A leaf switch has `down` hosts and `up` uplinks, which take all its ports; the others,
// but for those of the top level, have half of their ports up.
//
// A pod of level 1 is a leaf switch, one of level i joins up to P/2 pods of level i−1 by u·(P/2)^(i−2) switches.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "topologies/families/formulas.hpp"
#include "topologies/families/leaf_cuts.hpp"
#include "topologies/families/makers.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_ports = 65536;
/// Of 4 ports, 39 levels have more hosts than are counted.
constexpr std::int64_t most_levels = 40;

/// Words of `taper`, hosts to uplinks: `2:1` gives down 2, up 1, without a common factor.
std::pair<std::int64_t, std::int64_t> parse_taper(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        throw InputError(fmt::format("taper '{}' is not a ratio: write hosts to uplinks, like 2:1", text));
    }
    const std::int64_t down = parse_count(std::string_view(text).substr(0, colon), "taper's hosts", 1, most_ports);
    const std::int64_t up = parse_count(std::string_view(text).substr(colon + 1), "taper's uplinks", 1, most_ports);
    const std::int64_t common = std::gcd(down, up);
    return {down / common, up / common};
}

/// Refuses `ports` that are no multiple of `unit` for the reason `why`, with the nearest numbers that are.
void require_multiple(std::int64_t ports, std::int64_t unit, const std::string& why) {
    if (ports % unit == 0) return;
    const std::int64_t below = ports / unit * unit;
    const std::int64_t above = below + unit;
    if (above > most_ports && below == 0)
        throw InputError(fmt::format("{}: no switch has so many, give a taper of smaller numbers", why));
    std::string choice = below > 0 ? std::to_string(below) : "";
    if (above <= most_ports) choice += (below > 0 ? " or " : "") + std::to_string(above);
    throw InputError(fmt::format("{}: give {}", why, choice));
}

std::int64_t power(std::int64_t base, int exponent) {
    std::int64_t product = 1;
    for (int i = 0; i < exponent; ++i) product *= base;
    return product;
}

struct FatTree {
    int ports = 0;
    int levels = 0;
    int down = 0;
    int up = 0;
    std::int64_t hosts = 1;

    /// Links up of a switch of `level`; none at the top.
    int uplinks(int level) const { return level == levels ? 0 : (level == 1 ? up : ports / 2); }
    std::int64_t nodes() const { return hosts; }
    double most_hosts() const { return leaves_of_pod(levels) * down; }
    std::int64_t leaves() const { return (hosts + down - 1) / down; }

    /// Leaves of a full pod of `level`; all of them at the top. Infinite beyond the range of counts.
    double leaves_of_pod(int level) const {
        const double below_top = std::pow(ports / 2, std::min(level, levels - 1) - 1);
        return level == levels ? below_top * ports : below_top;
    }

    /// Switches of `level` that a pod of that level has, which do not depend on how full it is.
    std::int64_t switches_of_pod(int level) const { return level == 1 ? 1 : up * power(ports / 2, level - 2); }

    std::string spec() const {
        const int common = std::gcd(down, up);
        const std::string full =
            fmt::format("fat-tree ports={} levels={} taper={}:{}", ports, levels, down / common, up / common);
        return static_cast<double>(hosts) == most_hosts() ? full : fmt::format("{} hosts={}", full, hosts);
    }

    /// Pods of `level` that have hosts; the top is one.
    std::int64_t pods(int level) const {
        const auto full = static_cast<std::int64_t>(leaves_of_pod(level));
        return (leaves() + full - 1) / full;
    }

    std::int64_t links() const {
        std::int64_t count = hosts;
        for (int level = 1; level < levels; ++level) {
            count += pods(level) * switches_of_pod(level) * uplinks(level);
        }
        return count;
    }

    int degree() const {
        std::int64_t most = std::min<std::int64_t>(hosts, down) + up;
        for (int level = 2; level <= levels; ++level) {
            const std::int64_t below = level == levels ? ports : ports / 2;
            most = std::max(most, std::min(pods(level - 1), below) + uplinks(level));
        }
        return static_cast<int>(most);
    }

    std::optional<Distances> distances() const {
        if (hosts == 1) return Distances{};
        Distances found;
        double sum = 0, nearer = 0;
        for (int level = 1; level <= levels; ++level) {
            const std::int64_t full = pods(level) - 1;
            const std::int64_t size = static_cast<std::int64_t>(leaves_of_pod(level)) * down;
            const double pairs = static_cast<double>(full) * ordered_pairs(size) + ordered_pairs(hosts - full * size);
            sum += 2 * level * (pairs - nearer);
            if (pairs > nearer) found.diameter = 2 * level;
            nearer = pairs;
        }
        found.mean = sum / ordered_pairs(hosts);
        return found;
    }

    std::optional<std::vector<HostBlocks>> blocks() const {
        std::vector<HostBlocks> found;
        for (int level = 1; level < levels && pods(level) > 1; ++level) {
            const auto full = static_cast<std::int64_t>(leaves_of_pod(level)) * down;
            found.push_back({full, static_cast<double>(switches_of_pod(level) * uplinks(level))});
        }
        return found;
    }
};

Network graph_of(const FatTree& tree) {
    std::int64_t above = 0;
    for (int level = 1; level <= tree.levels; ++level) above += tree.pods(level) * tree.switches_of_pod(level);
    Network network = unlinked(tree.hosts, above, tree.links());
    for (int host = 0; host < network.hosts; ++host) network.connect(host, network.hosts + host / tree.down);
    int first = network.hosts;
    for (int level = 1; level < tree.levels; ++level) {
        const auto of_pod = static_cast<int>(tree.switches_of_pod(level));
        const auto of_pod_above = static_cast<int>(tree.switches_of_pod(level + 1));
        const int joined = level + 1 == tree.levels ? tree.ports : tree.ports / 2;
        const int count = static_cast<int>(tree.pods(level)) * of_pod;
        for (int i = 0; i < count; ++i) {
            const int first_above = first + count + i / of_pod / joined * of_pod_above;
            for (int link = 0; link < tree.uplinks(level); ++link) {
                network.connect(first + i, first_above + i % of_pod * tree.uplinks(level) + link);
            }
        }
        first += count;
    }
    return network;
}

std::shared_ptr<const ClosedForms> fat_tree_of(const FatTree& tree) {
    if (tree.hosts < 1 || static_cast<double>(tree.hosts) > tree.most_hosts()) {
        throw InputError(fmt::format("a fat tree of {} levels of {} ports cannot have {} hosts: give from 1 to {}",
                                     tree.levels, tree.ports, tree.hosts, tree.most_hosts()));
    }
    const LeafCuts cuts(tree.hosts, tree.down, tree.up);
    ClosedForms forms = forms_of(tree, tree.spec());
    forms.switched = true;
    forms.tree = true;
    forms.distances = tree.distances();
    take_cuts(forms, cuts);
    forms.blocks = tree.blocks();
    forms.resized = [tree](std::int64_t nodes) {
        FatTree other = tree;
        other.hosts = nodes;
        return fat_tree_of(other);
    };
    return share(std::move(forms));
}

}  // namespace

std::shared_ptr<const ClosedForms> make_fat_tree(const TopologySpec& spec) {
    const auto ports = static_cast<int>(spec.count("ports", 2, most_ports, 0));
    const auto levels = static_cast<int>(spec.count("levels", 2, most_levels, 0));
    const auto taper = spec.parameters.find("taper");
    const auto [down, up] = parse_taper(taper == spec.parameters.end() ? "1:1" : taper->second);
    // A leaf's ports are shares of the taper; the switches between leaves and top have as many links up as down.
    const std::int64_t unit = levels > 2 ? std::lcm(down + up, std::int64_t{2}) : down + up;
    require_multiple(ports, unit,
                     ports % (down + up) != 0
                         ? fmt::format("{} ports do not divide by taper {}:{}", ports, down, up)
                         : fmt::format("a fat tree of {} levels cannot have {} ports", levels, ports));
    const std::int64_t part = ports / (down + up);
    FatTree tree{ports, levels, static_cast<int>(part * down), static_cast<int>(part * up)};
    if (tree.most_hosts() > static_cast<double>(node_limit)) {
        throw InputError(fmt::format("a fat tree of {} levels of {} ports has more than {} hosts: give fewer of either",
                                     levels, ports, node_limit));
    }
    const auto most = static_cast<std::int64_t>(tree.most_hosts());
    tree.hosts = spec.count("hosts", 1, most, most);
    return fat_tree_of(tree);
}

}  // namespace narrows
