#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "topologies/bracket.hpp"
#include "topologies/flow/uniform_flow.hpp"
#include "topologies/graph.hpp"
#include "topologies/search/best_cuts.hpp"
#include "topologies/search/bracket_ends.hpp"
#include "topologies/symmetry/orbits.hpp"

namespace narrows {

/// The four numbers of a network, as `Topology` documents them.
struct NetworkNumbers {
    Bracket bisection;
    Bracket alpha;
    Bracket phi;
    Bracket uniform_flow;
};

/// What proves the ends of `NetworkNumbers`, each absent when it was not found.
struct NetworkProofs {
    /// Cuts, each the upper end of its number.
    std::optional<BestCuts> cuts;
    /// Least cuts by number of hosts (`least_cuts`): both ends of B, α and φ.
    std::vector<double> least;
    /// A lower end of φ proven by factorisation (`spectral_bound`), in this order of vertices if it was a sparse one.
    double spectral = 0;
    std::vector<int> spectral_order;
    /// Symmetries that the flow was found with; without them its proof takes all senders.
    std::vector<Automorphism> automorphisms;
    /// Hosts by way of which all others send (`hub_flow`), when a budget ended the one round.
    std::vector<int> hubs;
    /// The flow's two ends, found by `uniform_flow`.
    std::optional<UniformFlow> flow;
};

struct NetworkAnalysis {
    NetworkNumbers numbers;
    NetworkProofs proofs;
    /// Whether every search ended by itself; else the brackets are the best so far.
    bool complete = true;
    /// Components of the network; one unless it is disconnected.
    int components = 1;
    /// SPEC of the grid that the network was recognised as, such as "torus 64x32x32"; else empty.
    std::string recognised;
};

struct AnalysisOptions {
    int threads = 1;
    std::uint64_t seed = 1;
    /// Ends the search: what is known then is returned. The caller owns the clock.
    Stop stop = never_stop;
    /// What `stop` leaves.
    TimeLeft left = no_limit;
    /// What certificates call the vertices, nodes first; empty: by number.
    std::vector<std::string> names = {};
    /// Told what is being done.
    std::function<void(const std::string&)> progress = [](const std::string&) {};
    /// Work units (`SweepPlan::work`) up to which the least cuts are computed exactly: 1e11 take a minute or two.
    double exact_work = 3e11;
    /// The search for a flow ends when its upper end is at most this many times the lower.
    double flow_ratio = 1.001;
    /// Whether a network that is a product, such as a torus, is recognised and gets its formulas; without it every
    /// number comes with a proof that `verify` works out again.
    bool recognise = true;
    /// Whether automorphisms are looked for, so that fewer hosts need to be tried.
    bool symmetry = true;
    /// Multiplications of a sparse factorisation (`FactorLimits`).
    double factor_work = 3e9;
    /// Bytes that exact search, or the matrix of a dense spectral bound, may use.
    std::size_t memory = std::size_t{4} << 30;
};

/// Brackets of all four numbers, improved from what is `known` (a formula's, or nothing). Exact where dynamic
/// programming or Gray code order can try all cuts; else cuts from `best_cuts` against spectral and flow bounds, sharp-
/// ened by the fact that capacities are whole multiples of a unit. t is bracketed by a flow and by lengths or a cut.
/// Deterministic for a seed, unless stopped. Throws std::logic_error unless `network` is valid with two hosts or more.
NetworkAnalysis analyse(const Network& network, const NetworkNumbers& known, const AnalysisOptions& options);

}  // namespace narrows
