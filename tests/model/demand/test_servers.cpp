#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "../predictions.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "model/demand/placement.hpp"
#include "model/demand/servers.hpp"
#include "model/messages/workload.hpp"
#include "model/path/exchange.hpp"
#include "model/path/protocol.hpp"
#include "tests/error_of.hpp"

// A claim about a bottleneck is a claim about interventions: on every shipped machine each server is made slow until it
// binds, and those that do not bind are made fast.
namespace narrows {
namespace {

using Names = std::set<std::string_view>;

// A capacity of a machine file, and what predictions call the servers that it limits.
struct Capacity {
    const char* path;
    Names resources;
};

const std::vector<Capacity>& capacities() {
    static const std::vector<Capacity> all = {
        {"network.link.bandwidth", {"network", "injection", "uplinks", "link"}},
        {"host_interface.bandwidth", {"host interface"}},
        {"network_interface.message_rate", {"network interface"}},
        {"network_interface.bandwidth", {"network interface"}},
        {"node.memory.bandwidth", {"memory"}},
    };
    return all;
}

// The shipped machines, and one of them with network interfaces.
std::vector<Machine> machines() {
    std::vector<Machine> all;
    for (const std::string& id : machine_ids()) all.push_back(load_machine(id));
    Machine with_interface = load_machine("cluster-400g");
    for (const char* path : {"mpi", "verbs"}) {
        Parameter stage;
        stage.path = std::string("paths.") + path + ".network_interface.times";
        stage.measure = {1, Dimension::number, ""};
        const auto link = std::ranges::find_if(with_interface.parameters, [&](const Parameter& p) {
            return p.path.starts_with(std::string("paths.") + path + ".link");
        });
        with_interface.parameters.insert(link, stage);
    }
    with_interface = with_change(with_interface, "network_interface.message_rate", "180 M/s");
    all.push_back(with_change(with_interface, "network_interface.bandwidth", "50 GB/s"));
    return all;
}

bool bounds(const Prediction& prediction, const Names& resources) {
    return std::ranges::any_of(prediction.bounds,
                               [&](const Bound& bound) { return resources.contains(name_of(bound.resource)); });
}

}  // namespace

TEST_CASE("gups: a server that is made slow enough is the bottleneck, and one that does not bind brings nothing") {
    constexpr std::int64_t nodes = 64;
    int slowed = 0;
    for (const Machine& machine : machines()) {
        for (const GupsCode variant : gups_variants(machine)) {
            if (variant == GupsCode::sequential || machine.parameters.empty()) continue;
            const GupsQuery query =
                gups_query(variant, std::min(nodes, parse_topology(text_at(machine, "network.topology")).nodes()));
            const Prediction before = predict_gups(machine, query);
            check_consistent(before);
            for (const Capacity& capacity : capacities()) {
                if (find(machine, capacity.path) == nullptr || !bounds(before, capacity.resources)) continue;
                CAPTURE(machine.id, name_of(variant), capacity.path);
                const Prediction slow = predict_gups(with_change(machine, capacity.path, "1e-6x"), query);
                CHECK(capacity.resources.contains(slow.bottleneck));
                CHECK(slow.rate < before.rate * 1e-2);
                const Prediction fast = predict_gups(with_change(machine, capacity.path, "10x"), query);
                CHECK(fast.rate >= before.rate);
                CHECK(fast.rate <= tightest(fast.bounds).limit);
                // Without a queue only what binds matters.
                const bool waits = variant == GupsCode::routed || variant == GupsCode::shmem;
                if (!waits && !capacity.resources.contains(before.bottleneck)) CHECK(fast.rate == before.rate);
                ++slowed;
            }
        }
    }
    CHECK(slowed >= 15);
}

TEST_CASE("messages: a server of share s that is made 10 times as fast gains at most 0.9 s") {
    int tried = 0;
    for (const Machine& machine : machines()) {
        for (const std::string& protocol : message_protocols(machine)) {
            if (!crosses_link(machine, protocol)) continue;
            MessageQuery query{.protocol = protocol,
                               .payload = bytes(65536),
                               .nodes = find(machine, "network.topology") != nullptr ? 32 : 2};
            for (const std::string_view what : {"ping-pong", "allreduce", "halo-exchange", "all-to-all"}) {
                const auto predict = [&](const Machine& of) {
                    if (what == "ping-pong") return predict_ping_pong(of, query);
                    return what == "halo-exchange" ? predict_halo_exchange(of, query)
                                                   : predict_collective(of, what, query);
                };
                const bool alone = what == "ping-pong" || !has(machine, "network");
                query.ranks_per_node = alone ? 1 : 2;
                query.neighbours = query.nodes > 2 ? 4 : 1;
                const TimePrediction before = predict(machine);
                for (const Capacity& capacity : capacities()) {
                    if (find(machine, capacity.path) == nullptr) continue;
                    CAPTURE(machine.id, protocol, capacity.path);
                    double share = 0;
                    for (const NamedTime& term : before.terms) {
                        if (capacity.resources.contains(term.name)) share += term.time / before.time;
                    }
                    const TimePrediction fast = predict(with_change(machine, capacity.path, "10x"));
                    CHECK(1 - fast.time / before.time <= 0.9 * share + 1e-9);
                    if (share == 0 || fast.time == before.time) continue;
                    const TimePrediction slow = predict(with_change(machine, capacity.path, "1e-6x"));
                    CHECK(capacity.resources.contains(slow.bottleneck));
                    ++tried;
                }
            }
        }
    }
    CHECK(tried >= 10);
}

TEST_CASE("the interface's bound: bytes without line code, messages a second, several interfaces") {
    Machine machine = machines().back();
    const auto limit = [&](const char* path, const char* change) {
        const Prediction found = predict_gups(with_change(machine, path, change), gups_query(GupsCode::naive, 64));
        return limit_of(found, "network interface").si() / 1e9;
    };
    const double leaving = 63.0 / 64;
    CHECK(limit("network_interface.message_rate", "1 M/s") == Approx(64 * 1e-3 / leaving));
    CHECK(limit("network_interface.bandwidth", "0.5 GB/s") == Approx(64 * 0.5 / 74 / leaving));
    machine = with_change(machine, "network_interface.count", "4");
    CHECK(limit("network_interface.message_rate", "1 M/s") == Approx(4 * 64 * 1e-3 / leaving));
}

TEST_CASE("memory: its controllers, and what files leave out is told") {
    Machine machine = load_machine("cluster-400g");
    const auto memory = [&] { return limit_of(predict_gups(machine, gups_query(GupsCode::naive, 4)), "memory").si(); };
    CHECK(memory() == Approx(4 * 500e9 / 128));
    machine = with_change(machine, "node.memory.controllers", "2");
    CHECK(memory() == Approx(2 * 4 * 500e9 / 128));
    const auto missing = unlimited_servers(machine);
    CHECK(std::ranges::any_of(missing,
                              [](const Unlimited& each) { return each.path == "network_interface.message_rate"; }));
    CHECK(std::ranges::none_of(missing, [](const Unlimited& each) { return each.path == "node.memory.bandwidth"; }));
}

TEST_CASE("a stage that costs nothing is told as an assumption") {
    Machine machine = load_machine("cluster-400g");
    const auto is_told = [&](const char* path) {
        const auto missing = unlimited_servers(machine);
        return std::ranges::any_of(missing, [path](const Unlimited& each) { return each.path == path; });
    };
    CHECK_FALSE(is_told("paths.mpi.other"));
    machine = with_change(machine, "paths.mpi.other.overhead", "0 ns");
    CHECK(is_told("paths.mpi.other"));
}

TEST_CASE("gateways: those of a node bound gups by what each message keeps both of its two busy") {
    Machine machine = with_change(load_machine("roadrunner"), "compute.gups.update", "10 ns");
    machine = with_change(machine, "compute.gups.protocol", "between-blades-in-sweeps");
    const Prediction prediction = predict_gups(machine, gups_query(GupsCode::naive, 180));
    // Four gateways of 30 us a message on each of 180 nodes; 179 of 180 messages leave.
    CHECK(limit_of(prediction, "gateway").si() == Approx(180 * 4 / 30e-6 * 180 / 179));
    CHECK(prediction.bottleneck == "gateway");
}

namespace {

// Four processors a node, of 24 nodes; an update of 24 bytes on a link of 1 GB/s.
Machine cheap(const std::string& more = "") {
    return parse_machine(R"(
name: cheap
node: {clock: 2 GHz, processors: 4}
compute: {gups: {update: 1 ns, route: {per_update: 1 ns}}}
host_interface: {bandwidth: 1 GB/s, latency: 100 ns}
network: {link: {bandwidth: 1 GB/s, latency: 100 ns}, topology: torus 4x3x2}
paths:
  wire: {send: {overhead: 1 ns}, host_interface: {}, link: {framing: {header: 16 B}}, receive: {overhead: 1 ns}}
  routed: {send: {overhead: 1 ns}, router: {overhead: 1 us}, link: {}, receive: {overhead: 1 ns}}
  copied: {send: {overhead: 1 ns}, memory: {bandwidth: 1 GB/s}, link: {}, receive: {overhead: 1 ns}}
protocols: {mpi: {wire: 1}, two: {wire: 2}, hops: {routed: 1}, copies: {copied: 1}}
)" + more,
                         "cheap.yaml", "cheap");
}

Prediction updates_by(const Machine& machine, const char* protocol) {
    GupsQuery query = gups_query(GupsCode::naive, 24);
    query.messaging = protocol;
    return predict_gups(machine, query);
}

}  // namespace

