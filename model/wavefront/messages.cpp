#include "model/wavefront/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "model/demand/node_network.hpp"
#include "model/demand/placement.hpp"
#include "model/path/exchange.hpp"
#include "model/path/protocol.hpp"
#include "topologies/input_error.hpp"
#include "topologies/topology.hpp"

namespace narrows {
namespace {

/// Cost of a message of a size.
using CostOf = std::function<HopCost(Data size)>;

// What a message by this path costs: its ends busy with their calls, all else in flight. Of a single stage of a
// processor nobody knows whose time it is, and it is taken as a flight.
HopCost hop_cost(const Path& path, Data size) {
    const auto is_call = [](const Stage& stage) { return stage.site == Site::processor; };
    Path calls = path;
    std::erase_if(calls.stages, std::not_fn(is_call));
    if (path.stages.size() == 1) calls.stages.clear();
    HopCost cost;
    cost.synchronous = path.request.has_value();
    cost.request = path.request.value_or(Time());
    if (!calls.stages.empty()) {
        const EndTimes ends = end_times(path, size);
        cost.send = ends.send + ends.other;
        cost.receive = ends.receive;
    }
    for (const Stage& stage : path.stages) {
        const bool is_busy = is_call(stage) && !calls.stages.empty();
        cost.latency += is_busy ? (stage.latency + stage.link_latency) * stage.times : whole_time(stage, Data());
    }
    cost.bytes = data_time(path, size) - data_time(calls, size);
    return cost;
}

using PathChange = std::function<Path(Path)>;

// A message goes by the protocol that the named one reaches to at its size. The cost outlives the machine.
CostOf protocol_cost(const Machine& machine, const std::string& name, const PathChange& change = {}) {
    require_message(machine, name);
    const auto path_of = [name, change](const Machine& of, Data size) {
        Path path = message_path(of, name, size);
        return change ? change(std::move(path)) : path;
    };
    const Path path = path_of(machine, Data());
    if (!has(machine, "reach." + name)) return [path](Data size) { return hop_cost(path, size); };
    return [kept = std::make_shared<const Machine>(machine), path_of](Data size) {
        return hop_cost(path_of(*kept, size), size);
    };
}

// Links between the nodes of neighbours, on the mean of those that lie on two.
int mean_links(const Machine& machine, const SweepQuery& query) {
    const RankPlaces places{query.nodes(), query.ranks_of_node(), query.node_of_rank};
    const NodeNetwork network(network_of(machine, query.nodes()), machine.graph, routing_of(machine));
    double links = 0, pairs = 0;
    const auto add = [&](int from, int to) {
        if (places.node(from) == places.node(to)) return;
        links += network.links_between(places.node(from), places.node(to));
        ++pairs;
    };
    for (int rank = 0; rank < query.ranks(); ++rank) {
        if (rank % query.grid[0] + 1 < query.grid[0]) add(rank, rank + 1);
        if (rank + query.grid[0] < query.ranks()) add(rank, rank + query.grid[0]);
    }
    return pairs > 0 ? std::max(1, static_cast<int>(std::lround(links / pairs))) : 1;
}

// Messages beyond a node by the protocol: where nodes hang on a tree of switches a level for each leaf and pod, whose
// nodes are consecutive; else over as many links as neighbours are apart on the mean.
void add_network_levels(const Machine& machine, const std::string& protocol, const SweepQuery& query,
                        std::vector<CostOf>& costs, std::vector<int>& ranks) {
    const int ranks_of_node = query.ranks_of_node();
    const auto over = [&](int links) {
        return protocol_cost(machine, protocol, [links, shared = 1 / (1 - query.background)](Path path) {
            return with_flows(over_links(std::move(path), links), "link", shared);
        });
    };
    const bool known = find(machine, "network.topology") != nullptr;
    const Topology network = known ? parse_topology(text_at(machine, "network.topology")) : Topology();
    int links = network.tree() ? 2 : has_network(machine) ? mean_links(machine, query) : 1;
    const bool leaves = network.tree() && network.blocks();
    for (const HostBlocks& block : leaves ? *network.blocks() : std::vector<HostBlocks>()) {
        constexpr std::int64_t most = 1 << 30;
        if (block.hosts * ranks_of_node > most) break;
        costs.push_back(over(links));
        ranks.push_back(static_cast<int>(block.hosts * ranks_of_node));
        links += 2;
    }
    costs.push_back(over(links));
}

InputError no_network(const Machine& machine, const SweepQuery& query) {
    return InputError(fmt::format(
                          "machine '{}' does not describe messages between nodes, and {} ranks need several: put it on "
                          "a network, add a protocol whose path has a 'link' to its file, or let the ranks share one "
                          "node",
                          machine.id, query.ranks()))
        .of_setting("network");
}

// Messages to other nodes of a machine whose levels end at a node.
void add_beyond_node(const Machine& machine, const SweepQuery& query, std::vector<CostOf>& costs,
                     std::vector<int>& ranks) {
    const int ranks_of_node = query.ranks_of_node();
    if (query.ranks() <= ranks_of_node) {
        costs.push_back(costs.back());  // of nobody
        return;
    }
    for (const std::string& name : message_protocols(machine)) {
        if (crosses_link(machine, name)) return add_network_levels(machine, name, query, costs, ranks);
    }
    throw no_network(machine, query);
}

// Ranks of consecutive numbers that are as near as a level says; nothing of the last one.
std::optional<int> ranks_of_level(const Machine& machine, const SweepQuery& query, const std::string& level) {
    if (find(machine, level + ".ranks") != nullptr) return static_cast<int>(number_at(machine, level + ".ranks"));
    if (find(machine, level + ".processors") == nullptr) return std::nullopt;
    const auto processors = static_cast<int>(number_at(machine, level + ".processors"));
    if (processors != 1 && processors < query.processors) {
        throw InputError(fmt::format("machine '{}': '{}.processors' is 1, or all {} of a node, not {}", machine.id,
                                     level, query.processors, processors));
    }
    if (query.ranks_per_node == 0) return processors;
    if (processors > 1 || query.processors == 1) return query.ranks_per_node;
    return query.shares_processors() ? std::max(1, query.ranks_per_node / query.processors) : 1;
}

// Whether a level has so many ranks or processors, and not all others: those are on another machine's network.
bool ends_at_node(const Machine& machine, const std::string& level) {
    return find(machine, "levels." + level + ".ranks") != nullptr ||
           find(machine, "levels." + level + ".processors") != nullptr;
}

// What of a path is no server that ranks share, nor the way between two such servers.
Path beside_gateways(Path path) {
    std::erase_if(path.stages,
                  [](const Stage& stage) { return stage.server == "gateway" || stage.site == Site::link; });
    return path;
}

// Gateways and the links between them as the path of the last level has them.
SweepGateways read_gateways(const Machine& machine, double background) {
    SweepGateways gateways;
    if (machine.composed || !has(machine, "gateways")) return gateways;  // those of the network that it had
    gateways.ranks = static_cast<int>(number_at(machine, "gateways.ranks"));
    if (find(machine, "gateways.request") != nullptr) gateways.request = time_at(machine, "gateways.request");
    const std::string level = names_below(machine, "levels").back();
    const std::string protocol = text_at(machine, fmt::format("levels.{}.protocol", level));
    const Path path = with_flows(message_path(machine, protocol, Data()), "link", 1 / (1 - background));
    const Stage* const gateway = path.stage_of("gateway");
    if (gateway == nullptr) {
        throw InputError(
            fmt::format("machine '{}': messages of level '{}' pass gateways, but protocol '{}' has none: add "
                        "such as 'gateway: {{overhead: 1 us}}' to its path",
                        machine.id, level, protocol));
    }
    gateways.service = whole_time(*gateway, Data()) / gateway->times;
    for (const Stage& stage : path.stages) {
        if (stage.site == Site::link) gateways.wire += whole_time(stage, Data());
    }
    return gateways;
}

// Levels by increasing number of ranks; the last one has all others.
std::vector<CostOf> read_levels(const Machine& machine, const SweepQuery& query, std::vector<int>& ranks) {
    std::vector<CostOf> costs;
    std::vector<std::string> names = names_below(machine, "levels");
    if (machine.composed) std::erase_if(names, [&](const std::string& name) { return !ends_at_node(machine, name); });
    for (const std::string& name : names) {
        const std::string level = "levels." + name;
        const std::optional<int> count = ranks_of_level(machine, query, level);
        const bool last = name == names.back();
        const bool node = find(machine, level + ".processors") != nullptr;
        if (last == count.has_value() && !(last && (node || machine.composed))) {
            throw InputError(fmt::format(
                "machine '{}': every level but the last says how many 'ranks' are so near: {} 'ranks' {} '{}'",
                machine.id, last ? "leave out" : "add", last ? "of" : "to", level));
        }
        // Ranks with a processor of their own have no use for what ranks of one processor pay.
        if (node && !query.shares_processors() && number_at(machine, level + ".processors") == 1) continue;
        // A node of one processor is no farther than that.
        if (node && !ranks.empty() && *count == ranks.back()) continue;
        if (count) {
            if (!ranks.empty() && *count <= ranks.back()) {
                throw InputError(
                    fmt::format("machine '{}': '{}' has {} ranks, no more than the level before: list levels "
                                "by increasing 'ranks'",
                                machine.id, level, *count));
            }
            ranks.push_back(*count);
        }
        const bool through_gateways = last && !machine.composed && has(machine, "gateways");
        costs.push_back(protocol_cost(machine, text_at(machine, level + ".protocol"),
                                      [through_gateways, shared = 1 / (1 - query.background)](Path path) {
                                          if (through_gateways) path = beside_gateways(std::move(path));
                                          return with_flows(std::move(path), "link", shared);
                                      }));
    }
    if (!costs.empty() && ranks.size() == costs.size()) add_beyond_node(machine, query, costs, ranks);
    return costs;
}

// What messages cost on a machine without levels: inside a node without the network, beyond it over its links.
void add_anywhere(const Machine& machine, const SweepQuery& query, std::vector<CostOf>& costs,
                  std::vector<int>& ranks) {
    const std::vector<std::string> protocols = message_protocols(machine);
    if (protocols.empty() && query.protocol.empty()) {
        throw InputError(
            fmt::format("machine '{}' does not say what messages cost: add 'paths' and 'protocols'", machine.id));
    }
    const std::string& name = query.protocol.empty() ? protocols.front() : query.protocol;
    require_message(machine, name);
    const int ranks_of_node = query.ranks_of_node();
    if (!crosses_link(machine, name)) {
        if (query.ranks() > ranks_of_node) throw no_network(machine, query);
        return costs.push_back(protocol_cost(machine, name));
    }
    if (ranks_of_node > 1) {
        const auto inside = inside_protocols(machine);
        const bool own = !inside.empty() && query.protocol.empty();
        costs.push_back(protocol_cost(machine, own ? inside.front() : name, inside_node));
        ranks.push_back(ranks_of_node);
    }
    add_network_levels(machine, name, query, costs, ranks);
}

// The first level becomes a processor: as near as the machine says, else as its nearest ranks.
void share_processors(const Machine& machine, const SweepQuery& query, std::vector<CostOf>& costs,
                      Wavefront& wavefront) {
    if (wavefront.gateways.ranks > 0) {
        throw InputError(
            fmt::format("machine '{}': ranks behind gateways do not share processors: give at most {} a "
                        "node",
                        machine.id, query.processors));
    }
    const RankPlaces places{query.nodes(), query.ranks_of_node(), query.node_of_rank};
    wavefront.shared = {query.ranks_per_node, query.processors,
                        std::vector<int>(static_cast<std::size_t>(query.nodes()))};
    for (int rank = 0; rank < query.ranks(); ++rank) {
        ++wavefront.shared.taken[static_cast<std::size_t>(places.node(rank))];
    }
    const std::vector<std::string> names = names_below(machine, "levels");
    const bool known = query.protocol.empty() && !names.empty() &&
                       find(machine, "levels." + names.front() + ".processors") != nullptr &&
                       number_at(machine, "levels." + names.front() + ".processors") == 1;
    if (known) return;
    costs.insert(costs.begin(), costs.front());
    wavefront.levels.insert(wavefront.levels.begin(), 1);
}

// Places of the ranks, those of a node by their numbers.
std::vector<int> places_of(const SweepQuery& query) {
    const int ranks_of_node = query.ranks_of_node();
    std::vector<int> places;
    std::vector<int> taken;  // of each node
    for (const int node : query.node_of_rank) {
        if (taken.size() <= static_cast<std::size_t>(node)) taken.resize(static_cast<std::size_t>(node) + 1);
        places.push_back(node * ranks_of_node + taken[static_cast<std::size_t>(node)]++);
    }
    return places;
}

}  // namespace

void read_messages(const Machine& machine, const SweepQuery& query, Wavefront& wavefront) {
    constexpr double bytes_of_double = 8;
    std::vector<CostOf> costs;
    if (query.protocol.empty()) costs = read_levels(machine, query, wavefront.levels);
    if (costs.empty()) {
        add_anywhere(machine, query, costs, wavefront.levels);
    } else {
        wavefront.gateways = read_gateways(machine, query.background);
    }
    wavefront.places = places_of(query);
    if (query.shares_processors()) share_processors(machine, query, costs, wavefront);
    const double surface = static_cast<double>(query.planes) * query.angle_block * bytes_of_double;
    wavefront.hop = [costs, surface](SweepAxis, int cells, std::size_t level) {
        return costs[level](bytes(surface * cells));
    };
}

}  // namespace narrows
