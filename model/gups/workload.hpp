#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/demand/loads.hpp"
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

/// HPCC's default table of `ranks`, a power of two: 32 MiB, or the least that has 8 KiB a rank.
Data default_table(std::int64_t ranks);

/// The table when none is given: HPCC's half of the memory on several nodes of known memory, else that of `run gups`.
Data default_table(const Machine& machine, const Placement& placement);

/// How the query's ranks lie on the machine, and what an update then asks of the servers around the nodes: what does
/// not depend on any cost.
struct GupsJob {
    Placement placement;
    Loads loads;
    std::string protocol;  ///< of its messages; empty where it has none
    std::string inside;    ///< of those inside a node, where they have their own
    bool by_flow = false;  ///< whether a flow limits its network below the sparsest cut
};
GupsJob gups_job(const Machine& machine, const GupsQuery& query);

/// The prediction for the query, with the costs of the machine. InputError names a cost that the machine lacks.
Prediction predict_gups(const Machine& machine, const GupsQuery& query);
/// The same with a job that is known, of a machine that differs in its costs alone.
Prediction predict_gups(const Machine& machine, const GupsQuery& query, const GupsJob& job);

/// What software routing costs on the machine, from which `predict_gups` has its rate; and the framing of its packets.
/// InputError as there.
RoutedGups routed_inputs(const Machine& machine, const GupsQuery& query);
Framing routed_framing(const Machine& machine, const GupsQuery& query);
/// Bytes that a link moves while it has one of its packets of so many updates.
Data routed_link_bytes(const Machine& machine, const GupsQuery& query, double updates);

/// The machine's nodes on another machine's network: computing and the messages inside a node are the machine's, every
/// message between nodes is the network's, with its calls, interfaces and links. The machine's own protocols are named
/// `inside-NAME`. `network.id` is what readers are told. InputError when the network's machine describes no message
/// between nodes.
Machine on_network(const Machine& machine, const Machine& network);

/// The machine's nodes, links and messages in another topology. InputError when it describes no message between nodes.
Machine on_network(const Machine& machine, const Topology& network);

/// A network whose cuts were searched instead of known by formula.
struct SearchedNetwork {
    std::string name = {};                  ///< a SPEC or a file's name
    std::optional<Topology> topology = {};  ///< when it has a SPEC
    std::int64_t nodes = 0;
    double pair_flow = 0;                              ///< proven upper end of φ or t, whichever is sharper, in links
    bool by_flow = false;                              ///< whether it is t
    std::string proof = {};                            ///< how it was proven
    bool switched = false;                             ///< whether every node hangs on a switch by one link
    std::optional<Bandwidth> link = {};                ///< a link's bandwidth, when the network's file says it
    std::shared_ptr<const BoundedNetwork> graph = {};  ///< capacities in links
};

/// The machine's nodes on a searched network. Predictions then hold for exactly its number of nodes. InputError as
/// above.
Machine on_network(const Machine& machine, const SearchedNetwork& network);

}  // namespace narrows
