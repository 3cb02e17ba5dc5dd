#include <catch2/catch.hpp>

#include "data/machine_file.hpp"
#include "data/older_words.hpp"
#include "error_text.hpp"
#include "model/gups/workload.hpp"
#include "model/messages/workload.hpp"
#include "model/path/protocol.hpp"
#include "model/wavefront/workload.hpp"

namespace narrows {
namespace {

Machine parse_older(const std::string& text) {
    return parse_machine(text, "x.yaml", "x");
}

// A file as users have them, and what it says in today's words.
const char* const older = R"(name: A
node: {clock: 2 GHz, processors: 4}
compute: {gups: {update: 12 ns, route: {per_update: 5 ns, per_packet: 400 ns}}}
messaging:
  mpi:
    send: {per_message: 700 cycles, per_byte: {value: 0.5 ns/B, low: 0.4 ns/B, high: 0.6 ns/B, source: own, note: a}}
    receive: {per_message: 350 ns}
    other: {per_message: 10 ns}
    framing: {header: 48 B, granule: 32 B, packet: 256 B}
  raw: {send: {per_message: 20 ns}, receive: {per_message: 30 ns}}
host_interface: {bandwidth: 25 GB/s, latency: 250 ns}
network: {link: {bandwidth: 200 Gbit/s, latency: 130 ns, framing: {header: 8 B}}, topology: torus 8x8x8}
)";

const char* const newer = R"(name: A
node: {clock: 2 GHz, processors: 4}
compute: {gups: {update: 12 ns, route: {per_update: 5 ns, per_packet: 400 ns}}}
host_interface: {bandwidth: 25 GB/s, latency: 250 ns}
network: {link: {bandwidth: 200 Gbit/s, latency: 130 ns, framing: {header: 8 B}}, topology: torus 8x8x8}
paths:
  mpi:
    send:
      overhead: 700 cycles
      per_byte: {value: 0.5 ns/B, low: 0.4 ns/B, high: 0.6 ns/B, source: own, note: a}
      spared: {value: 16 B, source: "derived: what the smallest packet has room for"}
    other: {overhead: 10 ns}
    host_interface: {}
    link: {framing: {header: 48 B, granule: 32 B, packet: 256 B}}
    receive: {overhead: 350 ns}
  raw:
    send: {overhead: 20 ns}
    host_interface: {}
    link: {}
    receive: {overhead: 30 ns}
protocols: {mpi: {mpi: 1}, raw: {raw: 1}}
)";

// What calibrate writes beside the models, its lines in a map as they were.
const char* const older_residuals = R"(name: A
residuals:
  sweep3d:
    scales: "0.5 2.25"
    mean: 0.125
    spread: 0.25
    noise: 0.01
    quantile: 2
    states: {1: "-16.75 -4.5", 2: "-15.25 -4.5"}
    points: {1: "1 2 0.125", 2: "3 4 -0.25"}
)";

// In the order of sections that files have.
std::string written(const Machine& machine) {
    return write_machine(parse_older(write_machine(machine)));
}

}  // namespace

TEST_CASE("points and states are a line each, and were entries of a map") {
    const Machine machine = parse_older(older_residuals);
    REQUIRE(machine.residuals.size() == 1);
    const MeasuredResiduals& measured = machine.residuals[0].measured();
    CHECK(measured.states == std::vector<std::vector<double>>{{-16.75, -4.5}, {-15.25, -4.5}});
    REQUIRE(measured.points.size() == 2);
    CHECK(measured.points[1].at == std::vector<double>{3, 4});
    CHECK(measured.points[1].residual == -0.25);
    const std::string text = write_machine(machine);
    CHECK(text.find("    states: |\n      -16.75 -4.5\n      -15.25 -4.5\n") != std::string::npos);
    CHECK(text.find("    points: |\n      1 2 0.125\n      3 4 -0.25\n") != std::string::npos);
    CHECK(parse_older(text) == machine);
    CHECK(measured.shared_spread == 0);
    Machine shared = machine;
    MeasuredResiduals with_shared = measured;
    with_shared.shared_spread = 0.375;
    shared.residuals = {ResidualSurface(with_shared)};
    CHECK(parse_older(write_machine(shared)) == shared);
    CHECK_FALSE(parse_older(write_machine(shared)) == machine);
    CHECK(machine_error("residuals:\n  sweep3d:\n    points: |\n      1 2 0.5\n      3 x 0.5\n") ==
          "x.yaml:5:1: 'x' is not a number: calibrate wrote numbers here\n      3 x 0.5\n^");
    CHECK(machine_error("residuals:\n  sweep3d:\n    scales: \" \"\n").find("a line of 'scales' has no numbers") !=
          std::string::npos);
}

