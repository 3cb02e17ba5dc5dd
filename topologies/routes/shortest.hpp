#pragma once

#include <functional>
#include <optional>

#include "topologies/graph.hpp"
#include "topologies/routes/link_loads.hpp"
#include "topologies/routes/shortest_spread.hpp"
#include "topologies/routes/traffic.hpp"

namespace narrows {

/// Loads of `traffic` along shortest paths, counted in links, divided as `split` says: by_paths, every shortest path
/// between two hosts carries the same share, parallel links making paths of their own and capacities drawing none. A
/// uniform part is routed as by `uniform_shortest_loads`, on as many threads; the list on one. `stop` is asked after
/// every eight sources; when it says true there is no result.
///
/// Throws InputError when a host cannot reach one that it sends to, and as `ShortestSpread::send`; std::logic_error
/// unless the network is valid and the traffic of as many hosts.
std::optional<LinkLoads> shortest_loads(const Network& network, const Traffic& traffic, Split split, int threads = 1,
                                        const std::function<bool()>& stop = {});

}  // namespace narrows
