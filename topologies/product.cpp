#include "topologies/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "topologies/adjacency.hpp"
#include "topologies/shape.hpp"
#include "topologies/union_find.hpp"

namespace narrows {
namespace {

/// Neighbours of every vertex in ascending order, each with its link.
class SortedNeighbours {
  public:
    explicit SortedNeighbours(const Network& network) {
        const Adjacency arcs(network);
        first_ = arcs.first;
        for (std::size_t arc = 0; arc < arcs.target.size(); ++arc) arcs_.push_back({arcs.target[arc], arcs.edge[arc]});
        for (int v = 0; v < arcs.vertices(); ++v) {
            std::sort(arcs_.begin() + first_[v], arcs_.begin() + first_[v + 1]);
        }
    }

    using Arc = std::pair<int, int>;  // neighbour, link

    const Arc* begin(int v) const { return arcs_.data() + first_[v]; }
    const Arc* end(int v) const { return arcs_.data() + first_[v + 1]; }
    int degree(int v) const { return first_[v + 1] - first_[v]; }

    int link(int u, int v) const {
        const Arc* const found = std::lower_bound(begin(u), end(u), Arc{v, -1});
        return found != end(u) && found->first == v ? found->second : -1;
    }

    /// The only common neighbour of u and v but `not_this`; −1 when there is none or more than one.
    int fourth_corner(int u, int v, int not_this) const {
        int corner = -1;
        for (const Arc* a = begin(u); a != end(u); ++a) {
            if (a->first == not_this || link(a->first, v) < 0) continue;
            if (corner >= 0) return -1;
            corner = a->first;
        }
        return corner;
    }

  private:
    std::vector<int> first_;
    std::vector<Arc> arcs_;
};

/// Colours 0 … of the links at `start`: two have different ones when they span one square.
/// 0 when stopped.
int colour_start(const SortedNeighbours& near, int start, const Stop& stop, std::vector<int>& colour) {
    const int degree = near.degree(start);
    UnionFind same(degree);
    const auto* const arcs = near.begin(start);
    for (int i = 0; i < degree; ++i) {
        if (stop()) return 0;
        for (int j = 0; j < i; ++j) {
            const bool adjacent = near.link(arcs[i].first, arcs[j].first) >= 0;
            const bool square = !adjacent && near.fourth_corner(arcs[i].first, arcs[j].first, start) >= 0;
            if (!square) same.join(i, j);
        }
    }
    const std::vector<int> numbers = same.numbers();
    for (int i = 0; i < degree; ++i) colour[arcs[i].second] = numbers[i];
    return same.sets();
}

/// Carries colours over squares from `start` to all links; false when a vertex cannot be reached, or when stopped.
bool spread_colours(const SortedNeighbours& near, int vertices, int start, const Stop& stop, std::vector<int>& colour) {
    constexpr std::size_t vertices_between_polls = 64;
    std::vector<char> seen(vertices);
    std::vector<int> queue{start};
    seen[start] = 1;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        if (head % vertices_between_polls == 0 && stop()) return false;
        const int v = queue[head];
        for (const auto* a = near.begin(v); a != near.end(v); ++a) {
            const int x = a->first, along = colour[a->second];
            if (seen[x] != 0) continue;
            seen[x] = 1;
            queue.push_back(x);
            for (const auto* b = near.begin(v); b != near.end(v); ++b) {
                if (colour[b->second] == along) continue;
                const int corner = near.fourth_corner(x, b->first, v);
                if (corner < 0) continue;
                int& across = colour[near.link(x, corner)];
                if (across < 0) across = colour[b->second];
            }
            for (const auto* b = near.begin(x); b != near.end(x); ++b) {
                if (colour[b->second] < 0) colour[b->second] = along;
            }
        }
    }
    return static_cast<int>(queue.size()) == vertices;
}

/// The components when the links of one colour are left out.
UnionFind components_without(const Network& network, const std::vector<int>& colour, int left_out) {
    UnionFind joined(network.vertices());
    for (std::size_t e = 0; e < colour.size(); ++e) {
        if (colour[e] != left_out) joined.join(network.edges[e].u, network.edges[e].v);
    }
    return joined;
}

/// The factor of one colour; nothing unless every link of the colour is one of its links in one of its layers.
std::optional<Network> factor_of(const Network& network, const std::vector<int>& colour, int which,
                                 const std::vector<int>& component, int size) {
    std::map<std::pair<int, int>, std::pair<double, std::int64_t>> links;  // capacity, how often
    for (std::size_t e = 0; e < colour.size(); ++e) {
        if (colour[e] != which) continue;
        const auto [u, v, capacity] = network.edges[e];
        const std::pair<int, int> ends = std::minmax(component[u], component[v]);
        if (ends.first == ends.second) return std::nullopt;
        auto& [known, count] = links.emplace(ends, std::pair{capacity, std::int64_t{0}}).first->second;
        if (known != capacity) return std::nullopt;
        ++count;
    }
    Network factor{size, 0, {}};
    for (const auto& [ends, link] : links) {
        if (link.second != network.hosts / size) return std::nullopt;
        factor.connect(ends.first, ends.second, link.first);
    }
    return factor;
}

/// Whether all vertices have different coordinates, numbers of a mixed radix.
bool all_different(const std::vector<std::vector<int>>& components, const std::vector<int>& sizes, int vertices) {
    std::vector<char> taken(vertices);
    for (int v = 0; v < vertices; ++v) {
        std::int64_t place = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i) place = place * sizes[i] + components[i][v];
        if (place >= vertices || taken[place] != 0) return false;
        taken[place] = 1;
    }
    return true;
}