TEST_CASE("a layer of an older file becomes a path and a protocol of its name") {
    const Machine read = parse_older(older);
    CHECK_FALSE(has(read, "messaging"));
    const Machine expected = parse_older(newer);
    for (const Parameter& parameter : expected.parameters) {
        INFO(parameter.path);
        REQUIRE(find(read, parameter.path) != nullptr);
        CHECK(*find(read, parameter.path) == parameter);
    }
    CHECK(read.parameters.size() == expected.parameters.size());
    for (const char* protocol : {"mpi", "raw"}) {
        const Path path = message_path(read, protocol, bytes(64));
        const Path same = message_path(expected, protocol, bytes(64));
        REQUIRE(path.stages.size() == same.stages.size());
        for (std::size_t i = 0; i < path.stages.size(); ++i) CHECK(path.stages[i].server == same.stages[i].server);
    }
}

TEST_CASE("an older file and the same in today's words predict alike") {
    const Machine old = parse_older(older);
    const Machine now = parse_older(newer);
    for (const GupsCode variant : gups_variants(now)) {
        GupsQuery query{.variant = variant, .nodes = 64};
        CHECK(predict_gups(old, query).rate == predict_gups(now, query).rate);
    }
    CHECK(gups_variants(old) == gups_variants(now));
    for (const char* protocol : {"mpi", "raw"}) {
        MessageQuery query{.protocol = protocol, .payload = bytes(2400), .nodes = 64};
        CHECK(predict_ping_pong(old, query).time == predict_ping_pong(now, query).time);
        CHECK(predict_collective(old, "allreduce", query).time == predict_collective(now, "allreduce", query).time);
    }
}

TEST_CASE("an older file is written in today's words, which read back the same") {
    const std::string text = write_machine(parse_older(older));
    CHECK(text.find("messaging") == std::string::npos);
    CHECK(written(parse_older(older)) == written(parse_older(text)));
}

TEST_CASE("beside protocols gups goes by the first layer, messages by the first protocol") {
    const std::string paths = "paths: {wire: {send: {overhead: 1 ns}, link: {}, receive: {overhead: 1 ns}}}\n";
    const Machine both = parse_older(older + paths + "protocols: {eager: {wire: 1}}\n");
    CHECK(text_at(both, "compute.gups.protocol") == "mpi");
    CHECK(message_protocols(both) == std::vector<std::string>{"eager", "mpi", "raw"});
    GupsQuery query{.variant = GupsCode::naive, .nodes = 64};
    CHECK(predict_gups(both, query).rate == predict_gups(parse_older(older), query).rate);
    // A protocol of the layer's name has said it already; a path of its name is somebody else's.
    CHECK(message_protocols(parse_older(older + paths + "protocols: {mpi: {wire: 1}}\n")) ==
          std::vector<std::string>{"mpi", "raw"});
    const Machine taken = parse_older(std::string(older) +
                                      "paths: {mpi: {send: {overhead: 1 ns}, link: {}}}\n"
                                      "protocols: {eager: {mpi: 1}}\n");
    CHECK(message_path(taken, "eager", bytes(8)).stages.front().overhead == seconds(1e-9));
    CHECK(message_path(taken, "mpi", bytes(8)).stages.front().overhead ==
          time_at(taken, "paths.mpi-layer.send.overhead"));
}

