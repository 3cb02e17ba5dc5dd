#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// The least capacity of a cut by number of hosts, as `least_cuts` and `gray_cuts` find it, with code of its own, and
/// `how` in words: every set of hosts where they are few, else a table over the vertices at hand, which come and go one
/// by one (Bodlaender 1998: a nice path decomposition, introduce and forget). Nothing when that is too much or `stop`
/// says so.
std::optional<std::vector<double>> least_cuts_again(const Network& network, std::string& how, const Stop& stop);

}  // namespace narrows
