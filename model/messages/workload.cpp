#include "model/messages/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/demand/placement.hpp"
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

bool has_network(const Machine& machine) {
    return find(machine, "network.topology") != nullptr || has(machine, "network.partitions") ||
           has(machine, "network.cut");
}

// A server's name as predictions have it; both ends' interfaces are one.
std::string resource_of(std::string server) {
    if (server == "far-host_interface" || server == "far-network_interface") server.erase(0, 4);
    std::replace(server.begin(), server.end(), '_', ' ');
    return server;
}

// What a stage of links waits for others is a term of its own, of the `server` that they share.
void part_shared(Breakdown& time, const Breakdown& alone, const char* server) {
    Time waiting;
    for (std::size_t i = 0; i < time.terms.size(); ++i) {
        if (time.terms[i].name != "link") continue;
        waiting += time.terms[i].time - alone.terms[i].time;
        time.terms[i].time = alone.terms[i].time;
    }
    if (waiting.si() > 0) time.terms.push_back({server, waiting});
    for (NamedTime& term : time.terms) term.name = resource_of(term.name);
}

// Time of a message, or of an exchange with neighbours, over the network's links with what others ask of them.
Breakdown over_network(const Path& path, Data payload, int neighbours, const std::vector<std::string>& own,
                       const PairLoads& loads, double background) {
    const Path way = over_links(path, loads.links);
    const double usable = 1 / (1 - background);
    const Path alone = with_flows(way, "link", usable);
    const Path shared = with_flows(way, "link", std::max(1.0, loads.shared / loads.host) * usable);
    Breakdown time = exchange_time(shared, payload, neighbours, own);
    part_shared(time, exchange_time(alone, payload, neighbours, own), loads.is_grid ? "network" : "uplinks");
    return time;
}

// The nodes of the query's ranks, one on each.
std::vector<int> nodes_of(const MessageQuery& query) {
    if (query.node_of_rank.empty()) return placed_ranks(query.placement, query.nodes, 1);
    require_even(query.node_of_rank, query.nodes, 1);
    return query.node_of_rank;
}

// Messages between ranks as ones between the nodes that these are on; an empty list is all in order.
std::vector<std::pair<int, int>> on_nodes(std::vector<std::pair<int, int>> messages, const std::vector<int>& node) {
    if (node.empty()) return messages;
    for (auto& [from, to] : messages) {
        from = node[from];
        to = node[to];
    }
    return messages;
}

// Numbers by which neighbours differ in a grid of the nodes: one step along each dimension both ways, then two.
std::vector<std::pair<int, int>> neighbour_messages(std::int64_t nodes, int limit, int neighbours) {
    const std::vector<int> shape = default_rank_shape(nodes);
    std::vector<std::pair<int, int>> messages;
    for (int neighbour = 0; neighbour < neighbours; ++neighbour) {
        const int both = 2 * static_cast<int>(shape.size());
        const int size = shape[neighbour % both / 2];
        const int step = (neighbour / both + 1) * (neighbour % 2 == 0 ? 1 : -1);
        std::int64_t stride = 1;
        for (int i = 0; i < neighbour % both / 2; ++i) stride *= shape[i];
        for (std::int64_t node = 0; node < limit; ++node) {
            const std::int64_t place = node / stride % size;
            const std::int64_t other = node + ((place + step % size + size) % size - place) * stride;
            if (other < limit) messages.emplace_back(static_cast<int>(node), static_cast<int>(other));
        }
    }
    return messages;
}

