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

// In an octant every rank sends one message a block along each axis.
Round messages_of_block(const SweepQuery& query) {
    Round round;
    const std::int64_t ranks = query.ranks();
    round.moves = {{ranks, 1, query.grid[0], 1, false, 1, 0}, {ranks, query.grid[0], query.grid[1], 1, false, 1, 0}};
    return round;
}

// The protocol of messages between nodes; empty where there is none.
std::string protocol_between_nodes(const Machine& machine, const SweepQuery& query) {
    if (!query.protocol.empty()) return crosses_link(machine, query.protocol) ? query.protocol : "";
    for (const std::string& name : message_protocols(machine)) {
        if (crosses_link(machine, name)) return name;
    }
    return "";
}

// The most messages of a block at a server of each kind.
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

void add_network(const Machine& machine, const SweepQuery& query, std::vector<NamedTime>& times) {
    const int nodes = query.nodes();
    const std::string protocol = protocol_between_nodes(machine, query);
    if (nodes == 1 || protocol.empty() || !has_network(machine)) return;
    const Topology network = network_of(machine, nodes);
    const PhaseLoads loads = phase_loads({messages_of_block(query)}, {nodes, query.ranks_of_node(), query.node_of_rank},
                                         NodeNetwork(network, machine.graph, routing_of(machine)));
    const PairLoads fullest = fullest_of(loads);
    const int cells = std::min(query.cells[0] / query.grid[0], query.cells[1] / query.grid[1]);
    const Data payload = bytes(8.0 * query.planes * query.angle_block * cells);
    const Path path = message_path(machine, protocol, payload);
    const Time wire = busy_time(path, "link", payload) * (1 / (1 - query.background));
    if (network.switched()) times.push_back({"injection", wire * fullest.host});
    times.push_back({loads.uplinks ? "uplinks" : "network", wire * fullest.shared});
    const auto of_node = [&](const char* server) {
        const Time far = busy_time(path, fmt::format("far-{}", server), payload);  // receives while the other sends
        return std::max(busy_time(path, server, payload), far) * fullest.leaving;
    };
    times.push_back({"host interface", of_node("host_interface")});
    times.push_back({"network interface", of_node("network_interface")});
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
