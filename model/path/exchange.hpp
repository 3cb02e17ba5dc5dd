#pragma once

#include <string>
#include <vector>

#include "model/path/path.hpp"

namespace narrows {

/// Time until a node that sends a message to each of its neighbours at once, and gets one from each, has them all.
///
/// Statement: T = sum_i (o_i + l_i) + sum_legs D + max(0, max_r ((k - 1) * s_r - idle_r)),
///            D = max over servers of the leg of d_r + sum over the leg's other stages of f_i.
/// Symbols:   k neighbours; o_i time of stage i for an empty message, l_i its latency; d_i what the payload adds, f_i
///            what its first piece adds; d_r, s_r sums over the stages of server r: of d_i, and of o_i + d_i. A leg is
///            a run of stages that take pieces, which follow each other; a stage that takes whole messages is a leg of
///            its own. r are the servers that the messages of a node share: all but those of `own`, of which each
///            neighbour has one (the links of a torus). idle_r: what the legs of r leave beside d_r and f_i elsewhere.
/// Source:    flow shop of identical jobs (sum of the stages + (k - 1) * the slowest), with pieces served in the order
///            in which they come; kumar2008 Section 4, Figures 5 and 6 (neighbour exchange), derived.
/// Range:     k >= 1, else std::logic_error; both directions alike, each with servers of its own, unless two stages
/// name
///            the same one; one server is slowest all along: up to 6 % too short where two are about equally busy.
/// Terms:     a term a stage, named after its server; what the slowest server makes the others wait for is its own.
/// Test:      tests/model/path/test_exchange.cpp (hand values, limits, a simulation of queues)
Breakdown exchange_time(const Path& path, Data payload, int neighbours, const std::vector<std::string>& own);

/// Time of one message whose stages pass on pieces where they take pieces: an exchange with one neighbour. Never more
/// than `path_time`, and the same where all stages take whole messages.
Breakdown message_time(const Path& path, Data payload);

}  // namespace narrows
