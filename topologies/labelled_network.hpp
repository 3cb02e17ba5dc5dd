#pragma once

#include <string>
#include <vector>

#include "topologies/graph.hpp"

namespace narrows {

/// A network with the names that its vertices have in a file.
struct LabelledNetwork {
    Network network;
    /// One for each vertex, all different, hosts first.
    std::vector<std::string> names;
    /// What capacities are in: "links" when all links count the same, "Gbit/s", or nothing when the file's own unit is
    /// not known.
    std::string capacity_unit;
    /// What a reader should know of the file although the network can be used, a sentence each without a full stop.
    std::vector<std::string> warnings;
    /// Name of the format that it was read from.
    std::string format;
};

}  // namespace narrows
