#include "model/messages/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/gups/placement.hpp"
#include "model/path/exchange.hpp"
#include "model/read_costs.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

struct NamedAlgorithm {
    AllreduceAlgorithm algorithm;
    std::string_view name;
};

constexpr std::array algorithms = {
    NamedAlgorithm{AllreduceAlgorithm::ring, "ring"},
    NamedAlgorithm{AllreduceAlgorithm::tree, "tree"},
    NamedAlgorithm{AllreduceAlgorithm::recursive_doubling, "recursive-doubling"},
    NamedAlgorithm{AllreduceAlgorithm::network, "network"},
};

// The message's time by passages: the stages' times under the names of the paths that they belong to.
Breakdown by_passage(const PathProtocol& protocol, Data payload) {
    Breakdown result = message_time(whole_path(protocol), payload);
    std::size_t stage = 0;
    for (const Passage& passage : protocol.passages) {
        const std::size_t stages = passage.path.stages.size() * static_cast<std::size_t>(passage.times);
        for (const std::size_t end = stage + stages; stage < end; ++stage) {
            result.terms[stage].name = passage.path.name;
        }
    }
    return result;
}

bool has_network(const Machine& machine) {
    return find(machine, "network.topology") != nullptr || has(machine, "network.partitions") ||
           has(machine, "network.cut");
}

// The protocol whose messages cross so many links instead of one: a router more for each.
PathProtocol with_hops(PathProtocol protocol, std::int64_t hops) {
    for (Passage& passage : protocol.passages) {
        for (Stage& stage : passage.path.stages) {
            if (stage.server == "router") stage.times += static_cast<int>(hops - 1);
        }
    }
    return protocol;
}

// The protocol of a message of the query.
PathProtocol message_protocol(const Machine& machine, const MessageQuery& query) {
    require_message(machine, query.protocol);
    return read_protocol_for(machine, query.protocol, query.payload);
}

AllreduceAlgorithm checked_algorithm(const Machine& machine, const MessageQuery& query) {
    const AllreduceAlgorithm usual = usual_algorithm(machine, query.protocol);
    const AllreduceAlgorithm chosen = query.algorithm.value_or(usual);
    if ((chosen == AllreduceAlgorithm::network) == (usual == AllreduceAlgorithm::network)) return chosen;
    throw InputError(usual == AllreduceAlgorithm::network
                         ? fmt::format("protocol '{}' is a whole allreduce, no message of one by {}: leave the "
                                       "algorithm out, or choose another protocol",
                                       query.protocol, name_of(chosen))
                         : fmt::format("protocol '{}' passes no network that combines: choose a protocol whose path "
                                       "has one of the machine's other_networks, or another algorithm",
                                       query.protocol));
}

}  // namespace

std::string chosen_protocol(const Machine& machine, const std::string& name) {
    const auto names = names_below(machine, "protocols");
    if (names.empty()) {
        throw InputError(
            fmt::format("machine '{}' has no protocols: add 'paths' and 'protocols' to its file, as 'narrows show "
                        "bluegene-p' has them",
                        machine.id));
    }
    return name.empty() ? names.front() : read_protocol(machine, name).name;
}

std::string_view name_of(AllreduceAlgorithm algorithm) {
    for (const NamedAlgorithm& named : algorithms) {
        if (named.algorithm == algorithm) return named.name;
    }
    throw std::logic_error("unknown algorithm");
}

AllreduceAlgorithm allreduce_algorithm(const std::string& name) {
    std::vector<std::string_view> names;
    for (const NamedAlgorithm& named : algorithms) {
        if (named.name == name) return named.algorithm;
        names.push_back(named.name);
    }
    throw InputError(fmt::format("allreduce has no algorithm '{}'{} (it has: {})", name, did_you_mean(name, names),
                                 fmt::join(names, ", ")));
}

AllreduceAlgorithm usual_algorithm(const Machine& machine, const std::string& protocol) {
    return is_whole_allreduce(machine, protocol) ? AllreduceAlgorithm::network : AllreduceAlgorithm::recursive_doubling;
}

