#pragma once

#include <vector>

#include "model/prediction.hpp"
#include "model/quantity.hpp"

namespace narrows {

/// What RandomAccess needs to know of a network.
struct NetworkShare {
    double nodes = 1;      ///< N
    double phi = 0;        ///< min C/(|S||S̄|) over all cuts, or t if that is less; 0 where there is no cut (one node)
    Bandwidth link;        ///< one link, each way
    bool by_flow = false;  ///< whether `phi` is t, the largest uniform concurrent flow, which can be below every cut
    /// Whether RandomAccess is limited by this network at all.
    bool limits() const { return nodes > 1 && phi > 0; }
};

/// What all codes have that send updates in messages.
struct MessageGups {
    double workers = 1;  ///< processors that work at once: ranks, unless several ranks share one
    Time update;         ///< generating and applying an update, with what else it takes where it is made
    Data bytes;          ///< an update on the wire, its share of its message's framing included
    NetworkShare network;
    std::vector<Bound> servers;  ///< of all else that messages pass
};

/// Limit of the processors.
///
/// Statement: GUPS <= W / t.
/// Symbols:   W processors that work, t processor time of one update with all that belongs to it.
/// Source:    garg2006 (1), where t = t_g + t_u + t_o^s + ((N-1)/N)(t_s + t_r + t_o^p).
/// Range:     the work is spread evenly, as it is for random updates.
/// Test:      tests/model/test_gups.cpp (Table 3 and 5 of garg2006)
Rate processor_bound(double workers, Time per_update);

/// Limit of the network's sparsest cut.
///
/// Statement: GUPS <= N^2 phi C / b, at most (2N/b) alpha C.
/// Symbols:   N nodes, phi = min C(S)/(|S||S̄|) in links, C bandwidth of a link each way, b bytes an update on the
///            link.
/// Source:    garg2006, the line above (2); (2) is its weaker form with alpha, equal where a sparsest cut halves the
///            nodes.
/// Range:     destinations uniform; any routing; every update crosses a cut once.
/// Test:      tests/model/test_gups.cpp (Tables 3, 5 and 7 of garg2006)
Rate cut_bound(const NetworkShare& network, Data per_update);

/// The network's limit, if it is one, appended to `bounds`, and those of the other servers. Of two limits of one
/// server, such as of two cuts of the network, the tighter is kept.
void add_bounds(std::vector<Bound>& bounds, const NetworkShare& network, Data bytes, const std::vector<Bound>& servers);

/// All limits of a code: `processor_bound` by a formula with these symbols, and the others as `add_bounds` has them.
std::vector<Bound> message_bounds(const MessageGups& inputs, Time per_update, std::string_view formula,
                                  std::string_view source, std::vector<Symbol> symbols);

}  // namespace narrows
