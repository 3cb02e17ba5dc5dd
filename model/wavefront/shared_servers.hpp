#pragma once

#include <vector>

#include "model/machine.hpp"
#include "model/path/path.hpp"
#include "model/wavefront/workload.hpp"

namespace narrows {

/// The least time that an iteration takes by each server that ranks share and the recurrence does not know: the nodes'
/// memory, what paths name of them, host and network interfaces, a host's link, uplinks, cuts and links. Only what the
/// machine limits; nothing where the query does not say how many ranks a node has.
///
/// Statement: T >= 8 B k s, of memory T >= 8 B r c (2 m + m) 8 B / C.
/// Symbols:   B blocks of an octant, 8 octants; k messages of a block at the fullest server, counted by where the ranks
///            lie, the mean of octants that go one way and the other, s its time, of messages along I and along J each;
///            of links k s is the most of those along I, of those along J, and of both as pieces of about one time, a
///            message being eight at most, of the least time that a piece takes; r ranks of a node, c cells of a block,
///            m flux moments, which are read, written, and read as the source, 8 bytes each; C the node's memory
///            bandwidth.
/// Source:    derived: capacity over demand.
/// Range:     of ranks that do not fill their nodes, the fullest.
/// Test:      tests/model/wavefront/test_shared_servers.cpp
std::vector<NamedTime> shared_server_times(const Machine& machine, const SweepQuery& query);

/// The one that takes longest; no time where there is none.
NamedTime slowest_shared_server(const Machine& machine, const SweepQuery& query);

}  // namespace narrows
