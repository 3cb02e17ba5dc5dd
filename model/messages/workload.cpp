#include "model/messages/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/demand/placement.hpp"
#include "model/demand/servers.hpp"
#include "model/messages/collective_rounds.hpp"
#include "model/messages/residuals.hpp"
#include "model/messages/round_time.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::string_view checked_algorithm(const Machine& machine, std::string_view collective, const MessageQuery& query) {
    const std::string_view usual = usual_algorithm(machine, collective, query.protocol);
    const std::string_view chosen = query.algorithm.empty() ? usual : std::string_view(query.algorithm);
    if ((chosen == by_network) == (usual == by_network)) return chosen;
    throw InputError(usual == by_network
                         ? fmt::format("protocol '{}' is a whole allreduce, not the messages of {}: leave the "
                                       "algorithm out, or choose another protocol",
                                       query.protocol, chosen)
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

std::string_view usual_algorithm(const Machine& machine, std::string_view collective, const std::string& protocol) {
    const bool whole = collective == "allreduce" && is_allreduce(machine, protocol);
    return whole ? by_network : collective_algorithm(collective, "").name;
}

namespace {

// Ranks of a halo exchange: their grid, and which of its dimensions are rings.
struct RankGrid {
    std::vector<int> shape;
    std::vector<bool> wraps;
};

// On a grid of nodes its own, with a node's ranks along the first dimension; else as cubic as possible, all rings.
RankGrid rank_grid(const Topology& network, std::int64_t nodes, std::int64_t ranks_per_node) {
    RankGrid grid{network.shape(), network.grid_wraps()};
    if (!grid.wraps.empty() && network.nodes() == nodes && nodes > 1) {
        grid.shape.front() *= static_cast<int>(ranks_per_node);
        return grid;
    }
    grid.shape = default_rank_shape(nodes * ranks_per_node);
    grid.wraps.assign(grid.shape.size(), true);
    return grid;
}

// Without a network the ranks share a node, whose processors they cannot be more than.
void require_network(const Machine& machine, std::int64_t ranks) {
    if (has_network(machine) || turns_on_processors(machine, ranks) <= 1) return;
    throw InputError(fmt::format("machine '{}' has no network: on one of its nodes {} ranks are more than the {} "
                                 "processors: choose a network, or fewer ranks",
                                 machine.id, ranks, processors_of_node(machine)))
        .of_setting("network");
}

MessageCosts costs_of(const Machine& machine, const MessageQuery& query) {
    MessageCosts costs;
    costs.between = [&](Data payload) { return message_path(machine, query.protocol, payload); };
    costs.inside = [&](Data payload) {
        // By the protocol of this name if the node has it.
        std::string protocol = query.protocol;
        if (const auto own = inside_protocols(machine); !own.empty() && std::ranges::find(own, protocol) == own.end()) {
            const auto same = std::ranges::find(own, std::string(inside_prefix) + protocol);
            protocol = same == own.end() ? own.front() : *same;
        }
        return inside_node(message_path(machine, protocol, payload));
    };
    const char* combine = "compute.reduce.per_byte";
    if (find(machine, combine) != nullptr) costs.combine = time_per_byte_at(machine, combine);
    costs.memory = node_memory(machine).value_or(Bandwidth());
    costs.background = query.background;
    return costs;
}

TimePrediction predicted(const Machine& machine, const MessageQuery& query, const PhaseLoads& loads) {
    return critical_path(time_of_rounds(machine, query, loads));
}

// Where the rounds of a phase hold.
std::string rounds_hold(const PhaseLoads& loads) {
    std::string text =
        loads.in_turns   ? "all start together; a rank's messages follow each other, as many at once as its node allows"
        : loads.by_ranks ? "all start together; a message occupies both its ranks from when both have reached it until "
                           "it has arrived"
        : loads.by_mean
            ? "all start together; rounds count as alike, each with its share of the load of the fullest servers"
            : "all start together; every round is as long as its farthest message over the fullest servers";
    if (loads.sampled) text += "; some of the many rounds stand for all";
    if (loads.unrouted)
        text += "; the network's bounds hold for any routing, because following this one would take too long";
    return text + "; messages of a round share servers, those of different rounds do not";
}

}  // namespace

PhaseLoads loads_of_rounds(const Machine& machine, const MessageQuery& query, const std::vector<Round>& rounds) {
    const std::int64_t each = query.ranks_per_node;
    require_network(machine, has_network(machine) ? query.nodes : query.nodes * each);
    const Parameter* const at_once = find(machine, "node.messages_at_once");
    if (at_once != nullptr && (query.nodes == 1 || !has_network(machine))) {
        PhaseLoads turns = unshared_loads(in_turns(rounds, static_cast<std::int64_t>(at_once->measure.value)));
        for (MessageLoads& kind : turns.kinds) kind.inside = has_network(machine);
        turns.in_turns = true;
        return turns;
    }
    if (!has_network(machine) && (each == 1 || query.nodes > 1)) return unshared_loads(rounds);
    const RankPlaces ranks{query.nodes, each, nodes_of_ranks(query.node_of_rank, query.placement, query.nodes, each)};
    if (query.nodes == 1) return phase_loads(rounds, ranks, NodeNetwork());
    return phase_loads(rounds, ranks,
                       NodeNetwork(network_of(machine, query.nodes), machine.graph, routing_of(machine)));
}

Breakdown time_of_rounds(const Machine& machine, const MessageQuery& query, const PhaseLoads& loads) {
    return phase_time(loads, costs_of(machine, query));
}

std::optional<int> linked_neighbours(const Machine& machine, std::int64_t nodes, std::int64_t ranks_per_node) {
    if (!has_network(machine)) return std::nullopt;
    const Topology network = network_of(machine, nodes);
    if (network.switched() || network.degree() == 0) return std::nullopt;
    if (network.grid_wraps().empty()) return static_cast<int>(network.degree());
    const std::vector<int> shape = rank_grid(network, nodes, ranks_per_node).shape;
    int neighbours = 0;
    for (const int size : shape) neighbours += std::min(size - 1, 2);
    return neighbours;
}

PhaseLoads ping_pong_loads(const Machine& machine, const MessageQuery& query) {
    PhaseLoads loads = unshared_loads({{1, query.payload, {{}}}});
    const bool is_between = message_path(machine, query.protocol, query.payload).stage_of("link") != nullptr;
    if (is_between) loads.kinds.front().memory = 1;  // at each end
    if (!has_network(machine)) return loads;
    const bool searched = find(machine, "network.cut.nodes") != nullptr;
    const bool whole = find(machine, "network.topology") != nullptr;
    const Topology network =
        searched ? partition(machine, static_cast<std::int64_t>(number_at(machine, "network.cut.nodes")))
        : whole  ? parse_topology(text_at(machine, "network.topology"))
                 : Topology();
    if (network.switched() && machine.graph) {
        loads.kinds.front().network = NodeNetwork(network, machine.graph).loads({{0, 1}});
    } else if (network.switched()) {
        const auto leaves = network.blocks();
        const bool share_a_switch = network.tree() && (leaves->empty() || leaves->front().hosts > 1);
        loads.kinds.front().network.links = share_a_switch ? 2 : NodeNetwork(network, nullptr).links_between(0, 1);
    }
    const auto routing = routing_of(machine);
    if (routing && routing->kind == Routing::Kind::valiant) {
        const int detour = NodeNetwork(network, machine.graph, routing).detour();
        if (detour > 0) loads.kinds.front().network.links = detour;
    }
    return loads;
}

PhaseLoads halo_exchange_loads(const Machine& machine, const MessageQuery& query) {
    const std::int64_t ranks = query.nodes * query.ranks_per_node;
    if (query.ranks_per_node > 1 && !has_network(machine) && query.neighbours > 2 * (ranks - 1)) {
        throw InputError(fmt::format("{} neighbours are more than {} ranks have on a ring: give at most {}",
                                     query.neighbours, ranks, 2 * (ranks - 1)));
    }
    if (ranks == 1 || !has_network(machine)) {
        // A ring of all ranks: the next one, the one before, the second next, ...; alone each is the rank itself.
        Round round{1, query.payload, {}};
        for (int neighbour = 0; neighbour < query.neighbours; ++neighbour) {
            const std::int64_t places = 1 + neighbour / 2;
            round.moves.push_back({ranks, 1, ranks, (neighbour % 2 == 0 ? places : -places) % ranks, true});
        }
        return loads_of_rounds(machine, query, {round});
    }
    const RankGrid grid =
        rank_grid(query.nodes > 1 ? network_of(machine, query.nodes) : Topology(), query.nodes, query.ranks_per_node);
    const std::int64_t most = neighbours_in(grid.shape);
    if (query.neighbours > most) {
        throw InputError(fmt::format("{} neighbours are more than a rank has in a grid of {}: give at most {}",
                                     query.neighbours, fmt::join(grid.shape, "x"), most));
    }
    return loads_of_rounds(machine, query, {halo_round(grid.shape, grid.wraps, query.neighbours, query.payload)});
}

PhaseLoads collective_loads(const Machine& machine, std::string_view collective, const MessageQuery& query) {
    const std::string_view algorithm = checked_algorithm(machine, collective, query);
    if (algorithm != by_network) {
        require_message(machine, query.protocol);
        const std::int64_t ranks = query.nodes * query.ranks_per_node;
        require_nodes(machine, query.nodes);  // before rounds of as many messages are made
        return loads_of_rounds(machine, query,
                               collective_rounds(collective, algorithm, ranks, query.payload, query.ranks_per_node));
    }
    if (query.ranks_per_node == 1) return unshared_loads({{1, query.payload, {}}});
    throw InputError(
        fmt::format("protocol '{}' is a whole allreduce, which says itself how ranks of a node take part: "
                    "give one rank a node, or choose another protocol",
                    query.protocol));
}

TimePrediction predict_ping_pong(const Machine& machine, const MessageQuery& query, const PhaseLoads& loads) {
    require_message(machine, query.protocol);
    TimePrediction prediction = predicted(machine, query, loads);
    prediction.estimate = "the stages of the protocol's paths one after the other, in pieces where they take pieces";
    prediction.source = "model/path; the machine file names each part's source";
    prediction.assumptions = "an idle machine, one message at a time, neighbours unless the path says otherwise";
    return corrected(std::move(prediction), machine, MessagePhase::ping_pong, query);
}

TimePrediction predict_halo_exchange(const Machine& machine, const MessageQuery& query, const PhaseLoads& loads) {
    require_message(machine, query.protocol);
    TimePrediction prediction = predicted(machine, query, loads);
    const Data moved = query.payload * (2.0 * query.neighbours * static_cast<double>(query.ranks_per_node));
    if (prediction.time.si() > 0) prediction.throughput = moved / prediction.time;
    prediction.estimate =
        "the farthest message's stages, then the slowest server that the other messages share with it";
    prediction.source = "kumar2008 Section 4 (Figures 5 and 6), derived";
    prediction.assumptions = loads.in_turns ? rounds_hold(loads)
                                            : "every rank exchanges at once, with neighbours in a grid of the ranks; "
                                              "stages of other names never wait for "
                                              "each "
                                              "other's processor";
    return corrected(std::move(prediction), machine, MessagePhase::halo_exchange, query);
}

TimePrediction predict_collective(const Machine& machine, std::string_view collective, const MessageQuery& query,
                                  const PhaseLoads& loads) {
    TimePrediction prediction = predicted(machine, query, loads);
    const std::string_view name = checked_algorithm(machine, collective, query);
    if (name == by_network) {
        prediction.estimate = "the protocol's passages, one allreduce of the network that combines";
        prediction.source = "kumar2008 Section 3.3; the machine file names each part's source";
        prediction.assumptions = "all start together; the network's latency is the same for any number of nodes";
        return prediction;
    }
    const CollectiveAlgorithm& algorithm = collective_algorithm(collective, name);
    prediction.estimate = algorithm.estimate;
    prediction.source = algorithm.source;
    prediction.assumptions = rounds_hold(loads);
    const bool combines = std::ranges::any_of(loads.rounds, [](const RoundLoads& round) { return round.combines; });
    if (combines) prediction.assumptions += "; combining is free unless the machine has 'compute.reduce.per_byte'";
    const auto phase = measured_phase(collective, name);
    if (phase) return corrected(std::move(prediction), machine, *phase, query);
    return beyond_measured(std::move(prediction), machine, fmt::format("{} by {}", collective, name));
}

TimePrediction predict_ping_pong(const Machine& machine, const MessageQuery& query) {
    return predict_ping_pong(machine, query, ping_pong_loads(machine, query));
}

TimePrediction predict_halo_exchange(const Machine& machine, const MessageQuery& query) {
    return predict_halo_exchange(machine, query, halo_exchange_loads(machine, query));
}

TimePrediction predict_collective(const Machine& machine, std::string_view collective, const MessageQuery& query) {
    return predict_collective(machine, collective, query, collective_loads(machine, collective, query));
}

}  // namespace narrows
