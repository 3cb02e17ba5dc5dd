#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine.hpp"
#include "model/messages/round_loads.hpp"
#include "model/path/protocol.hpp"
#include "model/time_prediction.hpp"

namespace narrows {

/// What is asked of messages by a machine's protocol.
struct MessageQuery {
    std::string protocol = {};  ///< a name below `protocols`
    Data payload = bytes(8);
    std::int64_t nodes = 2;
    std::int64_t ranks_per_node = 1;
    int neighbours = 1;                     ///< halo-exchange
    std::string algorithm = {};             ///< of a collective; empty: `usual_algorithm`
    std::string placement = "consecutive";  ///< ranks on nodes: a rule of `placed_ranks`
    std::vector<int> node_of_rank = {};     ///< the node of each rank, in place of the rule; may be empty
    double background = 0;                  ///< share of the links that others take
};

/// What the query's messages ask of every server on their way; of no cost of the machine. Where it has no network
/// nothing is shared. InputError for a placement that does not fit, more neighbours than a rank has, and as below.
PhaseLoads ping_pong_loads(const Machine& machine, const MessageQuery& query);
PhaseLoads halo_exchange_loads(const Machine& machine, const MessageQuery& query);
PhaseLoads collective_loads(const Machine& machine, std::string_view collective, const MessageQuery& query);

/// What rounds of the query's ranks ask, whatever its pattern.
PhaseLoads loads_of_rounds(const Machine& machine, const MessageQuery& query, const std::vector<Round>& rounds);
/// Their time by the machine's costs. `loads` as from there.
Breakdown time_of_rounds(const Machine& machine, const MessageQuery& query, const PhaseLoads& loads);

/// `name`, or the machine's first protocol when it is empty. InputError when the machine has none.
std::string chosen_protocol(const Machine& machine, const std::string& name);

/// The algorithm of an allreduce whose protocol's path is a whole one, through a network that combines.
inline constexpr std::string_view by_network = "network";

/// How a collective goes by this protocol unless it is said: an allreduce by the network where the protocol's path
/// passes one that combines (`other_networks`), and is then a whole allreduce; else by the first of
/// `collective_algorithms`.
std::string_view usual_algorithm(const Machine& machine, std::string_view collective, const std::string& protocol);

/// Neighbours of a rank one place on in the grid of a network without switches. Nothing where nodes hang on switches or
/// the machine has no network: any rank may then be a neighbour.
std::optional<int> linked_neighbours(const Machine& machine, std::int64_t nodes, std::int64_t ranks_per_node = 1);

/// Half a round trip: the protocol's message, or that of the one it reaches to, a term a server. InputError for an
/// unknown protocol, or one that is a whole allreduce.
TimePrediction predict_ping_pong(const Machine& machine, const MessageQuery& query, const PhaseLoads& loads);
TimePrediction predict_ping_pong(const Machine& machine, const MessageQuery& query);

/// `query.payload` to and from each of `query.neighbours`, all at once: `phase_time` of `halo_round`. The ranks' grid
/// is that of the network, a node's ranks along its first dimension; where it is none, of at most three dimensions as
/// cubic as possible, with wrap. InputError for a protocol that is a whole allreduce.
TimePrediction predict_halo_exchange(const Machine& machine, const MessageQuery& query, const PhaseLoads& loads);
TimePrediction predict_halo_exchange(const Machine& machine, const MessageQuery& query);

/// A collective of all ranks of `query.payload` bytes, as `collective_algorithms` counts them: `phase_time` of its
/// rounds, combining for `compute.reduce.per_byte` or nothing. InputError when a protocol that is a whole allreduce is
/// to be a message of one, or the other way round.
TimePrediction predict_collective(const Machine& machine, std::string_view collective, const MessageQuery& query,
                                  const PhaseLoads& loads);
TimePrediction predict_collective(const Machine& machine, std::string_view collective, const MessageQuery& query);

}  // namespace narrows
