#pragma once

#include "model/demand/line_traffic.hpp"
#include "model/demand/placement.hpp"

namespace narrows {

/// What one operation of the job asks of the servers around its nodes, in messages: every rank makes as many
/// operations, so that one of the job is 1/P of one of each of P ranks. 0 where there is no such server.
struct Loads {
    double hops = 0;       ///< messages to another rank
    double leaving = 0;    ///< of these to another node
    double node = 0;       ///< messages that leave the fullest node
    double router = 0;     ///< through a node's router: a mean where a formula gives distances, else the least
    double injection = 0;  ///< over a link of the fullest host, of grids none: their cuts are tighter
    double uplinks = 0;    ///< over a link of the fullest leaf, pod or group
    double slabs = 0;      ///< over a link of the fullest cut across a dimension of a grid
    double link = 0;       ///< over the fullest link, where the routing is known and the network can be written out
};

/// Statement: each the largest over its servers of the messages that must cross, over the links that they can take.
/// Source:    derived: a cut's bound. Closed forms where ranks lie on nodes in the order of their numbers and a formula
///            gives the network's leaves and pods, else by counting.
/// Range:     any network and placement; what crosses a boundary at least once is counted once. Counting takes
///            O(ranks * dimensions) for each boundary.
/// Test:      tests/model/demand/test_loads.cpp (enumeration of all pairs)
Loads loads_of(const LineTraffic& traffic, const Placement& placement);

}  // namespace narrows
