#include "model/path/protocol.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "../predictions.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "model/path/exchange.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

const char* const small_machine_text = R"(name: Small
node: {clock: 1 GHz, memory: {bandwidth: 10 GB/s, latency: 100 cycles}, links: {bus: {bandwidth: 5 GB/s, latency: 3 ns}}}
network: {link: {bandwidth: 1 GB/s, framing: {header: 10 B, code: 2}}, router: {latency: 50 ns}}
host_interface: {bandwidth: 2 GB/s, latency: 20 ns}
paths:
  out: {memory: {times: 2}, bus: {bandwidth: 4 GB/s}, host_interface: {overhead: 10 cycles}}
  over: {router: {times: 3}, link: {times: 1}}
  flag: {link: {carries: 6 B, latency: 1 us, framing: {header: 4 B}}}
protocols:
  put: {out: 1, over: 1, flag: 2}
  flagged: {flag: 1}
  near: {over: 1}
reach:
  put: {flagged: 64 KiB, near: 1 KB}
)";

Machine small() {
    return parse_machine(small_machine_text, "small.yaml", "small");
}

Time time_of(const char* machine, const char* protocol, double size) {
    return protocol_time(read_protocol(load_machine(machine), protocol), bytes(size)).total;
}

}  // namespace

TEST_CASE("a stage takes what it leaves out from the machine's place of its name") {
    const PathProtocol put = read_protocol(small(), "put");
    REQUIRE(put.passages.size() == 3);
    const Path& out = put.passages[0].path;
    REQUIRE(out.stages.size() == 3);
    CHECK(out.stages[0].server == "memory");
    CHECK(out.stages[0].bandwidth == Bandwidth(10e9));
    CHECK(out.stages[0].latency.si() == Approx(100e-9));
    CHECK(out.stages[0].times == 2);
    CHECK(out.stages[1].bandwidth == Bandwidth(4e9));
    CHECK(out.stages[1].latency.si() == Approx(3e-9));
    CHECK(out.stages[2].overhead.si() == Approx(10e-9));
    CHECK(out.stages[2].latency.si() == Approx(20e-9));
    const Path& over = put.passages[1].path;
    CHECK(over.stages[0].latency.si() == Approx(50e-9));
    CHECK(over.stages[0].bandwidth == Bandwidth());
    CHECK(over.stages[1].framing.header == bytes(10));
    CHECK(over.stages[1].framing.code == 2);
    const Path& flag = put.passages[2].path;
    CHECK(flag.stages[0].framing.header == bytes(4));
    CHECK(flag.stages[0].framing.code == 1);
    CHECK(flag.stages[0].carries == bytes(6));
    CHECK(flag.stages[0].bandwidth == Bandwidth(1e9));
}

TEST_CASE("a stage of the far end has what the machine says of its server, and memory its controllers") {
    const Machine machine = parse_machine(R"(name: Ends
node: {memory: {bandwidth: 10 GB/s, controllers: 4}, links: {bus: {bandwidth: 5 GB/s, total: 20 GB/s}}}
network: {link: {bandwidth: 1 GB/s, framing: {header: 10 B}}}
host_interface: {bandwidth: 2 GB/s}
network_interface: {bandwidth: 1 GB/s, count: 2, message_rate: 1 M/s}
paths:
  way: {send: {overhead: 1 us}, memory: {}, bus: {}, host_interface: {}, driver: {overhead: 2 us}, network_interface: {},
        link: {}, far-network_interface: {}, far-host_interface: {}, far-bus: {}, receive: {overhead: 4 us}}
protocols: {mpi: {way: 1}}
)",
                                          "ends.yaml", "ends");
    const Path way = message_path(machine, "mpi", bytes(1000));
    REQUIRE(way.stages.size() == 11);  // none is passed again behind the link
    for (const char* both : {"bus", "network_interface", "host_interface"}) {
        const Stage* near = way.stage_of(both);
        const Stage* far = way.stage_of(std::string("far-") + both);
        CHECK(near->servers == far->servers);
        CHECK(near->fair == far->fair);
        CHECK(near->at_least == far->at_least);
        CHECK(service_time(*near, bytes(1000)) == service_time(*far, bytes(1000)));
    }
    CHECK(way.stage_of("bus")->servers == 4);
    CHECK(way.stage_of("network_interface")->servers == 2);
    CHECK(way.stage_of("memory")->servers == 4);
    const EndTimes ends = end_times(way, bytes(1000));
    CHECK(ends.send.si() == Approx(3e-6));  // what a processor does before the link
    CHECK(ends.receive.si() == Approx(4e-6));
    CHECK(end_times(inside_node(way), bytes(1000)).send == ends.send);
    CHECK(end_times(inside_node(way), bytes(1000)).receive == ends.receive);
}

