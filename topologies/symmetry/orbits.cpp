#include "topologies/symmetry/orbits.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "topologies/adjacency.hpp"
#include "topologies/union_find.hpp"

namespace narrows {
namespace {

/// Neighbour, capacity and number of a link at a vertex.
using End = std::tuple<int, double, int>;

class OrbitFinder {
  public:
    explicit OrbitFinder(const Network& network)
        : network_(network),
          arcs_(network),
          image_(network.vertices()),
          vertices_(network.vertices()),
          edges_(static_cast<int>(network.edges.size())) {
        std::iota(image_.begin(), image_.end(), 0);
    }

    /// Joins what `automorphism` moves; false when it is none.
    bool add(const Automorphism& automorphism) {
        const bool renamed = rename(automorphism);
        const bool good =
            renamed && is_permutation(automorphism) &&
            std::ranges::all_of(automorphism.moved, [this](const auto& pair) { return join_links(pair.first); });
        for (const auto& [from, to] : automorphism.moved) {
            if (from >= 0 && from < network_.vertices()) image_[from] = from;
        }
        return good;
    }

    Orbits orbits() {
        Orbits found;
        const std::vector<int> orbit = vertices_.numbers();  // those of hosts come first
        for (int host = 0; host < network_.hosts; ++host) {
            if (orbit[host] == std::ssize(found.host)) {
                found.host.push_back(host);
                found.hosts.push_back(0);
            }
            ++found.hosts[orbit[host]];
        }
        found.of_edge = edges_.numbers();
        found.edge_orbits = edges_.sets();
        return found;
    }

  private:
    bool rename(const Automorphism& automorphism) {
        for (const auto& [from, to] : automorphism.moved) {
            const bool inside = std::min(from, to) >= 0 && std::max(from, to) < network_.vertices();
            if (!inside || (from < network_.hosts) != (to < network_.hosts)) return false;
            image_[from] = to;
        }
        return true;
    }

    /// Whether every vertex that moves is moved once, to the place of one that moves, no two to the same.
    static bool is_permutation(const Automorphism& automorphism) {
        std::vector<int> from, to;
        for (const auto& [vertex, image] : automorphism.moved) {
            from.push_back(vertex);
            to.push_back(image);
        }
        std::ranges::sort(from);
        std::ranges::sort(to);
        return from == to && std::ranges::adjacent_find(from) == from.end();
    }

    std::vector<End> links_at(int v, bool renamed) const {
        std::vector<End> ends;
        for (int arc = arcs_.first[v]; arc < arcs_.first[v + 1]; ++arc) {
            const int to = arcs_.target[arc];
            ends.emplace_back(renamed ? image_[to] : to, network_.edges[arcs_.edge[arc]].capacity, arcs_.edge[arc]);
        }
        std::ranges::sort(ends);
        return ends;
    }

    bool join_links(int v) {
        const std::vector<End> here = links_at(v, true), there = links_at(image_[v], false);
        if (here.size() != there.size()) return false;
        for (std::size_t i = 0; i < here.size(); ++i) {
            const auto& [neighbour, capacity, edge] = here[i];
            if (neighbour != std::get<0>(there[i]) || capacity != std::get<1>(there[i])) return false;
            edges_.join(edge, std::get<2>(there[i]));
        }
        vertices_.join(v, image_[v]);
        return true;
    }

    const Network& network_;
    Adjacency arcs_;
    std::vector<int> image_;
    UnionFind vertices_;
    UnionFind edges_;
};

}  // namespace

std::optional<Orbits> orbits_of(const Network& network, const std::vector<Automorphism>& automorphisms) {
    OrbitFinder finder(network);
    for (const Automorphism& automorphism : automorphisms) {
        if (!finder.add(automorphism)) return std::nullopt;
    }
    return finder.orbits();
}

void even_out_orbits(const Orbits& orbits, std::vector<double>& values) {
    std::vector<double> sum(orbits.edge_orbits), count(orbits.edge_orbits);
    for (std::size_t e = 0; e < values.size(); ++e) {
        sum[orbits.of_edge[e]] += values[e];
        ++count[orbits.of_edge[e]];
    }
    for (std::size_t e = 0; e < values.size(); ++e) values[e] = sum[orbits.of_edge[e]] / count[orbits.of_edge[e]];
}

}  // namespace narrows
