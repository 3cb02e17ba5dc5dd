#include "topologies/written_grid.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "topologies/product.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

using Links = std::vector<std::pair<int, int>>;

Links sorted_links(const Network& network) {
    Links links;
    for (const Edge& edge : network.edges) links.emplace_back(std::min(edge.u, edge.v), std::max(edge.u, edge.v));
    std::ranges::sort(links);
    return links;
}

// Whether the first vertex has the neighbours that it has in the grid: most other numberings differ there already.
bool begins_alike(const Topology& grid, const Links& links) {
    const std::vector<int> shape = grid.shape();
    const std::vector<bool> wraps = grid.grid_wraps();
    Links expected;
    int stride = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] > 1) expected.emplace_back(0, stride);
        if (shape[i] > 2 && wraps[i]) expected.emplace_back(0, stride * (shape[i] - 1));
        stride *= shape[i];
    }
    std::ranges::sort(expected);
    return expected.size() <= links.size() && std::equal(expected.begin(), expected.end(), links.begin());
}

bool is_written(const Topology& grid, const Links& links) {
    return grid.links() == std::ssize(links) && begins_alike(grid, links) && sorted_links(grid.graph()) == links;
}

// SPECs of the family with these dimensions in any order.
void add_orders(const std::string& family, std::vector<int> shape, std::vector<std::string>& specs) {
    std::ranges::sort(shape);
    do {
        specs.push_back(family + " " + format_shape(shape));
    } while (std::next_permutation(shape.begin(), shape.end()));
}

// SPECs of all grids that have the network's links if its vertices are numbered as theirs.
std::vector<std::string> possible_grids(const Network& network, const Stop& stop) {
    std::vector<std::string> specs;
    if (std::ssize(network.edges) <= network.hosts) {
        for (const char* line : {"torus", "mesh"}) add_orders(line, {network.hosts}, specs);
    }
    const std::vector<Network> factors = cartesian_factors(network, stop);
    const std::string spec = factors.empty() ? "" : grid_spec(factors);
    if (spec.empty()) return specs;
    const Topology grid = parse_topology(spec);
    std::vector<int> shape = grid.shape();
    if (grid.family() == "mesh") add_orders("mesh", shape, specs);
    if (grid.family() == "hypercube") specs.push_back(spec);
    if (grid.family() == "mesh") return specs;
    // Two pairs are a ring of four, so that other tori have the same links.
    const auto pairs = std::ranges::count(shape, 2) + 2 * std::ranges::count(shape, 4);
    std::erase_if(shape, [](int size) { return size == 2 || size == 4; });
    for (std::ptrdiff_t rings = 0; 2 * rings <= pairs; ++rings) {
        std::vector<int> other = shape;
        other.insert(other.end(), rings, 4);
        other.insert(other.end(), pairs - 2 * rings, 2);
        add_orders("torus", other, specs);
    }
    return specs;
}

}  // namespace

std::optional<Topology> written_grid(const Network& network, const Stop& stop) {
    const auto differs = [&](const Edge& edge) { return edge.capacity != network.edges.front().capacity; };
    if (network.switches > 0 || network.hosts < 2 || network.edges.empty()) return std::nullopt;
    if (std::ranges::any_of(network.edges, differs)) return std::nullopt;
    const Links links = sorted_links(network);
    for (const std::string& spec : possible_grids(network, stop)) {
        if (stop()) break;
        if (const Topology grid = parse_topology(spec); is_written(grid, links)) return grid;
    }
    return std::nullopt;
}

}  // namespace narrows
