#include "model/wavefront/shared_servers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/demand/placement.hpp"
#include "model/demand/servers.hpp"
#include "model/messages/round_loads.hpp"
#include "model/path/protocol.hpp"

namespace narrows {
namespace {

constexpr double octants = 8;

/// Messages of one size that every rank sends in a block.
struct BlockMessages {
    Round round;
    Data payload;
};

// In an octant every rank sends one message a block along each axis, in half of the octants one way and in half the
// other: here of two such octants. A server has no less to do than for both if they were as small as the smaller, nor
// than for those of either axis.
std::vector<BlockMessages> messages_of_two_blocks(const SweepQuery& query) {
    const std::int64_t ranks = query.ranks();
    const auto along = [ranks](std::int64_t stride, int size, std::int64_t step) {
        return Move{ranks, stride, size, step, false, 1, 0};
    };
    const std::vector<Move> along_i = {along(1, query.grid[0], 1), along(1, query.grid[0], -1)};
    const std::vector<Move> along_j = {along(query.grid[0], query.grid[1], 1), along(query.grid[0], query.grid[1], -1)};
    std::vector<Move> both = along_i;
    both.insert(both.end(), along_j.begin(), along_j.end());
    const auto surface = [&query](int cells) { return bytes(8.0 * query.planes * query.angle_block * cells); };
    const Data i = surface(query.cells[1] / query.grid[1]);
    const Data j = surface(query.cells[0] / query.grid[0]);
    return {{{1, {}, both}, std::min(i, j)}, {{1, {}, along_i}, i}, {{1, {}, along_j}, j}};
}

// The protocol of messages between nodes; empty where there is none.
std::string protocol_between_nodes(const Machine& machine, const SweepQuery& query) {
    if (!query.protocol.empty()) return crosses_link(machine, query.protocol) ? query.protocol : "";
    for (const std::string& name : message_protocols(machine)) {
        if (crosses_link(machine, name)) return name;
    }
    return "";
}

// The most messages at a server of each kind.
PairLoads fullest_of(const PhaseLoads& loads) {
    PairLoads fullest{1, 0, 0, 0};
    for (const MessageLoads& kind : loads.kinds) {
        if (kind.inside) continue;
        fullest.leaving = std::max(fullest.leaving, kind.network.leaving);
        fullest.host = std::max(fullest.host, kind.network.host);
        fullest.shared = std::max(fullest.shared, kind.network.shared);
    }
    return fullest;
}

// Each server once, with the most that it has to do.
void add_largest(std::vector<NamedTime>& times, const NamedTime& server) {
    const auto known =
        std::find_if(times.begin(), times.end(), [&](const auto& one) { return one.name == server.name; });
    if (known == times.end()) {
        times.push_back(server);
    } else {
        known->time = std::max(known->time, server.time);
    }
}

void add_network(const Machine& machine, const SweepQuery& query, std::vector<NamedTime>& times) {
    const int nodes = query.nodes();
    const std::string protocol = protocol_between_nodes(machine, query);
    if (nodes == 1 || protocol.empty() || !has_network(machine)) return;
    const Topology network = network_of(machine, nodes);
    for (const auto& [round, payload] : messages_of_two_blocks(query)) {
        const PhaseLoads loads = phase_loads({round}, {nodes, query.ranks_of_node(), query.node_of_rank},
                                             NodeNetwork(network, machine.graph, routing_of(machine)));
        const PairLoads fullest = fullest_of(loads);
        const Path path = message_path(machine, protocol, payload);
        const auto busy = [&path, size = payload](std::string_view server) {
            return busy_time(path, server, size) / 2;  // of one of the two octants
        };
        const Time wire = busy("link") * (1 / (1 - query.background));
        if (network.switched()) add_largest(times, {"injection", wire * fullest.host});
        add_largest(times, {loads.uplinks ? "uplinks" : "network", wire * fullest.shared});
        const auto of_node = [&](const std::string& server) {
            // Receives while the other sends.
            return std::max(busy(server), busy("far-" + server)) * fullest.leaving;
        };
        add_largest(times, {"host interface", of_node("host_interface")});
        add_largest(times, {"network interface", of_node("network_interface")});
    }
}

void add_memory(const Machine& machine, const SweepQuery& query, std::vector<NamedTime>& times) {
    const std::optional<Bandwidth> memory = node_memory(machine);
    if (!memory) return;
    constexpr double uses = 3, word = 8;  // flux read and written, the source read
    const double columns =
        std::floor(1.0 * query.cells[0] / query.grid[0]) * std::floor(1.0 * query.cells[1] / query.grid[1]);
    const auto ranks = static_cast<double>(std::min(query.ranks_of_node(), query.ranks()));
    const Data moved = bytes(uses * word * query.moments * query.planes * columns * ranks);
    times.push_back({"memory", moved / *memory});
}

}  // namespace

std::vector<NamedTime> shared_server_times(const Machine& machine, const SweepQuery& query) {
    std::vector<NamedTime> times;
    if (query.ranks_per_node == 0) return times;
    add_memory(machine, query, times);
    if (query.ranks() > 1) add_network(machine, query, times);
    for (NamedTime& server : times) server.time = server.time * (octants * query.blocks());
    return times;
}

NamedTime slowest_shared_server(const Machine& machine, const SweepQuery& query) {
    NamedTime slowest;
    for (const NamedTime& server : shared_server_times(machine, query)) {
        if (server.time > slowest.time) slowest = server;
    }
    return slowest;
}

}  // namespace narrows