TEST_CASE("a link carries all passes of an update, at the pace and with the costs of its stage") {
    const double once = limit_of(updates_by(cheap(), "mpi"), "network").si();
    CHECK(limit_of(updates_by(cheap(), "two"), "network").si() == Approx(once / 2));
    const auto with = [](const char* path, const char* value) {
        return limit_of(updates_by(with_change(cheap(), path, value), "mpi"), "network").si();
    };
    CHECK(with("paths.wire.link.times", "2") == Approx(once / 2));
    CHECK(with("paths.wire.link.bandwidth", "0.1 GB/s") == Approx(once / 10));
    CHECK(with("paths.wire.link.overhead", "24 ns") == Approx(once / 2));
    CHECK(with("paths.wire.link.carries", "32 B") == Approx(once / 2));
    CHECK(with("network.link.bandwidth", "2 GB/s") == Approx(once * 2));
}

TEST_CASE("each end's interface is passed once a passage, whatever stands before it") {
    const double leaving = 23.0 / 24;
    CHECK(limit_of(updates_by(cheap(), "mpi"), "host interface").si() == Approx(24 / 24e-9 / leaving));
    CHECK(limit_of(updates_by(cheap(), "two"), "host interface").si() == Approx(24 / 48e-9 / leaving));
}

TEST_CASE("routers and memory of paths bound updates") {
    const double leaving = 23.0 / 24;
    // Over a torus of 4x3x2 the mean over other nodes is (1 + 2/3 + 1/2) 24/23 links; each node has a router.
    const Prediction routed = updates_by(cheap(), "hops");
    CHECK(limit_of(routed, "router").si() == Approx(24 / 1e-6 / (1 + 2.0 / 3 + 0.5)));
    CHECK(routed.bottleneck == "router");
    const double staying = 3.0 / 96;  // for another of the node's four ranks
    CHECK(limit_of(updates_by(cheap(), "copies"), "memory").si() == Approx(24 / 8e-9 / (leaving + staying)));
    // The tighter one of the messages' and of the updates'.
    const Machine slow = with_change(cheap(), "node.memory.bandwidth", "1 GB/s");
    CHECK(limit_of(updates_by(slow, "copies"), "memory").si() == Approx(24 * 1e9 / 128));
}

