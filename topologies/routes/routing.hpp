#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/routes/link_loads.hpp"
#include "topologies/routes/traffic.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// A way in which messages are routed, as `--routing` and `network.routing` name it.
struct Routing {
    enum class Kind { dimension_order, shortest, valiant, up_down };
    Kind kind = Kind::shortest;
    /// What is half way round a ring goes onwards alone (`dimension-order ties=onwards`), not half of it each way.
    bool ties_onwards = false;
};

/// InputError with a suggestion for another text.
Routing parse_routing(std::string_view text);

/// Loads of the traffic by that routing. `shape` and `wraps` are those of a grid, as `dimension_order_loads` has them,
/// else empty. No result when `stop` ended it. InputError where the network has no such routes.
std::optional<LinkLoads> routed_loads(const Routing& routing, const Network& network, const std::vector<int>& shape,
                                      const std::vector<bool>& wraps, const Traffic& traffic, int threads,
                                      const Stop& stop);

}  // namespace narrows
