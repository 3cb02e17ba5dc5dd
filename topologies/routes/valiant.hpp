#pragma once

#include <functional>
#include <optional>

#include "topologies/graph.hpp"
#include "topologies/routes/link_loads.hpp"
#include "topologies/routes/shortest_spread.hpp"
#include "topologies/routes/traffic.hpp"

namespace narrows {

/// Mean loads when every message first goes to a random router and thence to its target (Valiant, "A scheme for fast
/// parallel communication", SIAM J. Computing 11 (1982); Dally and Towles, "Principles and Practices of Interconnection
/// Networks", Section 9.1). The routers are those of the network, each as likely,
/// source and target included. Both halves take shortest paths divided as `split` says, the second from its target
/// back, so that by_hop its traffic splits equally over the links on. `stop` is asked after every eight hosts; when it
/// says true there is no result.
///
/// Throws InputError when a host cannot reach a router, and as `ShortestSpread::send`; std::logic_error unless the
/// network is valid and the traffic of as many hosts.
std::optional<LinkLoads> valiant_loads(const Network& network, const Traffic& traffic, Split split,
                                       const std::function<bool()>& stop = {});

}  // namespace narrows