/// A ring of three or more or a path, with equal capacities: its size, negative for a path; 0 for anything else.
int line_size(const Network& network, double capacity) {
    const auto differs = [&](const Edge& edge) { return edge.capacity != capacity; };
    if (std::ranges::any_of(network.edges, differs) || largest_degree(network) > 2) return 0;
    const std::int64_t links = std::ssize(network.edges);
    if (links == network.hosts) return network.hosts;
    return links == network.hosts - 1 ? -network.hosts : 0;
}

}  // namespace

std::vector<Network> cartesian_factors(const Network& network, const Stop& stop) {
    require_valid(network);
    if (network.switches > 0 || network.hosts < 4) return {};
    const int n = network.vertices();
    const SortedNeighbours near(network);
    int start = 0;
    for (int v = 0; v < n; ++v) {
        if (near.degree(v) == 0) return {};
        if (near.degree(v) < near.degree(start)) start = v;
        for (const auto* a = near.begin(v); a + 1 < near.end(v); ++a) {
            if (a->first == a[1].first) return {};  // parallel links
        }
    }
    std::vector<int> colour(network.edges.size(), -1);
    const int colours = colour_start(near, start, stop, colour);
    if (colours < 2 || !spread_colours(near, n, start, stop, colour)) return {};
    std::vector<std::vector<int>> coordinates;
    std::vector<int> sizes;
    std::vector<Network> factors;
    std::int64_t product = 1;
    for (int c = 0; c < colours; ++c) {
        UnionFind components = components_without(network, colour, c);
        const int size = components.sets();
        coordinates.push_back(components.numbers());
        product *= size;
        if (size < 2 || product > n) return {};
        auto factor = factor_of(network, colour, c, coordinates.back(), size);
        if (!factor) return {};
        sizes.push_back(size);
        factors.push_back(std::move(*factor));
    }
    if (product != n || !all_different(coordinates, sizes, n)) return {};
    std::ranges::stable_sort(factors, std::ranges::greater{}, &Network::hosts);
    return factors;
}

std::string grid_spec(const std::vector<Network>& factors) {
    std::vector<int> shape;
    int rings = 0, paths = 0, pairs = 0;
    for (const Network& factor : factors) {
        const int size = line_size(factor, factors.front().edges.front().capacity);
        if (size == 0) return "";
        rings += size > 0 ? 1 : 0;
        paths += size < -2 ? 1 : 0;
        pairs += size == -2 ? 1 : 0;
        shape.push_back(size < 0 ? -size : size);
    }
    if (rings > 0 && paths > 0) return "";
    if (rings == 0 && paths == 0) return fmt::format("hypercube {}", pairs);
    if (rings > 0 && pairs >= 2) {  // two pairs are a ring of four, and rings of four are what machines have
        shape.resize(shape.size() - 2 * static_cast<std::size_t>(pairs / 2));
        for (int i = 0; i < pairs / 2; ++i) shape.push_back(4);
        std::stable_sort(shape.rbegin(), shape.rend());
    }
    return (rings > 0 ? "torus " : "mesh ") + format_shape(shape);
}

}  // namespace narrows
