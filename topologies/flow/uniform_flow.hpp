#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "topologies/flow/weighted_spread.hpp"

namespace narrows {

/// A part of a flow: a spread and its share of every pair's unit.
struct SpreadPart {
    double share = 1;
    Spread spread;
};

/// What a source sends over a link when each other host receives 1 from it: `amount` from the link's `u` to its `v`, or
/// back when it is negative.
struct FlowArc {
    int source = 0;
    int edge = 0;
    double amount = 0;
};

/// Two-sided proof about t, the largest flow that every ordered pair of hosts can send at the same time.
struct UniformFlow {
    /// The flow of `parts` or `arcs`, scaled until the fullest link is full. A feasible flow is a proof.
    double lower = 0;
    std::vector<SpreadPart> parts;
    /// Σ 2·capacity·length / Σ distance, which no flow exceeds: sending f along a path uses up f times its length
    /// (the dual of the flow: Leighton and Rao 1999).
    double upper = 0;
    /// The lengths that prove it; empty when all are 1.
    std::vector<double> length;
    /// The flow itself, link by link, when it is not one of `parts`, which is then empty.
    std::vector<FlowArc> arcs;
};

/// When the search may end.
struct UniformFlowGoal {
    /// Ends when upper/lower is at most this.
    double ratio = 1 + 1e-4;
    /// What is known to be no less than t: the capacity of a cut over its pairs.
    double upper = std::numeric_limits<double>::infinity();
    int threads = 1;
    Stop stop = never_stop;
    /// Of the network, when its symmetries are to be used: the same flow from a host of each orbit.
    const Orbits* orbits = nullptr;
};

/// First the loads of all paths with the fewest links are evened out: a link's weight is multiplied by a power of
/// (mean load / its load) again and again, which in networks without one narrow place ends near the optimum within
/// ten rounds. Then, where longer paths must help, by Frank and Wolfe's method on a soft maximum of the loads, whose
/// gradient are the lengths of the other side's proof. Nothing when stopped in the first round or disconnected.
/// Both ends hold after rounding: they are moved apart by `rounding`.
std::optional<UniformFlow> uniform_flow(const Network& network, const UniformFlowGoal& goal);

/// By how much, relatively, a sum over all vertices or links may be off, with room: 4·2⁻⁵² times their number.
double rounding(const Network& network);

/// The lower end that the links' loads prove, both directions together and with every pair sending 1; 0 unless all are
/// finite and some link carries anything.
double lower_end_of(const Network& network, const std::vector<double>& load);

/// The lower end that `parts` prove, computed from nothing but them; nothing when disconnected. These two with `orbits`
/// of the network as `Spreader`, and nothing when stopped.
std::optional<double> flow_of(const Network& network, const std::vector<SpreadPart>& parts, int threads,
                              const Orbits* orbits = nullptr, const Stop& stop = never_stop);
/// The upper end that `length` proves, if lengths are the same within orbits; nothing when disconnected.
std::optional<double> dual_of(const Network& network, const std::vector<double>& length, int threads,
                              const Orbits* orbits = nullptr, const Stop& stop = never_stop);

}  // namespace narrows
