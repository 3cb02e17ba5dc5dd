#include "topologies/families/fat_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_ports = 65536;

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

}  // namespace

FatTree::FatTree(FatTreeSwitches switches, std::int64_t hosts) : switches_(switches), hosts_(hosts) {
    if (hosts < 1 || hosts > switches.most_hosts()) {
        throw InputError(fmt::format("a fat tree of {} levels of {} ports cannot have {} hosts: give from 1 to {}",
                                     switches.levels, switches.ports, hosts, switches.most_hosts()));
    }
    cuts_ = LeafCuts(hosts_, switches_.down, switches_.up);
    leaves_ = cuts_.leaves();
    pods_ = (leaves_ + switches_.leaves_of_pod() - 1) / switches_.leaves_of_pod();
}

std::string FatTree::spec() const {
    const int common = std::gcd(switches_.down, switches_.up);
    const std::string full = fmt::format("fat-tree ports={} levels={} taper={}:{}", switches_.ports, switches_.levels,
                                         switches_.down / common, switches_.up / common);
    return hosts_ == switches_.most_hosts() ? full : fmt::format("{} hosts={}", full, hosts_);
}

std::int64_t FatTree::links() const {
    const std::int64_t above = switches_.levels == 2 ? 0 : pods_ * switches_.up * (switches_.ports / 2);
    return hosts_ + leaves_ * switches_.up + above;
}

int FatTree::degree() const {
    const std::int64_t leaf = std::min<std::int64_t>(hosts_, switches_.down) + switches_.up;
    const std::int64_t joined = std::min(leaves_, switches_.leaves_of_pod());
    const std::int64_t above = switches_.levels == 2 ? joined : std::max(joined + switches_.ports / 2, pods_);
    return static_cast<int>(std::max(leaf, above));
}

std::optional<Distances> FatTree::distances() const {
    if (hosts_ == 1) return Distances{};
    const std::int64_t pod = switches_.leaves_of_pod() * switches_.down;
    const double all = ordered_pairs(hosts_);
    const double in_leaf = cuts_.pairs_within_leaves();
    const double in_pod =
        static_cast<double>(pods_ - 1) * ordered_pairs(pod) + ordered_pairs(hosts_ - (pods_ - 1) * pod);
    const double mean = (2 * in_leaf + 4 * (in_pod - in_leaf) + 6 * (all - in_pod)) / all;
    return Distances{leaves_ == 1 ? 2 : (pods_ == 1 ? 4 : 6), mean};
}

void FatTree::connect_leaves(Network& network) const {
    const auto first_leaf = static_cast<int>(hosts_);
    const int first_above = first_leaf + static_cast<int>(leaves_);
    for (int host = 0; host < network.hosts; ++host) network.connect(host, first_leaf + host / switches_.down);
    for (int leaf = 0; leaf < leaves_; ++leaf) {
        const int pod = leaf / static_cast<int>(switches_.leaves_of_pod());
        for (int up = 0; up < switches_.up; ++up) {
            network.connect(first_leaf + leaf, first_above + pod * switches_.up + up);
        }
    }
}

void FatTree::connect_pods(Network& network) const {
    const int half = switches_.ports / 2;
    const int first_pod = static_cast<int>(hosts_ + leaves_);
    const int first_core = first_pod + static_cast<int>(pods_) * switches_.up;
    for (int pod = 0; pod < pods_; ++pod) {
        for (int plane = 0; plane < switches_.up; ++plane) {
            for (int core = 0; core < half; ++core) {
                network.connect(first_pod + pod * switches_.up + plane, first_core + plane * half + core);
            }
        }
    }
}

Network FatTree::graph() const {
    const bool cores = switches_.levels == 3;
    const std::int64_t above = pods_ * switches_.up + (cores ? switches_.up * (switches_.ports / 2) : 0);
    require_graph_size(hosts_ + leaves_ + above, links());
    Network network{static_cast<int>(hosts_), static_cast<int>(leaves_ + above), {}};
    network.edges.reserve(links());
    connect_leaves(network);
    if (cores) connect_pods(network);
    return network;
}

std::shared_ptr<const ClosedForms> FatTree::with_nodes(std::int64_t nodes) const {
    return std::make_shared<FatTree>(switches_, nodes);
}

std::shared_ptr<const ClosedForms> make_fat_tree(const TopologySpec& spec) {
    const auto ports = static_cast<int>(spec.count("ports", 2, most_ports, 0));
    const auto levels = static_cast<int>(spec.count("levels", 2, 3, 0));
    const auto taper = spec.parameters.find("taper");
    const auto [down, up] = parse_taper(taper == spec.parameters.end() ? "1:1" : taper->second);
    if (ports % (down + up) != 0) {
        throw InputError(
            fmt::format("{} ports do not divide by taper {}:{}: give a multiple of {}", ports, down, up, down + up));
    }
    if (levels == 3 && ports % 2 != 0) {
        throw InputError(fmt::format("a fat tree of 3 levels cannot have {} ports: give an even number", ports));
    }
    const std::int64_t share = ports / (down + up);
    const FatTreeSwitches switches{ports, levels, static_cast<int>(share * down), static_cast<int>(share * up)};
    if (switches.most_hosts() > node_limit) {
        throw InputError(
            fmt::format("a fat tree of {} ports has more than {} hosts: give fewer ports", ports, node_limit));
    }
    return std::make_shared<FatTree>(switches, spec.count("hosts", 1, switches.most_hosts(), switches.most_hosts()));
}

}  // namespace narrows
