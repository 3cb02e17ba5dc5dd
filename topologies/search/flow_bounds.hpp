#pragma once

#include "topologies/search/analysis.hpp"
#include "topologies/symmetry/orbits.hpp"

namespace narrows {

/// Brackets t in `found.numbers`, with the proofs in `found.proofs`: by rounds of shortest paths and a linear program,
/// both with `orbits`, which may be null, from one host of each, or for large networks by one round from all hosts.
/// What a budget ends is kept: hosts whose round was done serve as hubs of all traffic (`hub_flow`). Whether it ended
/// by itself.
bool bound_flow(const Network& network, const AnalysisOptions& options, const Orbits* orbits, NetworkAnalysis& found);

/// Puts one round of shortest paths in `found.proofs.flow`, if that takes no more than a second or so: a search of cuts
/// may use up the budget before `bound_flow`.
void begin_flow(const Network& network, const AnalysisOptions& options, const Orbits* orbits, NetworkAnalysis& found);

/// Brackets t by what `begin_flow` found, when there was no time for more, or by way of a few hubs, the work of a
/// moment.
void settle_for_begun_flow(const Network& network, const AnalysisOptions& options, NetworkAnalysis& found);

}  // namespace narrows
