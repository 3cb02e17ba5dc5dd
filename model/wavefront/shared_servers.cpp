#include "model/wavefront/shared_servers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "model/demand/placement.hpp"
#include "model/demand/servers.hpp"
#include "model/messages/round_loads.hpp"
#include "model/path/protocol.hpp"

namespace narrows {
namespace {

constexpr double octants = 8;

/// Pieces of the messages that every rank sends for a block in two octants, one each way, and a link's least time of
/// one.
struct BlockMessages {
    Round round;
    Time piece;
};

// Pieces of a message that takes i and of one that takes j whose times are about alike; few of very many ranks.
std::pair<int, int> pieces_of(double i, double j, std::int64_t ranks) {
    constexpr std::int64_t usual = 8, counted = std::int64_t{1} << 22;
    const int most = static_cast<int>(std::clamp<std::int64_t>(counted / ranks, 1, usual));
    std::pair<int, int> best = {1, 1};
    double lost = 1 - std::min(i, j) / std::max(i, j);
    for (int more = 2; more <= most; ++more) {
        const double exact = more * std::min(i, j) / std::max(i, j);
        const int less = static_cast<int>(exact + 1e-9);
        if (less == 0 || (exact - less) / more >= lost) continue;
        lost = (exact - less) / more;
        best = i >= j ? std::pair(more, less) : std::pair(less, more);
    }
    return best;
}

// A message along I or J of the smallest blocks.
Data surface_along(const SweepQuery& query, std::size_t axis) {
    const int cells = query.cells[1 - axis] / query.grid[1 - axis];
    return bytes(8.0 * query.planes * query.angle_block * cells);
}

// In an octant every rank sends one message a block along each axis, which takes a link i or j, in half of the octants
// one way and in half the other. A link has no less to do than for those of both axes, nor than for those of either.
std::vector<BlockMessages> messages_of_two_blocks(const SweepQuery& query, Time i, Time j) {
    const std::int64_t ranks = query.ranks();
    const auto along = [ranks](Round& round, std::int64_t stride, int size, int times) {
        for (int time = 0; time < times; ++time) {
            for (const std::int64_t step : {1, -1}) round.moves.push_back({ranks, stride, size, step, false, 1, 0});
        }
    };
    const auto [of_i, of_j] = pieces_of(i.si(), j.si(), ranks);
    std::vector<BlockMessages> found = {{{}, std::min(i / of_i, j / of_j)}, {{}, i}, {{}, j}};
    along(found[0].round, 1, query.grid[0], of_i);
    along(found[0].round, query.grid[0], query.grid[1], of_j);
    along(found[1].round, 1, query.grid[0], 1);
    along(found[2].round, query.grid[0], query.grid[1], 1);
    return found;
}

// The protocols that messages between nodes may go by; none where there is no such.
std::vector<std::string> protocols_between_nodes(const Machine& machine, const SweepQuery& query) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (crosses_link(machine, name)) names.push_back(name);
    };
    if (!query.protocol.empty()) {
        add(query.protocol);
        return names;
    }
    for (const std::string& level : names_below(machine, "levels")) {
        const Parameter* const protocol = find(machine, fmt::format("levels.{}.protocol", level));
        if (!machine.composed && protocol != nullptr) add(protocol->text);
    }
    if (!names.empty()) return names;
    for (const std::string& name : message_protocols(machine)) add(name);
    if (names.size() > 1) names.resize(1);
    return names;
}

// The most messages on a host's link and on a shared one.
std::pair<double, double> fullest_of(const PhaseLoads& loads) {
    std::pair<double, double> fullest = {0, 0};
    for (const MessageLoads& kind : loads.kinds) {
        if (kind.inside) continue;
        fullest.first = std::max(fullest.first, kind.network.host);
        fullest.second = std::max(fullest.second, kind.network.shared);
    }
    return fullest;
}

// The least that any of these paths asks of a server.
Time least_busy(const std::vector<Path>& paths, std::string_view server, Data size) {
    if (paths.empty()) return {};
    Time least = seconds(std::numeric_limits<double>::infinity());
    for (const Path& path : paths) least = std::min(least, busy_time(path, server, size));
    return least;
}

// Each server once, with the most that it has to do.
void add_largest(std::vector<NamedTime>& times, const NamedTime& server) {
    const auto known = std::ranges::find_if(times, [&](const auto& one) { return one.name == server.name; });
    if (known == times.end()) {
        times.push_back(server);
    } else {
        known->time = std::max(known->time, server.time);
    }
}

