#pragma once

#include <optional>
#include <vector>

#include "model/demand/loads.hpp"
#include "model/machine.hpp"
#include "model/path/path.hpp"
#include "model/prediction.hpp"

namespace narrows {

/// Bytes that a link of this bandwidth moves in the time that a message keeps it busy, all its passes together: those
/// on the wire, where the link's stages have no other cost. Of a path without a link the payload.
Data link_bytes(const Path& path, Data payload, Bandwidth link);

/// The messages of a throughput workload's operations.
struct OperationMessages {
    Loads loads;          ///< an operation of the job, in messages if each carried one operation
    Path between;         ///< what a message between two nodes passes
    Data payload;         ///< of a message
    double together = 1;  ///< operations that one message carries
    Data on_link;         ///< bytes of an operation on a link
    Path inside;          ///< what a message inside a node passes
    double staying = 0;   ///< messages of an operation inside a node, if each carried one operation
};

/// Bandwidth of a link that the job can use: `network.link.bandwidth`, less the share that others take.
Bandwidth usable_link(const Machine& machine, double background);

/// The limits of all servers that messages pass beside the processors, for several nodes: those of the network by the
/// loads, and each other server of the path that the machine limits.
///
/// Statement: rate <= c / d: of links C / (b l), of interfaces k / (l s).
/// Symbols:   C bandwidth of a link, b bytes of an operation on it, l its load; k operations a message, s time that a
///            message keeps a node's interfaces (routers, other servers) busy: `busy_time`.
/// Source:    derived: capacity over demand; of one interface a node it is underwood2008 (4).
/// Test:      tests/model/demand/test_servers.cpp
void add_server_bounds(std::vector<Bound>& bounds, const OperationMessages& messages, Bandwidth link);

/// What the memory of a node gives, all its controllers together, if the machine says it.
std::optional<Bandwidth> node_memory(const Machine& machine);

/// The limit of the nodes' memory, if the machine has its bandwidth: nodes * controllers * bandwidth / bytes.
/// Source: derived. Test: as above
void add_memory_bound(std::vector<Bound>& bounds, const Machine& machine, double nodes, Data per_operation);

/// A server that this machine does not limit, and the place of its file that would.
struct Unlimited {
    std::string server;
    std::string path;
    bool is_set = false;  ///< but on no path
};

/// The servers that messages pass or may pass of which the machine says nothing, or that no message between nodes
/// passes by its path: predictions assume that they are no limit. Stages without any cost are such too.
std::vector<Unlimited> unlimited_servers(const Machine& machine);

}  // namespace narrows