std::optional<int> linked_neighbours(const Machine& machine, std::int64_t nodes) {
    if (!has_network(machine)) return std::nullopt;
    const Topology network = network_of(machine, nodes);
    if (network.switched() || network.degree() == 0) return std::nullopt;
    return network.degree();
}

TimePrediction predict_ping_pong(const Machine& machine, const MessageQuery& query) {
    TimePrediction prediction = critical_path(by_passage(message_protocol(machine, query), query.payload));
    prediction.estimate = "the protocol's passages one after the other";
    prediction.source = "model/path; the machine file names each part's source";
    prediction.assumptions = "an idle machine, one message at a time, neighbours unless the path says otherwise";
    return prediction;
}

TimePrediction predict_halo_exchange(const Machine& machine, const MessageQuery& query) {
    const std::optional<int> links = linked_neighbours(machine, query.nodes);
    if (links && query.neighbours > *links) {
        throw InputError(fmt::format("{} neighbours are more than the {} links of a node of '{}': give at most {}",
                                     query.neighbours, *links, partition(machine, query.nodes).spec(), *links));
    }
    const std::vector<std::string> own = links ? std::vector<std::string>{"link"} : std::vector<std::string>{};
    const Path path = whole_path(message_protocol(machine, query));
    TimePrediction prediction = critical_path(exchange_time(path, query.payload, query.neighbours, own));
    const Data moved = query.payload * (2.0 * query.neighbours);
    if (prediction.time.si() > 0) prediction.throughput = moved / prediction.time;
    prediction.estimate = "the first message's stages, then the slowest server that the other messages share with it";
    prediction.source = "kumar2008 Section 4 (Figures 5 and 6), derived";
    prediction.assumptions =
        "every node exchanges at once, with neighbours one link away; stages of other names never wait for each "
        "other's "
        "processor";
    return prediction;
}

TimePrediction predict_allreduce(const Machine& machine, const MessageQuery& query) {
    const AllreduceAlgorithm algorithm = checked_algorithm(machine, query);
    const Topology network = has_network(machine) ? network_of(machine, query.nodes) : Topology();
    const bool torus = network.family() == "torus";
    const bool grid = query.nodes > 1 && (torus || network.family() == "mesh");
    const auto message = [&](Data payload, std::int64_t distance) {
        const std::int64_t hops = grid ? std::max<std::int64_t>(1, grid_hops(network.shape(), torus, distance)) : 1;
        return by_passage(with_hops(read_protocol_for(machine, query.protocol, payload), hops), payload);
    };
    const char* cost = "compute.reduce.per_byte";
    const TimePerByte combine = find(machine, cost) != nullptr ? time_per_byte_at(machine, cost) : TimePerByte();
    const auto rounds = allreduce_rounds(algorithm, query.nodes, query.payload);
    TimePrediction prediction = critical_path(allreduce_time(rounds, message, combine));
    if (algorithm == AllreduceAlgorithm::network) {
        prediction.estimate = "the protocol's passages, one allreduce of the network that combines";
        prediction.source = "kumar2008 Section 3.3; the machine file names each part's source";
        prediction.assumptions = "all start together; the network's latency is the same for any number of nodes";
        return prediction;
    }
    prediction.estimate = "rounds on the critical path, each a message and, on the way up, combining it";
    prediction.source = "Thakur, Rabenseifner and Gropp 2005; ring: Patarasuk and Yuan 2009";
    prediction.assumptions =
        "one rank a node, all start together, links carry one message at a time; combining is free unless the machine "
        "has "
        "'compute.reduce.per_byte'";
    return prediction;
}

std::int64_t grid_hops(const std::vector<int>& shape, bool wraps, std::int64_t distance) {
    std::int64_t hops = 0;
    for (const int size : shape) {
        const std::int64_t digit = distance % size;
        hops += wraps ? std::min(digit, size - digit) : digit;
        distance /= size;
    }
    return hops;
}

}  // namespace narrows
