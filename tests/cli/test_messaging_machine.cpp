#include <catch2/catch.hpp>

#include "calibrate/messaging/buffered_memory.hpp"
#include "calibrate/messaging/matched_messages.hpp"
#include "calibrate/study/messaging_machine.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "model/messages/workload.hpp"
#include "model/path/protocol.hpp"
#include "run_narrows.hpp"

using namespace narrows;
using Catch::Matchers::WithinRel;

TEST_CASE("the papers' machines change protocol at the sizes at which the running protocols do") {
    CHECK(data_at(load_machine("cell-blade"), "reach.buffered.synchronous") == bytes(most_buffered_bytes));
    CHECK(data_at(load_machine("bluegene-p"), "reach.mpi.mpi-rendezvous") == bytes(eager_bytes));
}

TEST_CASE("messaging machine: a curve's segments become protocols whose times are the curve's, through a file") {
    MessageCurve curve;
    curve.segments = {{8, 2048, {1e-7, 9e-8, 1.1e-7}, {1e-10, 9e-11, 1.1e-10}},
                      {4096, 1 << 20, {0, 0, 0}, {2e-10, -1, 1}},
                      {2 << 20, 4 << 20, {-3e-4, -3.5e-4, -2e-4}, {4e-10, 3e-10, 5e-10}}};
    const Machine machine = messaging_machine("buffered", curve, "ping-pong");
    const Machine back = parse_machine(write_machine(machine), "here.yaml", "buffered");
    CHECK(back.parameters == machine.parameters);
    const auto time = [&back](const char* name, double size) {
        return protocol_time(read_protocol(back, name), bytes(size)).total.si();
    };
    CHECK_THAT(time("buffered", 64), WithinRel(curve.at(64), 1e-12));
    CHECK_THAT(time("buffered-from-4096", 65536), WithinRel(curve.at(65536), 1e-12));
    CHECK(find(back, "paths.buffered.message.overhead")->interval.has_value());
    for (const double size : {8.0, 2048.0, 2896.0, 2897.0, 4096.0, 1e6, 2.5e6}) {  // the middle of the gap: 2896.3
        CHECK_THAT(protocol_time(read_protocol_for(back, "buffered", bytes(size)), bytes(size)).total.si(),
                   WithinRel(curve.at(size), 1e-12));
    }
    CHECK(data_at(back, "reach.buffered.buffered-from-4096") == bytes(2896));
    // Bytes that may take no time have no bandwidth, but a time with both ends.
    CHECK(find(back, "paths.buffered-from-4096.message.bandwidth") == nullptr);
    CHECK(find(back, "paths.buffered-from-4096.message.per_byte")->interval == Interval{0, 1});
    // A line that begins below zero is bytes that take no time.
    CHECK(find(back, "paths.buffered-from-2097152.message.overhead") == nullptr);
    const Parameter* spared = find(back, "paths.buffered-from-2097152.message.spared");
    REQUIRE(spared != nullptr);
    CHECK_THAT(spared->measure.value, WithinRel(750e3, 1e-12));
    REQUIRE(spared->interval.has_value());
    CHECK_THAT(spared->interval->low, WithinRel(500e3, 1e-12));
    CHECK_THAT(spared->interval->high, WithinRel(875e3, 1e-12));
}

TEST_CASE("messaging machine: what is farther apart is a protocol of its own") {
    FittedMessages near;
    near.way.protocol = Protocol::buffered;
    near.curve.segments = {{8, 65536, {1e-7, 9e-8, 1.1e-7}, {1e-10, 9e-11, 1.1e-10}}};
    FittedMessages far = near;
    far.way.distance = "machine";
    far.curve.segments.front().per_message = {4e-7, 3e-7, 5e-7};
    Machine machine;
    machine.id = machine.name = "here";
    machine.source = "calibrated";
    add_messaging(machine, {near, far});
    const Machine back = parse_machine(write_machine(machine), "here.yaml", "here");
    CHECK_THAT(protocol_time(read_protocol(back, "buffered"), bytes(0)).total.si(), WithinRel(1e-7, 1e-9));
    CHECK_THAT(protocol_time(read_protocol(back, "buffered-machine"), bytes(0)).total.si(), WithinRel(4e-7, 1e-9));
    CHECK(find(back, "paths.buffered-machine.message.overhead")->source ==
          "calibrated: ping-pong by buffered over shared of 2 ranks on cores of one machine of 8 to 65536 B");
}

