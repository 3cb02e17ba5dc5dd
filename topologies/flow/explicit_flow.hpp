#pragma once

#include <vector>

#include "topologies/flow/uniform_flow.hpp"

namespace narrows {

/// The lower end of t that `arcs` prove: every source's flow is balanced at every vertex and the links' loads are added
/// up again. What a vertex has too much or too little of could be sent to or from the source on some path, so that all
/// of it is charged to every link; 0 when that does not suffice for a host. Shares nothing with what finds flows.
/// Throws InputError when an arc is not of `network`.
double proven_flow(const Network& network, const std::vector<FlowArc>& arcs);

}  // namespace narrows
