#pragma once

#include <optional>
#include <vector>

#include "topologies/flow/uniform_flow.hpp"

namespace narrows {

struct FlowProgramLimits {
    /// The most variables, 2·hosts·links, that a network may have to be tried at all.
    double variables = 5e4;
    /// Steps of the simplex method, each of which costs about (hosts + links)²: a limit that needs no clock.
    int pivots = 30'000;
    /// Positive lengths, one a link, that the search starts from; empty: 1/capacity.
    std::vector<double> length;
    int threads = 1;
    Stop stop = never_stop;
};

/// What the linear program gave. Both ends of `flow` were worked out again from its `arcs` and `length`, so they hold
/// whatever the solver's tolerances and however early it ended.
struct FlowProgram {
    UniformFlow flow;
    /// Whether no path could improve the flow any more: the ends are then apart by rounding and tolerances only.
    bool complete = false;
    int pivots = 0;
};

/// The variables that one would have that names a flow for each source and direction of a link: 2·hosts·links.
inline double flow_program_variables(const Network& network) {
    return 2.0 * network.hosts * static_cast<double>(network.edges.size());
}

/// t by linear programming: least z such that each source sends a mixture of trees, one unit to each other host, and no
/// link carries more than 2z times its capacity, both directions together (sent back as it came, each direction carries
/// half). Trees are added as they are needed, shortest by the links' dual prices (column generation: Dantzig and Wolfe
/// 1960, with prices smoothed as in Wentges 1997), which takes a fraction of the time of one variable per source and
/// arc. Nothing when the network is larger than the limits, disconnected, or stopped before there is a flow.
std::optional<FlowProgram> flow_program(const Network& network, const FlowProgramLimits& limits);

}  // namespace narrows