TEST_CASE("messaging machine: with its calls a message is these and a flight that takes as long together") {
    FittedMessages fitted;
    fitted.way.protocol = Protocol::buffered;
    fitted.curve.segments = {{8, 2048, {3e-7, 2.9e-7, 3.1e-7}, {1e-10, 9e-11, 1.1e-10}},
                             {4096, 1 << 20, {5e-8, 4e-8, 6e-8}, {2e-10, 1e-10, 3e-10}}};
    fitted.calls = CallTimes{{1.2e-7, 1e-7, 1.3e-7}, {8e-8, 7e-8, 9e-8}};
    Machine machine;
    machine.id = machine.name = "here";
    machine.source = "calibrated";
    add_messaging(machine, {fitted});
    const Machine back = parse_machine(write_machine(machine), "here.yaml", "here");
    for (const double size : {8.0, 2048.0, 65536.0}) {
        CHECK_THAT(protocol_time(read_protocol_for(back, "buffered", bytes(size)), bytes(size)).total.si(),
                   WithinRel(fitted.curve.at(size), 1e-9));
    }
    CHECK_THAT(time_at(back, "paths.buffered.core.latency").si(), WithinRel(1e-7, 1e-9));
    CHECK(find(back, "paths.buffered-from-4096.core.latency") == nullptr);  // its ends alone would take longer
    // Three neighbours: both calls and the bytes of each, and one flight.
    MessageQuery query{.protocol = "buffered", .payload = bytes(1000), .neighbours = 3};
    CHECK_THAT(predict_halo_exchange(back, query).time.si(), WithinRel(1e-7 + 3 * (2e-7 + 1e-7), 1e-9));
    query.neighbours = 1;
    CHECK_THAT(predict_halo_exchange(back, query).time.si(), WithinRel(fitted.curve.at(1000), 1e-9));
}

TEST_CASE("messaging machine: the clock is in front, and a gateway has its service") {
    FittedMessages fitted;
    fitted.way.protocol = Protocol::command_queue;
    fitted.curve.segments = {{8, 65536, {1e-7, 9e-8, 1.1e-7}, {1e-10, 9e-11, 1.1e-10}}};
    Machine machine;
    machine.id = machine.name = "here";
    machine.source = "calibrated";
    add_clock(machine, {2e9, 1.9e9, 2.1e9, 100});
    FittedMessages received = fitted;
    received.way.protocol = Protocol::receiver_initiated;
    add_messaging(machine, {received, fitted});
    add_gateway(machine, {5e-7, 4e-7, 6e-7});
    const Machine back = parse_machine(write_machine(machine), "here.yaml", "here");
    CHECK(back.parameters == machine.parameters);
    CHECK(find(back, "node.clock")->interval == Interval{1.9e9, 2.1e9});
    CHECK_THAT(time_at(back, "paths.receiver-initiated-gateway.gateway.overhead").si(), WithinRel(5e-7, 1e-12));
}

TEST_CASE("run ping-pong -o FILE.yaml writes a machine file that predict reads") {
    const ScratchDirectory folder;
    const Ran ran = run_narrows("run ping-pong --protocol buffered --bytes 8..1KiB --repeats 2 -o here.yaml");
    REQUIRE(ran.exit == 0);
    CHECK_THAT(ran.out, Catch::Contains("half trip ns"));
    const Ran again =
        run_narrows("run ping-pong --protocol buffered --bytes 8,64 --repeats 2 --format json -o json.yaml");
    CHECK(nlohmann::json::parse(again.out)["points"].size() == 2);
    CHECK(refusal_of("run ping-pong --protocol buffered --bytes 8 --repeats 2 -o one.yaml") ==
          "narrows: -o one.yaml: one size does not tell the time of a byte: give --bytes two or more\n");
    CHECK(run_narrows("predict ping-pong -m here.yaml --bytes 64").exit == 0);
    CHECK(refusal_of("run stream --bytes 8 -o here.yaml") ==
          "narrows: -o here.yaml: run ping-pong writes a machine file, run stream does not\n");
}
