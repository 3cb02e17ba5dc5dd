#pragma once

#include <string>
#include <vector>

#include "topologies/labelled_network.hpp"

namespace narrows {

/// SimGrid's graph form: hosts, routers, a link and a route over one hop for each pair of neighbours. Parallel links
/// are one with their sum, since a pair has one route. Every host's own link stays one, other than with a cluster's
/// limiter link, which SimGrid charges at every hop of a torus. Links are SPLITDUPLEX. Their latency is not known;
/// SimGrid insists on one, so 0 is written.
std::string write_simgrid(const LabelledNetwork& network);
/// What the form cannot say of it.
std::vector<std::string> changed_by_simgrid(const LabelledNetwork& network);

/// An undirected graph with `kind` of switches and `capacity` of edges, unless all are 1.
std::string write_dot(const LabelledNetwork& network);

/// The same as GraphML.
std::string write_graphml(const LabelledNetwork& network);

/// Lines `u v [capacity]` after `host` and `switch` lines for what the edges do not say. In names '"' and line ends
/// become '_'; throws InputError where two names become one.
std::string write_edge_list(const LabelledNetwork& network);

/// METIS, numbered from 1; switches have weight 0. Throws InputError when a capacity is not a whole number.
std::string write_metis(const LabelledNetwork& network);
/// What the form cannot say of it.
std::vector<std::string> changed_by_metis(const LabelledNetwork& network);

/// Whether capacities have to be written: one is other than 1, or their unit is not a link.
bool has_capacities(const LabelledNetwork& network);

}  // namespace narrows
