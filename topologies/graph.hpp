#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace narrows {

/// A link between two vertices; it carries `capacity` each way at once.
struct Edge {
    int u = 0;
    int v = 0;
    double capacity = 1;
};

/// The most vertices and edges, each, that a topology named by its family is written out with.
inline constexpr std::int64_t graph_limit = std::int64_t{1} << 25;

/// A network as an explicit graph: vertices 0 … hosts−1 are hosts, hosts … hosts+switches−1 are switches. Hosts send,
/// receive and may forward; switches only forward, and no cut counts them. Parallel edges add up.
struct Network {
    int hosts = 0;
    int switches = 0;
    std::vector<Edge> edges;
    /// Where the routers begin in a part of a network, whose other hosts are no switches: see `on_part`.
    std::optional<int> routers_from = std::nullopt;

    int vertices() const { return hosts + switches; }
    /// This vertex and those after it are the routers: the switches, or all where there are none.
    int first_router() const { return routers_from.value_or(switches > 0 ? hosts : 0); }
    void connect(int u, int v, double capacity = 1) { edges.push_back({u, v, capacity}); }
};

/// By vertex, how many of these edges end at it.
std::vector<int> degrees(int vertices, const std::vector<Edge>& edges);

/// Most edges at one vertex. Throws std::logic_error unless `network` is valid (see `require_valid`).
int largest_degree(const Network& network);

/// By vertex, the capacity of its edges.
std::vector<double> capacity_at(const Network& network);

/// Whether all links of every host, at least one, are to switches.
bool hang_on_switches(const Network& network);

/// Throws std::logic_error unless there is a host, every edge joins two different vertices of `network` and every
/// capacity is positive and finite.
void require_valid(const Network& network);

/// So many hosts and switches, not linked yet, with room for so many `links`. Throws std::logic_error when they are
/// beyond `graph_limit`.
Network unlinked(std::int64_t hosts, std::int64_t switches, std::int64_t links);

/// Throws std::logic_error when a graph of so many vertices or edges is beyond `graph_limit`.
void require_graph_size(std::int64_t vertices, std::int64_t edges);

}  // namespace narrows
