#include "topologies/cut/exhaustive.hpp"

// clang-format off
#include "topologies/lemon.hpp"
#include <lemon/preflow.h>
#include <lemon/smart_graph.h>
// clang-format on

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "topologies/infinity.hpp"

namespace narrows {
namespace {

/// Cut of a set of hosts when there are no switches, kept up to date while hosts change sides.
class DirectCut {
  public:
    explicit DirectCut(const Network& network) : neighbours_(network.hosts) {
        for (const auto& [u, v, capacity] : network.edges) {
            neighbours_[u].push_back({v, capacity});
            neighbours_[v].push_back({u, capacity});
        }
    }

    /// The cut of `set`, which differs from the previous one (at first the empty set) in `host` alone.
    double after_flip(int host, std::uint32_t set) {
        const std::uint32_t side = set >> host & 1U;
        for (const auto& [other, capacity] : neighbours_[host]) {
            cut_ += (set >> other & 1U) == side ? -capacity : capacity;
        }
        return cut_;
    }

  private:
    std::vector<std::vector<std::pair<int, double>>> neighbours_;
    double cut_ = 0;
};

/// Cut of a set of hosts by the maximum flow from it to the other hosts: the minimum over all sides of the switches.
class SwitchedCut {
  public:
    explicit SwitchedCut(const Network& network) : capacity_(graph_) {
        for (int v = 0; v < network.vertices() + 2; ++v) graph_.addNode();
        source_ = graph_.nodeFromId(network.vertices());
        sink_ = graph_.nodeFromId(network.vertices() + 1);
        for (const auto& [u, v, capacity] : network.edges) {
            capacity_[graph_.addArc(graph_.nodeFromId(u), graph_.nodeFromId(v))] = capacity;
            capacity_[graph_.addArc(graph_.nodeFromId(v), graph_.nodeFromId(u))] = capacity;
            unlimited_ += capacity;
        }
        for (int host = 0; host < network.hosts; ++host) {
            from_source_.push_back(graph_.addArc(source_, graph_.nodeFromId(host)));
            to_sink_.push_back(graph_.addArc(graph_.nodeFromId(host), sink_));
            capacity_[from_source_.back()] = 0;
            capacity_[to_sink_.back()] = unlimited_;
        }
    }

    double after_flip(int host, std::uint32_t set) {
        const bool in_set = (set >> host & 1U) != 0;
        capacity_[from_source_[host]] = in_set ? unlimited_ : 0;
        capacity_[to_sink_[host]] = in_set ? 0 : unlimited_;
        lemon::Preflow<Graph, Capacities, Traits> flow(graph_, capacity_, source_, sink_);
        flow.tolerance(Tolerance(unlimited_ * 1e-14)).runMinCut();
        return flow.flowValue();
    }

  private:
    using Graph = lemon::SmartDigraph;
    using Capacities = Graph::ArcMap<double>;
    /// LEMON's own default lives in its compiled library, which is not linked.
    struct Tolerance : lemon::Tolerance<double> {
        explicit Tolerance(double epsilon = 1e-14) : lemon::Tolerance<double>(epsilon) {}
    };
    struct Traits : lemon::PreflowDefaultTraits<Graph, Capacities> {
        using Tolerance = SwitchedCut::Tolerance;
    };
    Graph graph_;
    Capacities capacity_;
    Graph::Node source_, sink_;
    std::vector<Graph::Arc> from_source_, to_sink_;
    double unlimited_ = 1;
};

std::vector<int> members(std::uint32_t set, int hosts, int size) {
    const bool complement = std::popcount(set) != size;
    std::vector<int> listed;
    for (int host = 0; host < hosts; ++host) {
        if (((set >> host & 1U) != 0) != complement) listed.push_back(host);
    }
    return listed;
}

/// Walks all subsets that leave out the last host (the others are their complements), one flip at a time.
template <class Cut>
CutProfile walk_subsets(const Network& network, Cut& cut) {
    const int hosts = network.hosts;
    std::vector<double> least(hosts / 2 + 1, infinity);
    std::vector<std::uint32_t> where(least.size());
    std::uint32_t set = 0;
    for (std::uint32_t step = 1; step < 1U << (hosts - 1); ++step) {
        const int flipped = std::countr_zero(step);
        set ^= 1U << flipped;
        const double capacity = cut.after_flip(flipped, set);
        const int inside = std::popcount(set);
        const int size = std::min(inside, hosts - inside);
        if (capacity < least[size]) {
            least[size] = capacity;
            where[size] = set;
        }
    }
    CutProfile profile{hosts, {}};
    for (int size = 1; size <= hosts / 2; ++size) {
        profile.by_size.push_back({members(where[size], hosts, size), least[size]});
    }
    return profile;
}

Bracket searched(const CutProfile& profile, int size, double value) {
    const HostCut& cut = profile.by_size[size - 1];
    return exactly(
        value, "exhaustive search",
        fmt::format("hosts {{{}}} are parted from the other {} by links of capacity {}, the least of all {} cuts",
                    fmt::join(cut.hosts, ", "), profile.hosts - size, cut.capacity, (1U << (profile.hosts - 1)) - 1));
}

Bracket least_ratio(const CutProfile& profile, double (*divisor)(double size, double hosts)) {
    if (profile.hosts == 1) return exactly(infinity, "exhaustive search", "a single host: there is nothing to cut");
    int best = 0;
    double least = infinity;
    for (int size = 1; size <= profile.hosts / 2; ++size) {
        const double ratio = profile.by_size[size - 1].capacity / divisor(size, profile.hosts);
        if (ratio < least) {
            least = ratio;
            best = size;
        }
    }
    return searched(profile, best, least);
}

}  // namespace

CutProfile exhaustive_cuts(const Network& network) {
    require_valid(network);
    const int limit = network.switches == 0 ? exhaustive_host_limit : exhaustive_host_limit_with_switches;
    if (network.hosts > limit) throw std::logic_error("exhaustive_cuts: too many hosts");
    if (network.switches == 0) {
        DirectCut cut(network);
        return walk_subsets(network, cut);
    }
    SwitchedCut cut(network);
    return walk_subsets(network, cut);
}

Bracket bisection(const CutProfile& profile) {
    if (profile.hosts == 1) return exactly(0, "exhaustive search", "a single host: there is nothing to cut");
    return searched(profile, profile.hosts / 2, profile.by_size.back().capacity);
}

Bracket alpha(const CutProfile& profile) {
    return least_ratio(profile, [](double size, double) { return size; });
}

Bracket phi(const CutProfile& profile) {
    return least_ratio(profile, [](double size, double hosts) { return size * (hosts - size); });
}

}  // namespace narrows
