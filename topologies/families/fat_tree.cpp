#include "topologies/families/fat_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

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

}  // namespace

double FatTreeSwitches::leaves_of_pod(int level) const {
    const double below_top = std::pow(ports / 2, std::min(level, levels - 1) - 1);
    return level == levels ? below_top * ports : below_top;
}

std::int64_t FatTreeSwitches::switches_of_pod(int level) const {
    return level == 1 ? 1 : up * power(ports / 2, level - 2);
}

FatTree::FatTree(FatTreeSwitches switches, std::int64_t hosts) : switches_(switches), hosts_(hosts) {
    if (hosts < 1 || static_cast<double>(hosts) > switches.most_hosts()) {
        throw InputError(fmt::format("a fat tree of {} levels of {} ports cannot have {} hosts: give from 1 to {}",
                                     switches.levels, switches.ports, hosts, switches.most_hosts()));
    }
    cuts_ = LeafCuts(hosts_, switches_.down, switches_.up);
    leaves_ = cuts_.leaves();
}

std::string FatTree::spec() const {
    const int common = std::gcd(switches_.down, switches_.up);
    const std::string full = fmt::format("fat-tree ports={} levels={} taper={}:{}", switches_.ports, switches_.levels,
                                         switches_.down / common, switches_.up / common);
    return static_cast<double>(hosts_) == switches_.most_hosts() ? full : fmt::format("{} hosts={}", full, hosts_);
}

std::int64_t FatTree::pods(int level) const {
    const auto leaves = static_cast<std::int64_t>(switches_.leaves_of_pod(level));
    return (leaves_ + leaves - 1) / leaves;
}

std::int64_t FatTree::links() const {
    std::int64_t count = hosts_;
    for (int level = 1; level < switches_.levels; ++level) {
        count += pods(level) * switches_.switches_of_pod(level) * switches_.uplinks(level);
    }
    return count;
}

int FatTree::degree() const {
    std::int64_t most = std::min<std::int64_t>(hosts_, switches_.down) + switches_.up;
    for (int level = 2; level <= switches_.levels; ++level) {
        const std::int64_t below = level == switches_.levels ? switches_.ports : switches_.ports / 2;
        most = std::max(most, std::min(pods(level - 1), below) + switches_.uplinks(level));
    }
    return static_cast<int>(most);
}

std::optional<Distances> FatTree::distances() const {
    if (hosts_ == 1) return Distances{};
    Distances found;
    double sum = 0, nearer = 0;
    for (int level = 1; level <= switches_.levels; ++level) {
        const std::int64_t full = pods(level) - 1;
        const std::int64_t size = static_cast<std::int64_t>(switches_.leaves_of_pod(level)) * switches_.down;
        const double pairs = static_cast<double>(full) * ordered_pairs(size) + ordered_pairs(hosts_ - full * size);
        sum += 2 * level * (pairs - nearer);
        if (pairs > nearer) found.diameter = 2 * level;
        nearer = pairs;
    }
    found.mean = sum / ordered_pairs(hosts_);
    return found;
}

std::optional<std::vector<HostBlocks>> FatTree::blocks() const {
    std::vector<HostBlocks> found;
    for (int level = 1; level < switches_.levels && pods(level) > 1; ++level) {
        const auto hosts = static_cast<std::int64_t>(switches_.leaves_of_pod(level)) * switches_.down;
        const std::int64_t links = switches_.switches_of_pod(level) * switches_.uplinks(level);
        found.push_back({hosts, static_cast<double>(links)});
    }
    return found;
}

Network FatTree::graph() const {
    std::int64_t above = 0;
    for (int level = 1; level <= switches_.levels; ++level) above += pods(level) * switches_.switches_of_pod(level);
    require_graph_size(hosts_ + above, links());
    Network network{static_cast<int>(hosts_), static_cast<int>(above), {}};
    network.edges.reserve(links());
    for (int host = 0; host < network.hosts; ++host) network.connect(host, network.hosts + host / switches_.down);
    auto first = static_cast<int>(hosts_);
    for (int level = 1; level < switches_.levels; ++level) {
        const auto of_pod = static_cast<int>(switches_.switches_of_pod(level));
        const auto of_pod_above = static_cast<int>(switches_.switches_of_pod(level + 1));
        const int joined = level + 1 == switches_.levels ? switches_.ports : switches_.ports / 2;
        const int count = static_cast<int>(pods(level)) * of_pod;
        for (int i = 0; i < count; ++i) {
            const int first_above = first + count + i / of_pod / joined * of_pod_above;
            for (int up = 0; up < switches_.uplinks(level); ++up) {
                network.connect(first + i, first_above + i % of_pod * switches_.uplinks(level) + up);
            }
        }
        first += count;
    }
    return network;
}

std::shared_ptr<const ClosedForms> FatTree::with_nodes(std::int64_t nodes) const {
    return std::make_shared<FatTree>(switches_, nodes);
}

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
    const std::int64_t share = ports / (down + up);
    const FatTreeSwitches switches{ports, levels, static_cast<int>(share * down), static_cast<int>(share * up)};
    if (switches.most_hosts() > static_cast<double>(node_limit)) {
        throw InputError(fmt::format("a fat tree of {} levels of {} ports has more than {} hosts: give fewer of either",
                                     levels, ports, node_limit));
    }
    const auto most = static_cast<std::int64_t>(switches.most_hosts());
    return std::make_shared<FatTree>(switches, spec.count("hosts", 1, most, most));
}

}  // namespace narrows
