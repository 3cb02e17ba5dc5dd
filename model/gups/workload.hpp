#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/framing.hpp"
#include "model/gups/placement.hpp"
#include "model/gups/routed.hpp"
#include "model/machine.hpp"
#include "model/prediction.hpp"
#include "topologies/topology.hpp"

namespace narrows {

std::string_view name_of(GupsCode variant);
/// InputError with a suggestion for an unknown name.
GupsCode gups_variant(std::string_view name);
/// The variants that the machine's file has the costs for, the default first.
std::vector<GupsCode> gups_variants(const Machine& machine);

/// HPCC's default table of `ranks`: 32 MiB, or 8 KiB a rank if that is more.
Data default_table(std::int64_t ranks);

/// The table when none is given: HPCC's half of the memory on several nodes of known memory, else that of `run gups`.
Data default_table(const Machine& machine, const Placement& placement);

/// The prediction for the query, with the costs of the machine. InputError names a cost that the machine lacks.
Prediction predict_gups(const Machine& machine, const GupsQuery& query);

/// What software routing costs on the machine, from which `predict_gups` has its rate; and the framing of its packets.
/// InputError as there.
RoutedGups routed_inputs(const Machine& machine, const GupsQuery& query);
Framing routed_framing(const Machine& machine, const GupsQuery& query);

/// The machine's nodes on another machine's network: `network` and the framing of its packets come from `network`
/// (from its messaging layer of that name, else from its first one with a framing, else from its link).
Machine on_network(const Machine& machine, const Machine& network, std::string_view messaging);

/// The machine's nodes, links and framing in another topology.
Machine on_network(const Machine& machine, const Topology& network);

/// A network whose cuts were searched instead of known by formula.
struct SearchedNetwork {
    /// A SPEC or a file's name.
    std::string name;
    /// When it has a SPEC.
    std::optional<Topology> topology;
    std::int64_t nodes = 0;
    /// Proven upper end of φ or t, whichever is sharper, in links.
    double pair_flow = 0;
    /// Which one it is and how it was proven.
    std::string proof;
    /// Whether every node hangs on a switch by one link.
    bool switched = false;
    /// A link's bandwidth, when the network's file says it.
    std::optional<Bandwidth> link;
};

/// The machine's nodes and framing on a searched network. Predictions then hold for exactly its number of nodes.
Machine on_network(const Machine& machine, const SearchedNetwork& network);

}  // namespace narrows
