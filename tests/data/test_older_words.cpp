#include <catch2/catch.hpp>

#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "data/older_words.hpp"
#include "data/whole_file.hpp"
#include "model/gups/workload.hpp"
#include "model/messages/workload.hpp"
#include "model/path/protocol.hpp"

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

// In the order of sections that files have.
std::string written(const Machine& machine) {
    return write_machine(parse_older(write_machine(machine)));
}

}  // namespace

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
        GupsQuery query;
        query.variant = variant;
        query.nodes = 64;
        CHECK(predict_gups(old, query).rate == predict_gups(now, query).rate);
    }
    CHECK(gups_variants(old) == gups_variants(now));
    for (const char* protocol : {"mpi", "raw"}) {
        MessageQuery query;
        query.nodes = 64;
        query.protocol = protocol;
        query.payload = bytes(2400);
        CHECK(predict_ping_pong(old, query).time == predict_ping_pong(now, query).time);
        CHECK(predict_allreduce(old, query).time == predict_allreduce(now, query).time);
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
    GupsQuery query;
    query.variant = GupsCode::naive;
    query.nodes = 64;
    CHECK(predict_gups(both, query).rate == predict_gups(parse_older(older), query).rate);
    // A protocol of the layer's name has said it already; a path of its name is somebody else's.
    CHECK(message_protocols(parse_older(older + paths + "protocols: {mpi: {wire: 1}}\n")) ==
          std::vector<std::string>{"mpi", "raw"});
    const Machine taken = parse_older(std::string(older) +
                                      "paths: {mpi: {send: {overhead: 1 ns}, link: {}}}\n"
                                      "protocols: {eager: {mpi: 1}}\n");
    CHECK(message_path(taken, "eager", bytes(8)).stages.front().overhead == nanoseconds(1));
    CHECK(message_path(taken, "mpi", bytes(8)).stages.front().overhead ==
          time_at(taken, "paths.mpi-layer.send.overhead"));
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