TEST_CASE("transfers that share a total slow alike, whether it is a whole number of them or not") {
    const auto time = [](const char* bandwidth) {
        const Machine machine = parse_machine(fmt::format(R"(name: Bus
node: {{links: {{bus: {{bandwidth: {}, total: 90 GB/s}}}}}}
paths: {{way: {{bus: {{}}}}}}
protocols: {{mpi: {{way: 1}}}}
)",
                                                          bandwidth),
                                              "bus.yaml", "bus");
        Crowd crowd;
        crowd.node = 12;
        return Exchange(message_path(machine, "mpi", bytes(9e6)), bytes(9e6)).time(crowd).total.si();
    };
    for (const char* bandwidth : {"22.5 GB/s", "29.9 GB/s", "30 GB/s", "30.1 GB/s", "45 GB/s"}) {
        CHECK(time(bandwidth) == Approx(12 * 9e6 / 90e9));
    }
}

TEST_CASE("a protocol's time is that of its passages, a term each") {
    const PathProtocol put = read_protocol(small(), "put");
    const Breakdown time = protocol_time(put, bytes(1000));
    REQUIRE(time.terms.size() == 3);
    const double out = 2 * (100 + 100) + (250 + 3) + (10 + 500 + 20);
    const double over = 3 * 50 + 2 * 1010;
    const double flag = 10 + 1000;
    CHECK(time.terms[0].name == "out");
    CHECK(time.terms[0].time.si() == Approx(out * nano));
    CHECK(time.terms[1].time.si() == Approx(over * nano));
    CHECK(time.terms[2].time.si() == Approx(2 * flag * nano));
    CHECK(time.total.si() == Approx((out + over + 2 * flag) * nano));
    const Path whole = whole_path(put);
    CHECK(whole.stages.size() == 3 + 2 + 2);
    CHECK(path_time(whole, bytes(1000)).total.si() == Approx(time.total.si()));
}

TEST_CASE("a missing protocol is named, with what there is") {
    CHECK_THROWS_WITH(read_protocol(small(), "putt"),
                      "machine 'small' has no protocol 'putt', did you mean 'put'? (it has: put, flagged, near)");
    CHECK_THROWS_WITH(read_protocol(load_machine("bluegene-l"), "eager"),
                      "machine 'bluegene-l' has no protocol 'eager' (it has: mpi, raw)");
    CHECK_THROWS_WITH(read_protocol(Machine(), "eager"),
                      "machine '' has no protocol 'eager': add 'protocols.eager' to its file");
}

TEST_CASE("what a machine file says of a stage can be changed, and added where the machine has the stage") {
    const Time before = protocol_time(read_protocol(small(), "put"), bytes(1000)).total;
    const auto after = [&](const char* path, const char* change) {
        return protocol_time(read_protocol(with_change(small(), path, change), "put"), bytes(1000)).total;
    };
    CHECK((after("paths.flag.link.latency", "2x") - before).si() == Approx(2e-6));
    CHECK((after("paths.over.link.latency", "7 ns") - before).si() == Approx(7e-9));
    CHECK((after("protocols.put.flag", "1") - before).si() == Approx(-1.01e-6));
    for (const char* path : {"paths.over.nowhere.latency", "paths.nowhere.link.latency"}) {
        CHECK_THROWS_AS(with_change(small(), path, "7 ns"), InputError);
    }
    CHECK_THROWS_AS(with_change(small(), "protocols.put.nowhere", "1"), InputError);
}

