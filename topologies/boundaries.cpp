#include "topologies/boundaries.hpp"

#include <algorithm>

#include "topologies/adjacency.hpp"
#include "topologies/union_find.hpp"

namespace narrows {
namespace {

// Links from each vertex to the nearest host.
std::vector<int> levels_of(const Network& network) {
    const Adjacency arcs(network);
    std::vector<int> level(network.vertices(), -1);
    std::vector<int> reached;
    for (int host = 0; host < network.hosts; ++host) {
        level[host] = 0;
        reached.push_back(host);
    }
    for (std::size_t next = 0; next < reached.size(); ++next) {
        const int vertex = reached[next];
        for (int arc = arcs.first[vertex]; arc < arcs.first[vertex + 1]; ++arc) {
            if (level[arcs.target[arc]] >= 0) continue;
            level[arcs.target[arc]] = level[vertex] + 1;
            reached.push_back(arcs.target[arc]);
        }
    }
    return level;
}

// The groups that `joined` makes of the hosts; the vertices without hosts are outside.
Boundary groups_of(const Network& network, UnionFind& joined) {
    std::vector<int> number(network.vertices(), -1);
    Boundary boundary;
    for (int host = 0; host < network.hosts; ++host) {
        int& group = number[joined.find(host)];
        if (group < 0) {
            group = static_cast<int>(boundary.links.size());
            boundary.links.push_back(0);
        }
        boundary.group.push_back(group);
    }
    for (const Edge& edge : network.edges) {
        const int one = number[joined.find(edge.u)], other = number[joined.find(edge.v)];
        if (one == other) continue;
        if (one >= 0) boundary.links[one] += edge.capacity;
        if (other >= 0) boundary.links[other] += edge.capacity;
    }
    return boundary;
}

}  // namespace

std::vector<Boundary> boundaries(const Network& network) {
    const std::vector<int> level = levels_of(network);
    const int highest = *std::max_element(level.begin(), level.end());
    std::vector<Boundary> found;
    UnionFind joined(network.vertices());
    const auto hangs = [&](const Edge& edge) { return level[edge.u] + level[edge.v] == 1; };
    const bool switched = std::any_of(network.edges.begin(), network.edges.end(), hangs);
    for (int above = switched ? 0 : 1; above <= highest; ++above) {
        for (const Edge& edge : network.edges) {
            const int low = std::min(level[edge.u], level[edge.v]), high = std::max(level[edge.u], level[edge.v]);
            if ((above == 0 && hangs(edge)) || (above > 0 && low > 0 && high <= above)) joined.join(edge.u, edge.v);
        }
        Boundary boundary = groups_of(network, joined);
        if (boundary.links.size() == 1) break;
        if (found.empty() || found.back().links.size() != boundary.links.size()) found.push_back(std::move(boundary));
    }
    return found;
}

std::vector<double> host_links(const Network& network) {
    std::vector<double> links(network.hosts, 0.0);
    for (const Edge& edge : network.edges) {
        if (edge.u < network.hosts) links[edge.u] += edge.capacity;
        if (edge.v < network.hosts) links[edge.v] += edge.capacity;
    }
    return links;
}

}  // namespace narrows
