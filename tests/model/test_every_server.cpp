#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "data/machine_file.hpp"
#include "data/workload_file.hpp"
#include "model/demand/placement.hpp"
#include "model/messages/workload.hpp"
#include "model/program/program_time.hpp"
#include "model/wavefront/shared_servers.hpp"
#include "predictions.hpp"

namespace narrows {
namespace {

// Nodes on a star whose messages pass `stages` between their calls.
Machine star_with(const std::string& stages, const std::string& node = "processors: 4",
                  const std::string& protocols = "{p: {p: 1}}", const std::string& more = "") {
    return parse_machine(
        fmt::format("name: star\n"
                    "source: a test\n"
                    "node: {{{}}}\n"
                    "compute:\n"
                    "  gups: {{update: 10 ns, apply: 10 ns, barrier: 1 us, route: {{per_update: 5 ns}}}}\n"
                    "  sweep3d: {{grind: 0.01 ns}}\n"
                    "host_interface: {{bandwidth: 10 GB/s}}\n"
                    "network: {{link: {{bandwidth: 0.1 GB/s}}, topology: star 64}}\n"
                    "paths:\n  p: {{{}}}\n{}protocols: {}\n",
                    node, stages, more, protocols),
        "star.yaml", "star");
}

MessageQuery messages_of_node(std::int64_t nodes, int bytes_each) {
    MessageQuery query{.protocol = "p", .payload = bytes(bytes_each), .nodes = nodes, .ranks_per_node = 4};
    return query;
}

SweepQuery sweep_on(std::array<int, 2> grid, std::array<int, 2> cells, int each) {
    SweepQuery query;
    query.grid = grid;
    query.cells = {cells[0] * grid[0], cells[1] * grid[1], 100};
    query.planes = 10;
    query.angle_block = 3;
    query.ranks_per_node = query.processors = each;
    return query;
}

double shared_time(const Machine& machine, const SweepQuery& query, const std::string& server) {
    for (const NamedTime& each : shared_server_times(machine, query)) {
        if (each.name == server) return each.time.si();
    }
    return 0;
}

}  // namespace

TEST_CASE("updates that stay in their node pass its memory as well as those that leave") {
    const Machine machine =
        star_with("send: {overhead: 20 ns}, memory: {overhead: 100 ns}, link: {}, receive: {overhead: 20 ns}");
    for (const int nodes : {1, 2, 8}) {
        GupsQuery query = gups_query(GupsCode::naive, nodes);
        query.ranks_per_node = 4;
        const double ranks = 4.0 * nodes;
        const Prediction prediction = predict_gups(machine, query);
        check_consistent(prediction);
        // Each of N nodes: of the updates of all, 1/N times (P - 1)/P end with a message that passes its memory; those
        // that leave pass the sender's alone.
        CHECK(limit_of(prediction, "memory").si() == Approx(1 / (100e-9 * (ranks - 1) / ranks / nodes)));
    }
}

TEST_CASE("puts pass what their path says of the host interface beside its bandwidth") {
    const std::string stages =
        "send: {{overhead: 20 ns}}, host_interface: {{{}}}, link: {{}}, receive: {{overhead: 0 ns}}";
    const auto limit = [&](const std::string& cost, GupsCode code) {
        return limit_of(predict_gups(star_with(fmt::format(fmt::runtime(stages), cost)), gups_query(code, 8)),
                        "host interface");
    };
    CHECK(limit("overhead: 500 ns", GupsCode::shmem).si() == Approx(limit("overhead: 500 ns", GupsCode::naive).si()));
    CHECK(limit("", GupsCode::shmem) / limit("overhead: 500 ns", GupsCode::shmem) > 100);
}

TEST_CASE("packets of routed updates are framed as what carries them, not as what says that they come") {
    const std::string data =
        "send: {overhead: 500 ns}, link: {framing: {header: 16 B, packet: 128 B}}, receive: {overhead: 500 ns}";
    const Machine machine = star_with(data, "processors: 1", "{eager: {p: 1}, rendezvous: {request: 1, p: 1}}",
                                      "  request: {link: {carries: 0 B}, answer: {overhead: 10 ns}}\n");
    GupsQuery query = gups_query(GupsCode::routed, 16);
    query.shape = {4, 4};
    const auto packed = [&](const char* protocol) {
        query.messaging = protocol;
        return routed_inputs(machine, query).updates_per_packet;
    };
    CHECK(packed("eager") == 14);
    CHECK(packed("rendezvous") == 14);
}

TEST_CASE("the memory that both ends of a message name is one server of a node") {
    const std::string node = "processors: 4, memory: {bandwidth: 10 GB/s}";
    const std::string stages = "send: {{overhead: 1 ns}}, {} receive: {{overhead: 1 ns}}";
    const auto time = [&](const std::string& way, std::int64_t nodes) {
        const Machine machine = star_with(fmt::format(fmt::runtime(stages), way), node);
        MessageQuery query = messages_of_node(nodes, 1 << 20);
        query.algorithm = "linear";
        return predict_collective(machine, "all-to-all", query).time.si();
    };
    const double two_passes = 12 * 2 * (1 << 20) / 10e9;  // 12 messages of a node, written and read
    CHECK(time("link: {},", 1) == Approx(two_passes).epsilon(1e-3));
    CHECK(time("memory: {}, link: {}, far-memory: {},", 1) >= two_passes * (1 - 1e-12));
    CHECK(time("memory: {}, link: {}, far-memory: {times: 2},", 1) >= 1.5 * two_passes * (1 - 1e-12));
    CHECK(time("memory: {}, link: {}, far-memory: {},", 2) >= time("link: {},", 2) * (1 - 1e-3));
}

TEST_CASE("sweep3d: a node's messages share memory and links inside it, and sizes that differ count as they are") {
    const Machine bus = star_with("send: {overhead: 20 ns}, bus: {}, link: {}, receive: {overhead: 20 ns}",
                                  "processors: 64, links: {bus: {bandwidth: 10 GB/s, total: 10 GB/s}}");
    const SweepQuery whole = sweep_on({8, 8}, {8, 8}, 64);
    const double block = 8.0 * 10 * 3 * 8;
    CHECK(shared_time(bus, whole, "bus") == Approx(8 * whole.blocks() * 2 * 7 * 8 * block / 10e9));
    // Of 3 x 16 ranks, four on a node, what passes the fullest node's bus, messages that leave as well.
    const SweepQuery several = sweep_on({3, 16}, {8, 8}, 4);
    double passing = 0;
    for (int node = 0; node < 12; ++node) {
        double ends = 0;
        for (int rank = 4 * node; rank < 4 * node + 4; ++rank) {
            ends += (rank % 3 > 0) + (rank % 3 < 2) + (rank / 3 > 0) + (rank / 3 < 15);
        }
        passing = std::max(passing, ends / 2);
    }
    CHECK(shared_time(bus, several, "bus") == Approx(8 * several.blocks() * passing * block / 10e9));
    const Machine machine = star_with("send: {overhead: 20 ns}, link: {}, receive: {overhead: 20 ns}");
    for (const std::array<int, 2> cells : {std::array{4, 4}, {2, 8}, {1, 16}, {8, 2}, {5, 3}}) {
        CAPTURE(cells[0], cells[1]);
        // Of 3 x 16 ranks, four on a node, the fullest node: what it sends in the octants of one way, and the other.
        const SweepQuery query = sweep_on({3, 16}, cells, 4);
        const double i = 8.0 * 10 * 3 * cells[1], j = 8.0 * 10 * 3 * cells[0];
        double most = 0;
        for (int node = 0; node < 12; ++node) {
            double out = 0;
            for (int rank = 4 * node; rank < 4 * node + 4; ++rank) {
                for (const int step : {1, -1}) {
                    const int column = rank % 3 + step, row = rank / 3 + step;
                    if (column >= 0 && column < 3 && (rank + step) / 4 != node) out += i;
                    if (row >= 0 && row < 16 && (rank + 3 * step) / 4 != node) out += j;
                }
            }
            most = std::max(most, out / 2);
        }
        const double exact = 8 * query.blocks() * most / 0.1e9;
        CHECK(shared_time(machine, query, "injection") <= exact * (1 + 1e-12));
        CHECK(shared_time(machine, query, "injection") >= 0.83 * exact);
    }
}

TEST_CASE("sweep3d: an interface that takes a time a message takes no less of messages that are longer along J") {
    const Machine machine = star_with("send: {overhead: 20 ns}, network_interface: {overhead: 10 us}, link: {}");
    for (const int cells : {1, 2, 7, 8, 9}) {
        CAPTURE(cells);
        const SweepQuery query = sweep_on({3, 3}, {1, cells}, 1);
        CHECK(shared_time(machine, query, "network interface") == Approx(8 * query.blocks() * 2 * 10e-6));
    }
}

TEST_CASE("sweep3d: shared servers are charged by the protocols of the machine's levels") {
    const std::string near =
        "  fast: {send: {overhead: 20 ns}, link: {}, receive: {overhead: 20 ns}}\n"
        "  near: {send: {overhead: 20 ns}, receive: {overhead: 20 ns}}\n"
        "levels: {node: {processors: 4, protocol: near}, far: {protocol: fast}}\n";
    const Machine machine = star_with("send: {overhead: 1 us}, link: {times: 20}, receive: {overhead: 1 us}",
                                      "processors: 4", "{slow: {p: 1}, fast: {fast: 1}, near: {near: 1}}", near);
    SweepQuery query = sweep_on({4, 4}, {4, 4}, 4);
    const double by_levels = shared_time(machine, query, "injection");
    query.protocol = "fast";
    CHECK(by_levels == Approx(shared_time(machine, query, "injection")));
}

TEST_CASE("program: processors' work counts where phases overlap, also behind a slower link") {
    const Machine machine = star_with(
        "send: {overhead: 1 us}, link: {piece: 4 KiB}, receive: {overhead: 0 ns, per_byte: 1 ns/B, piece: 4 KiB}",
        "processors: 1");
    const Program both = parse_program(
        "name: both\nranks: line\nphases:\n"
        "  - {name: work, compute: {time: 1 s}}\n"
        "  - {name: ring, shift: {by: 1, wrap: yes, bytes: 1 GB}}\n"
        "overlap: [work, ring]\n",
        "both.yaml");
    ProgramQuery query;
    query.messages.protocol = "p";
    query.messages.nodes = 2;
    query.grid = {2};
    for (const char* link : {"0.1 GB/s", "0.6 GB/s", "0.9 GB/s", "1.01 GB/s", "4 GB/s"}) {
        CAPTURE(link);
        const Machine changed = with_change(machine, "network.link.bandwidth", link);
        const double time = predict_program(changed, query, placed(changed, both, query)).time.time.si();
        const double copying = 1, computing = 1;  // of 1 GB at 1 ns/B
        CHECK(time >= (computing + copying) * (1 - 1e-5));
        CHECK(time <= std::max(computing + copying, 1e9 / parse_bandwidth(link).si()) * 1.001);
    }
}

}  // namespace narrows