TEST_CASE("cache lines that wait take the distance of cores each, of a message and of its bytes") {
    std::string text = small_machine_text;
    text.replace(text.find("node: {"), 7, "node: {core_distance: 100 ns, ");
    text.replace(text.find("memory: {times: 2}"), 18, "receive: {lines: 3, lines_per_byte: 0.01, per_byte: 2 ns/B}");
    const Machine machine = parse_machine(text, "small.yaml", "small");
    const auto receive = [](const Machine& of) { return read_protocol(of, "put").passages[0].path.stages[0]; };
    CHECK(receive(machine).overhead.si() == Approx(300e-9));
    CHECK((1 / receive(machine).bandwidth).si() == Approx(3e-9));
    const Stage far = receive(with_change(machine, "node.core_distance", "200 ns"));
    CHECK(far.overhead.si() == Approx(600e-9));
    CHECK((1 / far.bandwidth).si() == Approx(4e-9));
    const Stage alone = receive(with_change(machine, "paths.out.receive.per_byte", "0 ns/B"));
    CHECK((1 / alone.bandwidth).si() == Approx(1e-9));
    CHECK((1 / receive(with_change(machine, "paths.out.receive.lines_per_byte", "0")).bandwidth).si() == Approx(2e-9));
}

TEST_CASE("a protocol reaches to a size, and the largest size below the message's says what goes on") {
    const Machine machine = small();
    const auto reached = [&machine](const char* name, double size) {
        return read_protocol_for(machine, name, bytes(size)).name;
    };
    CHECK(reached("put", 0) == "put");
    CHECK(reached("put", 1000) == "put");
    CHECK(reached("put", 1001) == "near");
    CHECK(reached("put", 65536) == "near");
    CHECK(reached("put", 65537) == "flagged");
    CHECK(reached("flagged", 1e9) == "flagged");
    CHECK_THROWS_WITH(reached("pot", 8), Catch::Contains("did you mean 'put'?"));
}

TEST_CASE("a machine of the papers switches where they say: kumar2007 above 2 KiB, kumar2008 above 1 KiB") {
    CHECK(read_protocol_for(load_machine("cell-blade"), "buffered", bytes(2048)).name == "buffered");
    CHECK(read_protocol_for(load_machine("cell-blade"), "buffered", bytes(2049)).name == "synchronous");
    CHECK(read_protocol_for(load_machine("bluegene-p"), "mpi", bytes(1024)).name == "mpi");
    CHECK(read_protocol_for(load_machine("bluegene-p"), "mpi", bytes(1025)).name == "mpi-rendezvous");
    CHECK(time_of("bluegene-p", "mpi", 1024) == time_of("bluegene-p", "mpi-eager", 1024));
    CHECK(read_protocol_for(load_machine("bluegene-p"), "quad", bytes(512 * 4)).name == "quad");
    CHECK(read_protocol_for(load_machine("bluegene-p"), "quad", bytes(513 * 4)).name == "quad-ring");
}

TEST_CASE("every path and protocol of a shipped machine can be read and takes time that grows") {
    int protocols = 0;
    for (const std::string& id : machine_ids()) {
        const Machine machine = load_machine(id);
        for (const std::string& name : names_below(machine, "protocols")) {
            INFO(id << " " << name);
            const PathProtocol protocol = read_protocol(machine, name);
            const Time empty = protocol_time(protocol, bytes(0)).total;
            CHECK(empty > seconds(0));
            CHECK(protocol_time(protocol, bytes(1e6)).total > empty);
            ++protocols;
        }
    }
    CHECK(protocols == 2 + 2 + 15 + 6 + 2 + 1 + 2 + 2);
}

TEST_CASE("kumar2007: five DMAs of a small message, at most 6.01 GB/s of a large one") {
    CHECK(time_of("cell-blade", "buffered", 0).si() == Approx(0.41 * micro).epsilon(0.002));
    const double large = 16 << 20;
    CHECK(large / time_of("cell-blade", "synchronous", large).si() == Approx(6.01e9).epsilon(0.001));
    const Path buffered = whole_path(read_protocol(load_machine("cell-blade"), "buffered"));
    const Path synchronous = whole_path(read_protocol(load_machine("cell-blade"), "synchronous"));
    CHECK(message_rate(synchronous, bytes(large)) / message_rate(buffered, bytes(large)) == Approx(2));
}

