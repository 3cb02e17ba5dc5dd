#pragma once

#include <functional>
#include <optional>

#include "topologies/graph.hpp"
#include "topologies/routes/link_loads.hpp"
#include "topologies/routes/traffic.hpp"

namespace narrows {

/// Loads of `traffic` in a fat tree or another tree of switches when every message goes up only as far as it must to
/// come down to its target, then down. A vertex's level is its distance from the nearest host. On the way up traffic is
/// divided equally, at every vertex, over the links up that lead to such a lowest turning point, and on the way down
/// over those that lead to the target. `stop` is asked after every target; when it says true there is no result.
///
/// Throws InputError when a link joins two vertices of the same level, and when there is no way up and down between two
/// hosts; std::logic_error unless the network is valid and the traffic of as many hosts. O(hosts · edges).
std::optional<LinkLoads> up_down_loads(const Network& network, const Traffic& traffic,
                                       const std::function<bool()>& stop = {});

}  // namespace narrows
