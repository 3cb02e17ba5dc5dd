#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/routes/host_names.hpp"

namespace narrows {

/// The hosts that a job gets by rule: `first:512` the first 512, `random:512:7` as many chosen by seed 7, every set as
/// likely; the same on every machine. Sorted. Throws InputError for another text, no host or more than there are.
std::vector<int> placed_hosts(std::string_view rule, int hosts);

/// Whether `text` is a rule for `placed_hosts` rather than the name of a file: it begins with `first:` or `random:`.
bool is_placement_rule(std::string_view text);

/// The hosts that a file lists, as `HostFinder` finds them, in any order, parted by spaces, commas or line ends, which
/// `WordLines` tells from those in names; # begins a comment. `file` is its name for errors. Sorted. Throws InputError
/// with line and column: a host that is not there, with a suggestion, or is listed twice; no host at all.
std::vector<int> listed_hosts(std::string_view text, const std::string& file, const HostFinder& hosts);

/// `network` as a job on some of its hosts sees it: these are hosts 0 … n−1 in their order; the other hosts become
/// switches, which forward but neither send, receive nor count in cuts, and follow in the order of their numbers, the
/// old switches after them. Its routers are those of `network` that are left. A vertex that can carry no traffic, since
/// it has no or one neighbour and is none of `hosts`, is left out, and so on until none is left. `vertex_map`, unless
/// null, gets the old number of every new vertex. Edges keep their order. Precondition: a valid network; sorted,
/// unique, existing hosts, at least one.
Network on_part(const Network& network, const std::vector<int>& hosts, std::vector<int>* vertex_map = nullptr);

}  // namespace narrows