TEST_CASE("a ping-pong between nodes passes each node's memory once, as a broadcast between two does") {
    const Machine machine =
        with_change(with_change(cheap(), "node.memory.bandwidth", "0.5 GB/s"), "host_interface.bandwidth", "100 GB/s");
    MessageQuery query{.protocol = "mpi", .payload = bytes(1 << 20), .nodes = 2};
    const TimePrediction found = predict_ping_pong(machine, query);
    CHECK(found.time.si() == Approx((1 << 20) / 0.5e9).epsilon(0.01));
    CHECK(found.time.si() == Approx(predict_collective(machine, "broadcast", query).time.si()).epsilon(0.01));
}

TEST_CASE("no formula gives the cuts of a random network: updates say so") {
    const Machine machine = with_change(cheap(), "network.topology", "jellyfish 24 degree=3 seed=1");
    CHECK(error_of([&] { updates_by(machine, "mpi"); }).find("no formula gives the cuts of 'jellyfish 24") == 0);
}

TEST_CASE("a network that is chosen later is the job's, not one of those that the file lists") {
    const Machine listed = parse_machine(
        "name: listed\nnetwork: {link: {bandwidth: 1 GB/s}, topology: star 24, partitions: {8: mesh 2x4}}\n", "l.yaml",
        "l");
    CHECK(network_of(listed, 8).spec() == "mesh 2x4");
    CHECK(network_of(with_change(listed, "network.topology", "star 16"), 8).spec() == "star 16");
}

TEST_CASE("transfers share a link of the node side by side, as far as its total goes") {
    const std::string link = "node: {links: {nvl: {bandwidth: 100 GB/s, total: 400 GB/s}}}\n";
    const std::string paths = "paths: {gpu: {nvl: {}}}\nprotocols: {peer: {gpu: 1}}\n";
    const Machine machine = parse_machine("name: n\n" + link + paths, "n.yaml", "n");
    const auto time = [](const Machine& one, double messages) {
        return Exchange(message_path(one, "peer", bytes(1e6)), bytes(1e6)).time({1, messages, 1, 1}).total.si();
    };
    CHECK(time(machine, 1) == Approx(10e-6));
    CHECK(time(machine, 4) == Approx(10e-6));
    CHECK(time(machine, 8) == Approx(20e-6));
    CHECK(time(machine, 5) == Approx(12.5e-6));
    CHECK(time(with_change(machine, "node.links.nvl.total", "10 GB/s"), 4) == Approx(400e-6));
}

}  // namespace narrows