TEST_CASE("a level with costs goes by a path of its own, the last one through the gateways") {
    const std::string compute = "name: A\nnode: {clock: 2 GHz}\ncompute: {sweep3d: {grind: 40 ns}}\n";
    const Machine old = parse_older(compute + R"(levels:
  near: {ranks: 8, bandwidth: 25 GB/s, request: 100 cycles, send: 0.53 us, copy: 0.1 ns/B}
  far: {send: 1 us, receive: {value: 2 us, low: 1 us, high: 3 us}, latency: 6 us, request: 6 us, bandwidth: 667 MB/s}
gateways: {ranks: 8, service: 30 us, wire: 3 us}
)");
    const Machine now = parse_older(compute + R"(levels:
  near: {ranks: 8, protocol: level-near}
  far: {protocol: level-far}
gateways: {ranks: 8}
paths:
  level-near:
    request: {latency: 100 cycles}
    send: {overhead: 0.53 us, per_byte: 0.1 ns/B}
    flight: {bandwidth: 25 GB/s}
  level-far:
    request: {latency: 6 us}
    send: {overhead: 1 us}
    gateway: {overhead: 30 us, times: 2}
    flight: {latency: 6 us, bandwidth: 667 MB/s}
    link: {latency: 3 us, per_byte: 0 ns/B}
    receive: {overhead: {value: 2 us, low: 1 us, high: 3 us}}
protocols: {level-near: {level-near: 1}, level-far: {level-far: 1}}
)");
    for (const Parameter& parameter : now.parameters) {
        INFO(parameter.path);
        REQUIRE(find(old, parameter.path) != nullptr);
        CHECK(*find(old, parameter.path) == parameter);
    }
    CHECK(old.parameters.size() == now.parameters.size());
    SweepQuery query;
    query.grid = {8, 4};
    const TimePrediction before = predict_sweep3d(old, query);
    const TimePrediction after = predict_sweep3d(now, query);
    CHECK(before.time == after.time);
    CHECK(before.low == after.low);
    CHECK(before.high == after.high);
    const Wavefront wavefront = sweep_wavefront(old, query);
    CHECK(wavefront.gateways.service == seconds(30e-6));
    CHECK(wavefront.gateways.wire.si() == Approx(3e-6));
    const HopCost far = wavefront.hop(SweepAxis::i, 1, 1);
    CHECK(far.synchronous);
    CHECK(far.latency == seconds(6e-6));
    CHECK(far.receive.si() == Approx(2e-6));
    CHECK_FALSE(has(old, "compute.gups.protocol"));
}

TEST_CASE("LogGP's parameters are left out, and a gateway that was measured is a path of its own") {
    const Machine machine = parse_older(
        "name: A\nmessaging:\n  rpc:\n    loggp: {latency: 30 ns, send: 20 ns, gap_per_byte: 0.1 ns/B}\n"
        "    gateway: {value: 354 ns, low: 337 ns, high: 375 ns}\n");
    REQUIRE(machine.parameters.size() == 1);
    CHECK(machine.parameters.front().path == "paths.rpc-gateway.gateway.overhead");
    CHECK(machine.parameters.front().interval.has_value());
}

TEST_CASE("a level names a protocol that there is") {
    const std::string level = "name: A\nlevels:\n  all: {protocol: mpl}\n";
    CHECK(machine_error(level + "protocols: {mpi: {mpi: 1}}\n") ==
          "x.yaml:3:19: there is no protocol 'mpl', did you mean 'mpi'?\n  all: {protocol: mpl}\n                  ^");
    CHECK(machine_error(level).starts_with("x.yaml:3:19: there is no protocol 'mpl': add it to 'protocols'"));
}

TEST_CASE("barrier and alignment of a layer for puts are gups' and the host interface's") {
    const Machine machine = parse_older(
        "name: A\nmessaging: {shmem: {send: {per_message: 25 ns}, alignment: 8 B, barrier: 2 us}}\n"
        "host_interface: {bandwidth: 2 GB/s, framing: {header: 16 B}}\n");
    CHECK(time_at(machine, "compute.gups.barrier") == seconds(2e-6));
    CHECK(data_at(machine, "host_interface.alignment") == bytes(8));
    CHECK(time_at(machine, "paths.shmem.send.overhead") == seconds(25e-9));
}

}  // namespace narrows