void add_links(const Machine& machine, const SweepQuery& query, std::vector<NamedTime>& times) {
    const int nodes = query.nodes();
    const std::vector<std::string> protocols = protocols_between_nodes(machine, query);
    if (nodes == 1 || protocols.empty() || !has_network(machine)) return;
    const Topology network = network_of(machine, nodes);
    const auto wire = [&](Data size) {
        std::vector<Path> paths;
        for (const std::string& protocol : protocols) paths.push_back(message_path(machine, protocol, size));
        return least_busy(paths, "link", size) * (1 / (1 - query.background));
    };
    for (const BlockMessages& messages :
         messages_of_two_blocks(query, wire(surface_along(query, 0)), wire(surface_along(query, 1)))) {
        const PhaseLoads loads = phase_loads({messages.round}, {nodes, query.ranks_of_node(), query.node_of_rank},
                                             NodeNetwork(network, machine.graph, routing_of(machine)));
        const auto [host, shared] = fullest_of(loads);
        const Time of_octant = messages.piece / 2;
        if (network.switched()) add_largest(times, {"injection", of_octant * host});
        add_largest(times, {loads.uplinks ? "uplinks" : "network", of_octant * shared});
    }
}

// The protocols that messages inside a node may go by.
std::vector<std::string> protocols_inside_node(const Machine& machine, const SweepQuery& query) {
    if (!query.protocol.empty()) return {query.protocol};
    std::vector<std::string> names;
    for (const std::string& level : names_below(machine, "levels")) {
        const Parameter* const protocol = find(machine, fmt::format("levels.{}.protocol", level));
        if (protocol != nullptr && !crosses_link(machine, protocol->text)) names.push_back(protocol->text);
    }
    if (!names.empty()) return names;
    const std::vector<std::string> usual = message_protocols(machine), inside = inside_protocols(machine);
    if (usual.empty()) return {};
    return {crosses_link(machine, usual.front()) && !inside.empty() ? inside.front() : usual.front()};
}

// Messages of a block at a node along I and along J: those that stay, and those that leave it, the mean of octants that
// go one way and the other.
using NodeMessages = std::array<double, 4>;

// Of every node that has others than those before.
std::set<NodeMessages> messages_of_nodes(const SweepQuery& query) {
    const RankPlaces places{query.nodes(), query.ranks_of_node(), query.node_of_rank};
    std::vector<NodeMessages> of_node(static_cast<std::size_t>(query.nodes()));
    const auto count = [&](int rank, int other, std::size_t axis) {
        for (const int one : {rank, other}) {
            NodeMessages& messages = of_node[static_cast<std::size_t>(places.node(one))];
            messages[places.node(rank) == places.node(other) ? axis : axis + 2] += 0.5;
        }
    };
    for (int rank = 0; rank < query.ranks(); ++rank) {
        if (rank % query.grid[0] + 1 < query.grid[0]) count(rank, rank + 1, 0);
        if (rank + query.grid[0] < query.ranks()) count(rank, rank + query.grid[0], 1);
    }
    return {of_node.begin(), of_node.end()};
}

// A node's interfaces, and what the paths of messages name of it: memory, links inside it, a flight.
void add_servers_of_nodes(const Machine& machine, const SweepQuery& query, std::vector<NamedTime>& times) {
    const std::array sizes = {surface_along(query, 0), surface_along(query, 1)};
    std::array<std::vector<Path>, 4> paths;  // that a message of each kind may go by
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        for (const std::string& name : protocols_inside_node(machine, query))
            paths[axis].push_back(inside_node(message_path(machine, name, sizes[axis])));
        for (const std::string& name : protocols_between_nodes(machine, query))
            paths[axis + 2].push_back(message_path(machine, name, sizes[axis]));
    }
    std::set<std::string> servers = {"host_interface", "network_interface"};
    for (const std::vector<Path>& of_kind : paths) {
        for (const Path& path : of_kind) {
            for (const Stage& stage : path.stages) {
                if (stage.site == Site::node) servers.insert(stage.server);
            }
        }
    }
    if (has(machine, "gateways")) servers.erase("gateway");  // which the recurrence knows
    const std::set<NodeMessages> nodes = messages_of_nodes(query);
    for (const std::string& server : servers) {
        std::array<Time, 4> each;
        for (std::size_t kind = 0; kind < each.size(); ++kind) {
            const Time near = least_busy(paths[kind], server, sizes[kind % 2]);
            const Time far = least_busy(paths[kind], "far-" + server, sizes[kind % 2]);
            each[kind] = server == "memory" ? near + far : std::max(near, far);  // else receives while it sends
        }
        for (const NodeMessages& messages : nodes) {
            Time all;
            for (std::size_t kind = 0; kind < each.size(); ++kind) all += each[kind] * messages[kind];
            std::string name = server;
            std::ranges::replace(name, '_', ' ');
            add_largest(times, {name, all});
        }
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
    if (query.ranks() > 1) {
        add_links(machine, query, times);
        add_servers_of_nodes(machine, query, times);
    }
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
