#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/demand/node_network.hpp"
#include "model/machine.hpp"
#include "model/messages/allreduce.hpp"
#include "model/path/protocol.hpp"
#include "model/time_prediction.hpp"

namespace narrows {

/// What is asked of messages by a machine's protocol.
struct MessageQuery {
    std::string protocol;  ///< a name below `protocols`
    Data payload = bytes(8);
    std::int64_t nodes = 2;
    int neighbours = 1;                           ///< halo-exchange
    std::optional<AllreduceAlgorithm> algorithm;  ///< without it `usual_algorithm`
    std::string placement = "consecutive";        ///< ranks on nodes, one on each: a rule of `placed_ranks`
    std::vector<int> node_of_rank;                ///< the node of each rank, in place of the rule; may be empty
    double background = 0;                        ///< share of the links that others take
};

/// What the query's messages ask of the network: one element for ping-pong and halo-exchange, one a round of allreduce.
/// It does not depend on any cost. Where the machine has no network nothing is shared.
using NetworkLoads = std::vector<PairLoads>;
NetworkLoads ping_pong_loads(const Machine& machine, const MessageQuery& query);
NetworkLoads halo_exchange_loads(const Machine& machine, const MessageQuery& query);
NetworkLoads allreduce_loads(const Machine& machine, const MessageQuery& query);

/// `name`, or the machine's first protocol when it is empty. InputError when the machine has none.
std::string chosen_protocol(const Machine& machine, const std::string& name);

std::string_view name_of(AllreduceAlgorithm algorithm);
/// InputError with a suggestion for an unknown name.
AllreduceAlgorithm allreduce_algorithm(const std::string& name);

/// How an allreduce goes by this protocol unless it is said: by the network where the protocol's path passes one that
/// combines (`other_networks`), and is then a whole allreduce, else by recursive doubling.
AllreduceAlgorithm usual_algorithm(const Machine& machine, const std::string& protocol);

/// Neighbours that a node of the machine has on its network: its links. Nothing where nodes hang on switches or the
/// machine has no network: any node may then be a neighbour.
std::optional<int> linked_neighbours(const Machine& machine, std::int64_t nodes);

/// Half a round trip: the protocol's message, or that of the one it reaches to, a term a server. InputError for an
/// unknown protocol, or one that is a whole allreduce.
TimePrediction predict_ping_pong(const Machine& machine, const MessageQuery& query, const NetworkLoads& loads);
TimePrediction predict_ping_pong(const Machine& machine, const MessageQuery& query);

/// `query.payload` to and from each of `query.neighbours`: `exchange_time`, a term a server. The links of a network
/// without switches are each neighbour's own; all else is the node's. Where nodes hang on switches they are taken as a
/// grid of at most three dimensions, as cubic as it goes, with wrap; the neighbours are those along each dimension both
/// ways, then the next but one. InputError for more neighbours than a node has
/// links, or a protocol that is a whole allreduce.
TimePrediction predict_halo_exchange(const Machine& machine, const MessageQuery& query, const NetworkLoads& loads);
TimePrediction predict_halo_exchange(const Machine& machine, const MessageQuery& query);

/// Sum of a vector of `query.payload` bytes over `query.nodes`, known to all: `allreduce_time`, a term a server and
/// `combine`, which is `compute.reduce.per_byte` or nothing. A round takes as long as its farthest messages, over the
/// fullest links of the network. InputError when a protocol that is a whole allreduce is to be a message of one, or the
/// other way round.
TimePrediction predict_allreduce(const Machine& machine, const MessageQuery& query, const NetworkLoads& loads);
TimePrediction predict_allreduce(const Machine& machine, const MessageQuery& query);

}  // namespace narrows