// What a message of the query passes.
Path path_of_message(const Machine& machine, const MessageQuery& query) {
    require_message(machine, query.protocol);
    return message_path(machine, query.protocol, query.payload);
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
    const auto names = message_protocols(machine);
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

NetworkLoads ping_pong_loads(const Machine& machine, const MessageQuery&) {
    PairLoads loads;
    if (!has_network(machine)) return {loads};
    const bool searched = find(machine, "network.cut.nodes") != nullptr;
    const bool whole = find(machine, "network.topology") != nullptr;
    const Topology network =
        searched ? partition(machine, static_cast<std::int64_t>(number_at(machine, "network.cut.nodes")))
        : whole  ? parse_topology(text_at(machine, "network.topology"))
                 : Topology();
    if (network.switched()) loads.links = 2;  // hosts of one switch
    return {loads};
}

// Without a network the ranks share a node, whose processors they cannot be more than.
void require_network(const Machine& machine, std::int64_t nodes) {
    const Parameter* processors = find(machine, "node.processors");
    if (has_network(machine) || processors == nullptr || static_cast<double>(nodes) <= processors->measure.value)
        return;
    throw InputError(
        fmt::format("machine '{}' has no network for {} nodes, and its node has {} processors: choose a "
                    "network with --network",
                    machine.id, nodes, processors->measure.value));
}

NetworkLoads halo_exchange_loads(const Machine& machine, const MessageQuery& query) {
    require_network(machine, query.nodes);
    const bool own_links = linked_neighbours(machine, query.nodes).has_value();
    if (!has_network(machine) || query.nodes == 1 || own_links) return {PairLoads()};
    const NodeNetwork network(network_of(machine, query.nodes), machine.graph, routing_of(machine));
    const int limit = static_cast<int>(std::min<std::int64_t>(query.nodes, network.nodes()));
    return {network.loads(on_nodes(neighbour_messages(query.nodes, limit, query.neighbours), nodes_of(query)))};
}

NetworkLoads allreduce_loads(const Machine& machine, const MessageQuery& query) {
    const auto rounds = allreduce_rounds(checked_algorithm(machine, query), query.nodes, query.payload);
    require_network(machine, query.nodes);
    NetworkLoads loads(rounds.size());
    if (!has_network(machine) || query.nodes == 1 || is_whole_allreduce(machine, query.protocol)) return loads;
    const NodeNetwork network(network_of(machine, query.nodes), machine.graph, routing_of(machine));
    const std::vector<int> node = nodes_of(query);
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        loads[i] = network.loads(on_nodes(messages_of(rounds[i], query.nodes), node));
    }
    return loads;
}

TimePrediction predict_ping_pong(const Machine& machine, const MessageQuery& query) {
    return predict_ping_pong(machine, query, ping_pong_loads(machine, query));
}

TimePrediction predict_ping_pong(const Machine& machine, const MessageQuery& query, const NetworkLoads& loads) {
    const Path path = path_of_message(machine, query);
    TimePrediction prediction =
        critical_path(over_network(path, query.payload, 1, {}, loads.front(), query.background));
    prediction.estimate = "the stages of the protocol's paths one after the other, in pieces where they take pieces";
    prediction.source = "model/path; the machine file names each part's source";
    prediction.assumptions = "an idle machine, one message at a time, neighbours unless the path says otherwise";
    return prediction;
}

TimePrediction predict_halo_exchange(const Machine& machine, const MessageQuery& query) {
    return predict_halo_exchange(machine, query, halo_exchange_loads(machine, query));
}

TimePrediction predict_halo_exchange(const Machine& machine, const MessageQuery& query, const NetworkLoads& loads) {
    const std::optional<int> links = linked_neighbours(machine, query.nodes);
    if (links && query.neighbours > *links) {
        throw InputError(fmt::format("{} neighbours are more than the {} links of a node of '{}': give at most {}",
                                     query.neighbours, *links, partition(machine, query.nodes).spec(), *links));
    }
    const std::vector<std::string> own = links ? std::vector<std::string>{"link"} : std::vector<std::string>{};
    const Path path = path_of_message(machine, query);
    TimePrediction prediction =
        critical_path(over_network(path, query.payload, query.neighbours, own, loads.front(), query.background));
    const Data moved = query.payload * (2.0 * query.neighbours);
    if (prediction.time.si() > 0) prediction.throughput = moved / prediction.time;
    prediction.estimate = "the first message's stages, then the slowest server that the other messages share with it";
    prediction.source = "kumar2008 Section 4 (Figures 5 and 6), derived";
    prediction.assumptions =
        links
            ? "every node exchanges at once, with neighbours one link away; stages of other names never wait for each "
              "other's processor"
            : "every node exchanges at once, with neighbours in a grid of the nodes; stages of other names never wait "
              "for each other's processor";
    return prediction;
}

TimePrediction predict_allreduce(const Machine& machine, const MessageQuery& query) {
    return predict_allreduce(machine, query, allreduce_loads(machine, query));
}

TimePrediction predict_allreduce(const Machine& machine, const MessageQuery& query, const NetworkLoads& loads) {
    const AllreduceAlgorithm algorithm = checked_algorithm(machine, query);
    const auto message = [&](Data payload, std::size_t round) {
        return over_network(message_path(machine, query.protocol, payload), payload, 1, {}, loads[round],
                            query.background);
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
    prediction.estimate = "rounds on the critical path, each its farthest message and, on the way up, combining it";
    prediction.source = "Thakur, Rabenseifner and Gropp 2005; ring: Patarasuk and Yuan 2009";
    prediction.assumptions =
        "one rank a node, all start together, messages of a round share the network's fullest links; combining is free "
        "unless the machine has 'compute.reduce.per_byte'";
    return prediction;
}

}  // namespace narrows
