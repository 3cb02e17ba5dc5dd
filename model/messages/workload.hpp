#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
};

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

/// Half a round trip: the protocol's message, or that of the one it reaches to, a term a passage. InputError for an
/// unknown protocol, or one that is a whole allreduce.
TimePrediction predict_ping_pong(const Machine& machine, const MessageQuery& query);

/// `query.payload` to and from each of `query.neighbours`: `exchange_time`, a term a server. The links of a network
/// without switches are each neighbour's own; all else is the node's. InputError for more neighbours than a node has
/// links, or a protocol that is a whole allreduce.
TimePrediction predict_halo_exchange(const Machine& machine, const MessageQuery& query);

/// Sum of a vector of `query.payload` bytes over `query.nodes`, known to all: `allreduce_time`, a term a passage and
/// `combine`, which is `compute.reduce.per_byte` or nothing. In a torus or mesh, messages pass as many routers as lie
/// between the ranks where the protocol's path has a stage `router`. InputError when a protocol that is a whole
/// allreduce is to be a message of one, or the other way round.
TimePrediction predict_allreduce(const Machine& machine, const MessageQuery& query);

/// Links between nodes whose numbers differ by `distance` in a grid of this shape, first dimension fastest: the digits
/// of `distance` in the shape, each the shorter way round where `wraps`. Exact for partners of recursive doubling where
/// the shape's dimensions are powers of two; else what a pair has that crosses no carry. Test:
/// tests/model/messages/test_message_workloads.cpp (against the graph)
std::int64_t grid_hops(const std::vector<int>& shape, bool wraps, std::int64_t distance);

}  // namespace narrows
