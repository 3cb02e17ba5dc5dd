#include "topologies/boundaries.hpp"

#include <algorithm>

#include "topologies/distance.hpp"
#include "topologies/union_find.hpp"

namespace narrows {
namespace {

// The groups that `joined` makes of the hosts; the vertices without hosts are outside.
Boundary groups_of(const Network& network, UnionFind& joined) {
    const std::vector<int> number = joined.numbers();  // those of hosts come first
    const auto end_of_hosts = number.begin() + network.hosts;
    const int groups = *std::max_element(number.begin(), end_of_hosts) + 1;
    Boundary boundary{{number.begin(), end_of_hosts}, std::vector<double>(groups)};
    for (const Edge& edge : network.edges) {
        const int one = number[edge.u], other = number[edge.v];
        if (one == other) continue;
        if (one < groups) boundary.links[one] += edge.capacity;
        if (other < groups) boundary.links[other] += edge.capacity;
    }
    return boundary;
}

// By link, whether its ends are equally far from hosts and have a neighbour in common that is too: the links inside a
// group of a dragonfly are such, those between groups are not.
std::vector<char> close_triangles(const Network& network, const std::vector<int>& level) {
    const Adjacency arcs(network);
    std::vector<char> found(network.edges.size());
    std::vector<int> near_of(network.vertices(), -1);  // the vertex whose neighbour it was seen as last
    for (int u = 0; u < network.vertices(); ++u) {
        if (level[u] == 0) continue;
        for (int arc = arcs.first[u]; arc < arcs.first[u + 1]; ++arc) near_of[arcs.target[arc]] = u;
        for (int arc = arcs.first[u]; arc < arcs.first[u + 1]; ++arc) {
            const int v = arcs.target[arc];
            if (v < u || level[v] != level[u]) continue;
            const auto common = [&](int w) { return w != u && level[w] == level[u] && near_of[w] == u; };
            const auto* const begin = arcs.target.data() + arcs.first[v];
            found[arcs.edge[arc]] = std::any_of(begin, arcs.target.data() + arcs.first[v + 1], common) ? 1 : 0;
        }
    }
    return found;
}

}  // namespace

std::vector<Boundary> boundaries(const Network& network) {
    const std::vector<int> level = levels_above_hosts(network, Adjacency(network));
    const int highest = *std::ranges::max_element(level);
    const std::vector<char> triangle = close_triangles(network, level);
    std::vector<Boundary> found;
    UnionFind joined(network.vertices());
    // Adds the groups of hosts that these links join too; false when that is all hosts.
    const auto join = [&](const auto& which) {
        for (std::size_t i = 0; i < network.edges.size(); ++i) {
            const Edge& edge = network.edges[i];
            const int low = std::min(level[edge.u], level[edge.v]), high = std::max(level[edge.u], level[edge.v]);
            if (which(low, high, triangle[i] != 0)) joined.join(edge.u, edge.v);
        }
        Boundary boundary = groups_of(network, joined);
        if (boundary.links.size() == 1) return false;
        const std::size_t before = found.empty() ? network.hosts : found.back().links.size();
        if (boundary.links.size() != before) found.push_back(std::move(boundary));
        return true;
    };
    for (int above = 1; above <= highest; ++above) {
        const auto up = [&](int low, int high, bool) { return low == above - 1 && high == above; };
        const auto near = [&](int low, int high, bool is_near) { return low == above && high == above && is_near; };
        const auto across = [&](int low, int high, bool) { return low == above && high == above; };
        if (!join(up) || !join(near) || !join(across)) break;
    }
    return found;
}

Boundary boundary_of(const Network& network, const Cut& cut) {
    return {{cut.side.begin(), cut.side.begin() + network.hosts}, {cut.capacity, cut.capacity}};
}

std::vector<Boundary> boundaries_of(const std::vector<HostHalves>& halves, int hosts, const std::vector<int>& numbers) {
    std::vector<Boundary> found;
    for (const HostHalves& each : halves) {
        found.push_back({std::vector<int>(hosts), {each.links, each.links}});
        for (int host = 0; host < hosts; ++host)
            found.back().group[host] = each.side(numbers.empty() ? host : numbers[host]);
    }
    return found;
}

std::vector<double> host_links(const Network& network) {
    std::vector<double> links = capacity_at(network);
    links.resize(network.hosts);
    return links;
}

}  // namespace narrows
