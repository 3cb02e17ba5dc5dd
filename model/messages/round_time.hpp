#pragma once

#include <functional>

#include "model/messages/round_loads.hpp"
#include "model/path/path.hpp"

namespace narrows {

/// What a message costs, whatever it shares.
struct MessageCosts {
    std::function<Path(Data payload)> between;  ///< of one that goes to another node, over one link
    std::function<Path(Data payload)> inside;   ///< of one that stays
    TimePerByte combine;
    Bandwidth memory;       ///< of a node; zero: no limit
    double background = 0;  ///< share of the links that others take
};

/// Time of a phase: all ranks start together.
///
/// Statement: of a round: its slowest message's, and combining what came. Of rounds whose ranks are followed f(a), f(b)
///            := max(f(a), f(b)) + t for every message from a to b, all at once, and the largest f at the end; else the
///            sum of the rounds. t = max(exchange with its crowd, what the node's messages take of its memory).
/// Symbols:   f when a rank is done with the rounds so far, t of a message by `Exchange` over its links.
/// Source:    a max-plus recurrence; Thakur, Rabenseifner and Gropp 2005 has t(n) = alpha + n beta, here it is any
///            path's. Memory: every byte is read once and written once; what calls copy beside that, a path says.
/// Range:     a message occupies both its ranks from when both have reached it until it has arrived; those of different
///            rounds share nothing, but take no less together than the link and the interfaces of any node need for
///            them. Terms:     one a server, `uplinks` or `network` what the link waits for other nodes' messages, and
///            that least time alone; `memory` alone where it is the limit; `combine`. Those of the critical path.
/// Test:      tests/model/messages/test_round_loads.cpp, test_allreduce.cpp
Breakdown phase_time(const PhaseLoads& loads, const MessageCosts& costs);

}  // namespace narrows
