#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "topologies/flow/uniform_flow.hpp"

namespace narrows {

/// Throws InputError that names `what` of a certificate when it has another length than `wanted`.
void require_length(std::size_t length, std::size_t wanted, const char* what);

/// What some hosts' flows to all others lay on the links.
struct SentFlow {
    /// By link, both ways together.
    std::vector<double> load;
    /// Σ distance by the lengths of the last part; infinite when some pair has no way or there is no time.
    double distance = 0;
    /// Whether at every vertex as much came as went.
    bool balanced = false;
};

/// Hosts that send, each so many times over.
using Senders = std::vector<std::pair<int, double>>;

/// Sends every sender's unit to every other host over the shortest paths of `parts`, found by LEMON's Dijkstra, and
/// checks the balance of every vertex. Throws InputError when a list is not of this network.
SentFlow send_again(const Network& network, const std::vector<SpreadPart>& parts, const Senders& senders,
                    const Stop& stop);

}  // namespace narrows
