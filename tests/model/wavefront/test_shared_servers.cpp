#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "data/library.hpp"
#include "model/demand/placement.hpp"
#include "model/demand/servers.hpp"
#include "model/path/protocol.hpp"
#include "model/wavefront/shared_servers.hpp"

namespace narrows {
namespace {

Machine cluster() {
    return with_change(load_machine("cluster-400g"), "compute.sweep3d.grind", "1 ns");
}

SweepQuery query_of(std::array<int, 2> grid, int ranks_per_node) {
    SweepQuery query;
    query.grid = grid;
    query.cells = {4 * grid[0], 4 * grid[1], 40};
    query.ranks_per_node = query.processors = ranks_per_node;
    return query;
}

Time time_of(const Machine& machine, const SweepQuery& query, const std::string& server) {
    for (const NamedTime& each : shared_server_times(machine, query)) {
        if (each.name == server) return each.time;
    }
    return Time();
}

// The most messages of an octant's block that leave or reach one group of so many nodes of consecutive numbers: the
// mean of octants that go one way and the other.
double fullest(const SweepQuery& query, int nodes_of_group) {
    std::map<int, int> out, in;
    const auto group = [&](int rank) {
        const bool listed = !query.node_of_rank.empty();
        return (listed ? query.node_of_rank[rank] : rank / query.ranks_per_node) / nodes_of_group;
    };
    for (int rank = 0; rank < query.ranks(); ++rank) {
        const int i = rank % query.grid[0], j = rank / query.grid[0];
        for (const int to : {i + 1 < query.grid[0] ? rank + 1 : -1, j + 1 < query.grid[1] ? rank + query.grid[0] : -1,
                             i > 0 ? rank - 1 : -1, j > 0 ? rank - query.grid[0] : -1}) {
            if (to < 0 || group(to) == group(rank)) continue;
            ++out[group(rank)];
            ++in[group(to)];
        }
    }
    int most = 0;
    for (const auto* const side : {&out, &in}) {
        for (const auto& [one, count] : *side) most = std::max(most, count);
    }
    return most / 2.0;
}

}  // namespace

TEST_CASE("sweep3d: each server's messages by enumeration, 20 grids drawn by a seed") {
    std::mt19937 random(18);
    const auto draw = [&random](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
    const Machine machine = with_change(cluster(), "network.topology", "fat-tree ports=6 levels=2 taper=2:1");
    for (int i = 0; i < 20; ++i) {
        const int each = draw(1, 8);
        SweepQuery query = query_of({draw(2, 12), draw(2, 9)}, each);
        if (query.ranks() > 24 * each) continue;  // nodes of the tree
        if (i % 2 == 1) query.node_of_rank = placed_ranks("random:5", query.nodes(), each);
        CAPTURE(query.grid[0], query.grid[1], each);
        const Data payload = bytes(8.0 * query.planes * query.angle_block * 4);
        const Bandwidth link = bandwidth_at(machine, "network.link.bandwidth");
        const Time wire = link_bytes(message_path(machine, "mpi", payload), payload, link) / link;
        const double messages = 8.0 * query.blocks();
        const bool several = query.ranks() > each;
        CHECK(time_of(machine, query, "injection").si() ==
              Approx(several ? (wire * fullest(query, 1)).si() * messages : 0));
        // Leaves of four nodes hang on two links.
        CHECK(time_of(machine, query, "uplinks").si() ==
              Approx(several ? (wire * fullest(query, 4)).si() * messages / 2 : 0));
    }
}

TEST_CASE("sweep3d: a server's capacity lowered far enough is what holds it back, and its time what it needs") {
    const SweepQuery query = query_of({16, 16}, 64);
    for (const auto& [path, change, server] : std::initializer_list<std::array<const char*, 3>>{
             {"network.link.bandwidth", "0.0001x", "injection"},
             {"node.memory.bandwidth", "0.001x", "memory"},
             {"host_interface.bandwidth", "0.0001x", "host interface"},
             {"network_interface.message_rate", "100 /s", "network interface"}}) {
        CAPTURE(path);
        const Machine machine = with_change(cluster(), path, change);
        const TimePrediction prediction = predict_sweep3d(machine, query);
        CHECK(prediction.bottleneck == server);
        CHECK(prediction.time.si() == Approx(time_of(machine, query, server).si()));
        CHECK(sweep3d_time(machine, query).si() == Approx(prediction.time.si()));
        Time sum;
        for (const NamedTime& term : prediction.terms) sum += term.time;
        CHECK(sum.si() == Approx(prediction.time.si()));
    }
    // 64 ranks of 4 x 4 columns and 10 planes, 4 moments: 3 words of 8 bytes each.
    const double moved = 8.0 * query.blocks() * 64 * 160 * 4 * 24;
    CHECK(time_of(cluster(), query, "memory").si() == Approx(moved / 500e9));
}

TEST_CASE("sweep3d: messages along one axis alone leave a node, with the size that they have") {
    const Machine machine = with_change(cluster(), "network.link.bandwidth", "1 MB/s");
    SweepQuery query = query_of({8, 4}, 8);
    query.cells = {400, 4, 40};  // a rank's messages along J are 50 cells across, along I one
    const double sent = 8.0 * 8 * query.blocks() * (8.0 * query.planes * query.angle_block * 50);
    CHECK(sweep3d_time(machine, query).si() > sent / 1e6);
    CHECK(time_of(machine, query, "injection").si() == Approx(sent / 1e6).epsilon(0.1));  // of framed bytes
}

TEST_CASE("sweep3d: a link between two halves carries each way what half of the octants send") {
    const Machine machine = with_change(cluster(), "network.link.bandwidth", "1 MB/s");
    SweepQuery query = query_of({64, 2}, 64);
    query.cells = {64, 2, 10};
    query.planes = 10;
    const double sent = 4.0 * 64 * query.blocks() * (8.0 * query.planes * query.angle_block);
    CHECK(time_of(machine, query, "injection").si() == Approx(sent / 1e6).epsilon(0.2));  // of framed bytes
}

TEST_CASE("sweep3d: a rank more on another node takes no work from those before") {
    SweepQuery query = query_of({16, 1}, 16);
    query.processors = 12;
    CHECK(query.used_processors() == 12);
    query.grid = {17, 1};
    CHECK(query.used_processors() == 12.75);
    query.ranks_per_node = 20;
    CHECK(query.used_processors() == 12);
    query.ranks_per_node = 12;
    CHECK(query.used_processors() == 17);
}

TEST_CASE("sweep3d: a placement that is listed in order is none, and others cost more, as does a background") {
    SweepQuery query = query_of({16, 16}, 8);
    const Time in_order = sweep3d_time(cluster(), query);
    for (int rank = 0; rank < query.ranks(); ++rank) query.node_of_rank.push_back(rank / 8);
    CHECK(sweep3d_time(cluster(), query).si() == Approx(in_order.si()));
    query.node_of_rank = placed_ranks("random:1", query.nodes(), 8);
    CHECK(sweep3d_time(cluster(), query) > in_order);
    query.node_of_rank.clear();
    query.background = 0.5;
    CHECK(sweep3d_time(cluster(), query) > in_order);
    const Time half = time_of(cluster(), query, "injection");
    query.background = 0;
    CHECK(half.si() == Approx(2 * time_of(cluster(), query, "injection").si()));
}

TEST_CASE("sweep3d: fewer ranks than processors of a node are a node all the same") {
    SweepQuery query = query_of({8, 8}, 16);
    const Time small_nodes = sweep3d_time(cluster(), query);
    query.processors = 64;
    CHECK(query.nodes() == 4);
    CHECK(sweep3d_time(cluster(), query).si() == Approx(small_nodes.si()));
}

TEST_CASE("sweep3d: servers with room to spare cost nothing") {
    const SweepQuery query = query_of({16, 16}, 64);
    const Time time = sweep3d_time(cluster(), query);
    CHECK(time.si() == Approx(wavefront_time(sweep_wavefront(cluster(), query)).si()));
    CHECK(sweep3d_time(with_change(cluster(), "node.memory.bandwidth", "10x"), query).si() == Approx(time.si()));
}

}  // namespace narrows