TEST_CASE("kumar2008: rows of Table 1 that no part is derived from are within 6 %") {
    CHECK(time_of("bluegene-p", "put", 0).si() == Approx(1.2 * micro));
    CHECK(time_of("bluegene-p", "get", 0).si() == Approx(2.0 * micro));
    CHECK(time_of("bluegene-p", "mpi-rendezvous", 0).si() == Approx(6.5 * micro).epsilon(0.06));
    CHECK(time_of("bluegene-p", "mpi-get", 0).si() == Approx(3.5 * micro).epsilon(0.06));
}

TEST_CASE("kumar2008: eager stops growing at three links, rendezvous does not") {
    const Machine machine = load_machine("bluegene-p");
    const auto rate = [&](const char* protocol, double links) {
        const Path path = with_flows(whole_path(read_protocol(machine, protocol)), "receiver", links);
        return links * (bytes(1e7) * message_rate(path, bytes(1e7))).si();
    };
    CHECK(rate("mpi-eager", 2) == Approx(2 * 374e6).epsilon(0.001));
    CHECK(rate("mpi-eager", 3) == Approx(3 * 374e6).epsilon(0.001));
    CHECK(rate("mpi-eager", 6) == Approx(3 * 374e6).epsilon(0.001));
    CHECK(rate("mpi-rendezvous", 6) == Approx(6 * 374e6).epsilon(0.001));
}

TEST_CASE("pakin2009: 11.77 us between blades, and legs that add") {
    CHECK(time_of("roadrunner", "between-nodes", 0).si() == Approx(11.77 * micro));
    CHECK(time_of("roadrunner", "between-nodes", 2400).si() == Approx(11.77 * micro + 3 * 2400 / 2e9));
    CHECK(time_of("roadrunner", "same-cell", 0) < time_of("roadrunner", "same-blade", 0));
    const Path path = whole_path(read_protocol(load_machine("roadrunner"), "between-nodes"));
    const Data large = bytes(128 * 1024);
    CHECK(pipelined_time(path, large, bytes(16384)).total < path_time(path, large).total * 0.6);
    CHECK(pipelined_time(path, bytes(2400), bytes(1200)).total > path_time(path, bytes(2400)).total);
}

TEST_CASE("underwood2008: the stages of a put, and a 25 ns host interface within 5 % of 300 ns") {
    const Machine machine = load_machine("xt3-pgas-nic");
    const double host = 27 / 2.3 + 250;
    const double link = 36 * 72.0 / 64 * 21 / 16 / 4.8;
    CHECK(protocol_time(read_protocol(machine, "put"), bytes(8)).total.si() ==
          Approx((25 + 1 + 2 * host + 100 + link + 75 + 8 / 6.4) * nano));
    const Machine coherent = with_change(machine, "host_interface.latency", "25 ns");
    CHECK(protocol_time(read_protocol(coherent, "put"), bytes(8)).total.si() == Approx(300 * nano).epsilon(0.05));
}

TEST_CASE("protocols found beforehand: every path has the costs of the machine that is asked") {
    for (const std::string& id : machine_ids()) {
        Machine machine = with_protocols_found(load_machine(id));
        for (Parameter& parameter : machine.parameters) {
            if (is_cost(parameter)) parameter.measure.value *= 1.5;
        }
        Machine anew = machine;
        anew.protocols = nullptr;
        CHECK(inside_protocols(machine) == inside_protocols(anew));
        for (const std::string& protocol : protocol_names(machine)) {
            CAPTURE(id, protocol);
            CHECK(is_allreduce(machine, protocol) == is_whole_allreduce(anew, protocol));
            for (const double size : {8.0, 1e3, 1e6}) {
                const Breakdown found = path_time(message_path(machine, protocol, bytes(size)), bytes(size));
                const Breakdown looked_up = path_time(message_path(anew, protocol, bytes(size)), bytes(size));
                CHECK(found.total == looked_up.total);
                CHECK(found.terms.size() == looked_up.terms.size());
            }
        }
    }
    const Machine changed = with_change(with_protocols_found(small()), "paths.out.bus.per_byte", "1 ns/B");
    CHECK(message_path(changed, "put", bytes(8)).stages[1].bandwidth.si() == Approx(1e9));
}

}  // namespace narrows
