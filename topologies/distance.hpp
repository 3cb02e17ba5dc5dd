#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "topologies/adjacency.hpp"
#include "topologies/graph.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// Distances between hosts, in links.
struct Distances {
    int diameter = 0;
    /// Over ordered pairs of distinct hosts; 0 when there is one host.
    double mean = 0;
};

/// Measured by a breadth-first search from every host, in O(hosts · edges); nothing when some host cannot reach
/// another, or when stopped, which is polled after each host. Of more than `most_searched` hosts so many are searched
/// from, evenly spread: the mean is theirs, and the diameter at least theirs. Throws std::logic_error unless `network`
/// is valid.
std::optional<Distances> host_distances(const Network& network, const Stop& stop = never_stop,
                                        int most_searched = std::numeric_limits<int>::max());

/// Links from each vertex to the nearest of these, by vertex; -1 where there is no way. O(links).
std::vector<int> links_from(const Adjacency& arcs, std::vector<int> vertices);

/// Dijkstra's search from `source`. `distance` is infinite but of the source when it begins and has the least sums of
/// `length`, one an edge, when it ends; `order` gets the vertices reached, nearest first. Calls `shorter(vertex, edge)`
/// for each way to a vertex, by its last edge, that is shorter than those before it.
template <class Shorter>
void search_by_length(const Adjacency& arcs, const std::vector<double>& length, int source,
                      std::vector<double>& distance, std::vector<int>& order, const Shorter& shorter) {
    using Reached = std::pair<double, int>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
    queue.push({0, source});
    while (!queue.empty()) {
        const auto [reached, v] = queue.top();
        queue.pop();
        if (reached > distance[v]) continue;
        order.push_back(v);
        for (int arc = arcs.first[v]; arc < arcs.first[v + 1]; ++arc) {
            const int other = arcs.target[arc], edge = arcs.edge[arc];
            const double there = reached + length[edge];
            if (there >= distance[other]) continue;
            distance[other] = there;
            shorter(other, edge);
            queue.push({there, other});
        }
    }
}

/// By vertex, how many links away the nearest host is.
std::vector<int> levels_above_hosts(const Network& network, const Adjacency& arcs);

}  // namespace narrows
