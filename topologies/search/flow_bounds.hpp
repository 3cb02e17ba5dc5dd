#pragma once

#include "topologies/search/analysis.hpp"
#include "topologies/symmetry/orbits.hpp"

namespace narrows {

/// Brackets t in `found.numbers`, with the proofs in `found.proofs`: by rounds of shortest paths and a linear program,
/// or for large networks by one round; with `orbits`, which may be null, from one host of each. What a budget ends is
/// kept: hosts whose round was done serve as hubs of all traffic (`hub_flow`). Whether it ended by itself.
bool bound_flow(const Network& network, const AnalysisOptions& options, const Orbits* orbits, NetworkAnalysis& found);

}  // namespace narrows
