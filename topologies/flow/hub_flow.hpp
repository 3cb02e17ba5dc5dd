#pragma once

#include "topologies/routes/uniform_loads.hpp"

namespace narrows {

/// A lower end of t from the loads of some hosts R only: every pair sends its unit in |R| equal parts, each by way of
/// one of these hosts. A hub then sends (N−1)/|R| to every host and receives as much from each, on the same paths
/// backwards, so that a link carries, each way, (N−1)/|R| times what the hubs' own uniform traffic of 1 a pair lays on
/// both of its ways (Valiant 1982, with given middles). A hub on a link of its own is the switch at
/// its other end: of its N−1 units there, all but its own one stay. With all hosts it is no less than half of their
/// direct flow.
double hub_flow(const Network& network, const LoadsOfSome& hubs);

}  // namespace narrows
