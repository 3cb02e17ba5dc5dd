#include "model/wavefront/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "model/message_cost.hpp"
#include "model/path/exchange.hpp"
#include "model/path/protocol.hpp"
#include "model/read_costs.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

/// Cost of a message of a size.
using CostOf = std::function<HopCost(Data size)>;

// How messages of a level are costed, read once for all sizes.
CostOf level_cost(const Machine& machine, const std::string& level) {
    HopCost fixed;
    fixed.send = time_or_zero(machine, level + ".send");
    fixed.receive = time_or_zero(machine, level + ".receive");
    fixed.latency = time_or_zero(machine, level + ".latency");
    fixed.synchronous = find(machine, level + ".request") != nullptr;
    fixed.request = time_or_zero(machine, level + ".request");
    const bool sized = find(machine, level + ".bandwidth") != nullptr;
    const Bandwidth bandwidth = sized ? bandwidth_at(machine, level + ".bandwidth") : Bandwidth();
    const bool copied = find(machine, level + ".copy") != nullptr;
    const TimePerByte copy = copied ? time_per_byte_at(machine, level + ".copy") : TimePerByte();
    return [fixed, sized, bandwidth, copied, copy](Data size) {
        HopCost cost = fixed;
        if (sized) cost.bytes = size / bandwidth;
        if (copied) cost.send += copy * size;
        return cost;
    };
}

// A message to another node where the last level is a node: as one within it at both ends, and across a link.
CostOf beyond_node(const Machine& machine, const SweepQuery& query, const CostOf& within) {
    if (query.ranks() <= std::max(query.ranks_per_node, query.processors)) return within;
    if (find(machine, "network.link.bandwidth") == nullptr) {
        throw InputError(
            fmt::format("machine '{}' says nothing of messages between nodes, and {} ranks take several: add "
                        "'network.link.bandwidth' to its file, or let the ranks share one node with -n 1",
                        machine.id, query.ranks()));
    }
    const Time latency = time_or_zero(machine, "network.link.latency");
    const Bandwidth bandwidth = bandwidth_at(machine, "network.link.bandwidth");
    const Framing framing = read_framing(machine, "network.framing");
    return [=](Data size) {
        HopCost cost = within(size);
        cost.latency += latency;
        cost.request += latency;
        cost.bytes += wire_bytes(framing, size) / bandwidth;
        return cost;
    };
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

// Levels by increasing number of ranks; the last one has all others.
std::vector<CostOf> read_levels(const Machine& machine, const SweepQuery& query, std::vector<int>& ranks) {
    std::vector<CostOf> costs;
    const std::vector<std::string> names = names_below(machine, "levels");
    for (const std::string& name : names) {
        const std::string level = "levels." + name;
        const std::optional<int> count = ranks_of_level(machine, query, level);
        const bool last = name == names.back();
        const bool node = find(machine, level + ".processors") != nullptr;
        if (last == count.has_value() && !(last && node)) {
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
        costs.push_back(level_cost(machine, level));
    }
    if (!costs.empty() && ranks.size() == costs.size()) costs.push_back(beyond_node(machine, query, costs.back()));
    return costs;
}

SweepGateways read_gateways(const Machine& machine) {
    SweepGateways gateways;
    if (!has(machine, "gateways")) return gateways;
    gateways.ranks = static_cast<int>(number_at(machine, "gateways.ranks"));
    gateways.service = time_at(machine, "gateways.service");
    gateways.wire = time_or_zero(machine, "gateways.wire");
    if (find(machine, "gateways.request") != nullptr) gateways.request = time_at(machine, "gateways.request");
    return gateways;
}

// A message goes by the protocol that the named one reaches to at its size. The cost outlives the machine.
CostOf protocol_cost(const Machine& machine, const std::string& name) {
    require_message(machine, name);
    read_protocol(machine, name);  // a name that is wrong is so for one rank too
    return [kept = std::make_shared<const Machine>(machine), name](Data size) {
        const Path path = whole_path(read_protocol_for(*kept, name, size));
        HopCost cost;
        cost.latency = message_time(path, Data()).total;
        cost.bytes = message_time(path, size).total - cost.latency;
        return cost;
    };
}

CostOf layer_cost(const Machine& machine, const std::string& layer) {
    const Framing framing = read_framing(machine, layer + ".framing");
    const MessageCost send = read_message_cost(machine, layer + ".send");
    const MessageCost receive = read_message_cost(machine, layer + ".receive");
    const Time latency = time_or_zero(machine, "network.link.latency");
    const bool sized = find(machine, "network.link.bandwidth") != nullptr;
    const Bandwidth bandwidth = sized ? bandwidth_at(machine, "network.link.bandwidth") : Bandwidth();
    return [=](Data size) {
        HopCost cost;
        cost.send = message_time(send, framing, size);
        cost.receive = message_time(receive, framing, size);
        cost.latency = latency;
        if (sized) cost.bytes = wire_bytes(framing, size) / bandwidth;
        return cost;
    };
}

// What messages cost on a machine without levels.
CostOf cost_anywhere(const Machine& machine, const SweepQuery& query) {
    const std::vector<std::string> protocols = names_below(machine, "protocols");
    if (!query.protocol.empty() || !protocols.empty()) {
        return protocol_cost(machine, query.protocol.empty() ? protocols.front() : query.protocol);
    }
    for (const std::string& name : names_below(machine, "messaging")) {
        const std::string layer = "messaging." + name;
        if (find(machine, layer + ".send.per_message") != nullptr) return layer_cost(machine, layer);
    }
    throw InputError(
        fmt::format("machine '{}' does not say what messages cost: add 'levels', 'protocols' or a layer of 'messaging'",
                    machine.id));
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
    wavefront.shared = {query.ranks_per_node, query.processors};
    const std::vector<std::string> names = names_below(machine, "levels");
    const bool known = query.protocol.empty() && !names.empty() &&
                       find(machine, "levels." + names.front() + ".processors") != nullptr &&
                       number_at(machine, "levels." + names.front() + ".processors") == 1;
    if (known) return;
    costs.insert(costs.begin(), costs.front());
    wavefront.levels.insert(wavefront.levels.begin(), 1);
}

}  // namespace

void read_messages(const Machine& machine, const SweepQuery& query, Wavefront& wavefront) {
    constexpr double bytes_of_double = 8;
    std::vector<CostOf> costs;
    if (query.protocol.empty()) costs = read_levels(machine, query, wavefront.levels);
    if (costs.empty()) {
        costs.push_back(cost_anywhere(machine, query));
    } else {
        wavefront.gateways = read_gateways(machine);
    }
    if (query.shares_processors()) share_processors(machine, query, costs, wavefront);
    const double surface = static_cast<double>(query.planes) * query.angle_block * bytes_of_double;
    wavefront.hop = [costs, surface](SweepAxis, int cells, std::size_t level) {
        return costs[level](bytes(surface * cells));
    };
}

}  // namespace narrows
