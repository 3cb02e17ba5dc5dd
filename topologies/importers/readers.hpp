#pragma once

#include "topologies/importers/import.hpp"

namespace narrows {

/// Lines `u v [capacity]`, and `host NAME ...` or `switch NAME ...` to declare vertices; a vertex that is not declared
/// is a host. Names are words, or anything between two '"'. '#' and '%' begin comments. Without capacities every link
/// counts 1; with any, all need one.
LabelledNetwork read_edge_list(const Source& source, const ImportOptions& options);

/// METIS's graph file: `n m [fmt [ncon]]`, then the neighbours of each vertex, from 1. Edge weights are capacities. A
/// vertex of weight 0 is a switch.
LabelledNetwork read_metis(const Source& source, const ImportOptions& options);
bool looks_like_metis(std::string_view text);

/// What InfiniBand's `ibnetdiscover` prints. Capacities are data rates in Gbit/s, after the line code. Every cable is
/// there from both ends and counts once. Adapters of one host are one vertex; aggregation nodes inside switches are
/// left out.
LabelledNetwork read_ibnetdiscover(const Source& source, const ImportOptions& options);
bool looks_like_ibnetdiscover(std::string_view text);

/// Slurm's topology.conf for its tree plugin. Needs `cable_multiplicity` when a switch is linked to another one. A
/// host has one cable to each switch that lists it. LinkSpeed, if all lines have it, is the capacity of a cable.
LabelledNetwork read_slurm(const Source& source, const ImportOptions& options);
bool looks_like_slurm(std::string_view text);

/// GraphML. An attribute `kind` or `type` of a vertex says `switch` or `host`, `name` how it is called; `capacity` (or
/// `weight`) of an edge what it carries.
LabelledNetwork read_graphml(const Source& source, const ImportOptions& options);

/// Graphviz DOT, with the same attributes as GraphML but `name`.
LabelledNetwork read_dot(const Source& source, const ImportOptions& options);
bool looks_like_dot(std::string_view text);

/// A SimGrid platform: one cluster (crossbar, torus, fat tree or dragonfly), or hosts, routers, links and routes.
LabelledNetwork read_simgrid(const Source& source, const ImportOptions& options);

}  // namespace narrows
