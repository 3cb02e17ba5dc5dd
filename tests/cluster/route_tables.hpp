#pragma once

#include <vector>

#include "topologies/adjacency.hpp"
#include "topologies/routes/routing.hpp"

namespace narrows::cluster {

/// One next hop for each destination, as kernels have it: `next[v][d]` is the arc, of `Adjacency(network)`, by which
/// vertex v passes on what is meant for host d; −1 at d itself and where no route to d comes by.
struct RouteTables {
    std::vector<std::vector<int>> next;
};

/// Tables whose every route is one that `routed_loads` uses too. Where that divides traffic among several next hops, a
/// table has one of them, chosen so that uniform traffic fills the links as evenly as can be: half way round a ring by
/// turns one way and the other (`dimension-order ties=onwards`: all onwards), elsewhere by local search. Throws
/// InputError as `routed_loads`, and for valiant routing, which no table of destinations has.
RouteTables route_tables(const Network& network, const Routing& routing, const std::vector<int>& shape,
                         const std::vector<bool>& wraps);

/// The arcs from host `source` to host `target` by the tables. Throws std::logic_error when they do not lead there.
std::vector<int> route(const Adjacency& arcs, const RouteTables& tables, int source, int target);

/// Loads of `traffic` by the tables, in units of its demands.
LinkLoads walked_loads(const Network& network, const RouteTables& tables, const Traffic& traffic);

}  // namespace narrows::cluster
