#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "data/csv.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "model/schema.hpp"
#include "topologies/topology.hpp"

namespace narrows {
namespace {

CsvTable published_table(const std::string& file) {
    return read_csv(published_directory() / file);
}

double slope(const CsvTable& table, const std::string& column, double longest) {
    double n = 0;
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const double payload = table.number(row, "payload").value();
        const double cost = table.number(row, column).value();
        if (payload > longest) continue;
        n += 1;
        x += payload;
        y += cost;
        xx += payload * payload;
        xy += payload * cost;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace

TEST_CASE("shipped machines read back to the last bit after writing") {
    for (const std::string& id : machine_ids()) {
        INFO(id);
        const Machine machine = load_machine(id);
        CHECK(parse_machine(write_machine(machine), id, id) == machine);
    }
}

TEST_CASE("every value of a shipped machine says where it comes from") {
    for (const std::string& id : machine_ids()) {
        const Machine machine = load_machine(id);
        for (const Parameter& parameter : machine.parameters) {
            INFO(id << " " << parameter.path);
            const std::string& source = parameter.source.empty() ? machine.source : parameter.source;
            const bool assumed = source.starts_with("assumed: ") && source.size() > 15;
            bool published_there = false;
            for (const char* paper : {"garg2006 ", "kumar2007 ", "kumar2008 ", "pakin2009 ", "underwood2008 "}) {
                published_there = published_there || source.find(paper) != std::string::npos;
            }
            CHECK((assumed || published_there));
        }
    }
}

TEST_CASE("the machines of today assume every value with a reason of its own") {
    for (const char* id : {"cluster-400g", "torus-pod"}) {
        for (const Parameter& parameter : load_machine(id).parameters) {
            INFO(id << " " << parameter.path);
            CHECK(parameter.source.starts_with("assumed: "));
        }
    }
    CHECK(parse_topology(text_at(load_machine("cluster-400g"), "network.topology")).nodes() == 65536);
    CHECK(parse_topology(text_at(load_machine("torus-pod"), "network.topology")).nodes() == 4096);
    CHECK(bandwidth_at(load_machine("cluster-400g"), "network.link.bandwidth") == Bandwidth(50e9));
}

TEST_CASE("Blue Gene/L has the partitions of Table 2") {
    const Machine machine = load_machine("bluegene-l");
    const CsvTable table = published_table("garg2006/table2.csv");
    CHECK(names_below(machine, "network.partitions").size() == table.rows.size());
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        CHECK(text_at(machine, "network.partitions." + table.cell(row, "nodes")) ==
              table.cell(row, "kind") + " " + table.cell(row, "shape"));
    }
}

TEST_CASE("Blue Gene/L's message costs are those of Tables 1 and 4") {
    const Machine machine = load_machine("bluegene-l");
    CHECK(names_below(machine, "protocols") == std::vector<std::string>{"mpi", "raw"});
    const CsvTable mpi = published_table("garg2006/table1.csv");
    const CsvTable raw = published_table("garg2006/table4.csv");
    for (const std::string side : {"send", "receive"}) {
        const auto cycles = [&](const std::string& path, const std::string& what) {
            return find(machine, fmt::format("paths.{}.{}.{}", path, side, what))->measure.value;
        };
        CHECK(cycles("mpi", "overhead") == mpi.number(0, side + "_mean"));
        CHECK(cycles("mpi", "per_byte") == Approx(slope(mpi, side + "_mean", 512)).margin(0.0005));
        CHECK(cycles("raw", "overhead") == raw.number(0, side + "_mean"));
    }
    // The printed lines 6 + 0.25 n and 34 + 0.625 n pass through the costs at 32 bytes.
    CHECK(find(machine, "paths.raw.send.per_byte")->measure.value * 32 + 6 == 14);
    CHECK(find(machine, "paths.raw.receive.per_byte")->measure.value * 32 + 34 == 54);
}

TEST_CASE("the XT3 has the link and the interface of the equations") {
    const Machine machine = load_machine("xt3-pgas-nic");
    CHECK(rate_at(machine, "node.clock") == Rate(2e9));
    CHECK(time_at(machine, "paths.issue.processor.overhead").si() == Approx(25e-9));
    CHECK(bandwidth_at(machine, "host_interface.bandwidth") == Bandwidth(2.3e9));
    CHECK(data_at(machine, "host_interface.framing.header") == bytes(16));
    CHECK(number_at(machine, "host_interface.framing.code") == 72.0 / 64);
    CHECK(data_at(machine, "host_interface.queue") == bytes(4096));
    CHECK(data_at(machine, "host_interface.queue_update") == bytes(512));
    CHECK(bandwidth_at(machine, "network.link.bandwidth") == Bandwidth(4.8e9));
    CHECK(data_at(machine, "network.link.framing.header") == bytes(28));
    CHECK(number_at(machine, "network.link.framing.code") == 72.0 / 64 * 21 / 16);
    CHECK(number_at(machine, "network.simulated_router.overhead") == 0.15);
    CHECK(parse_topology(text_at(machine, "network.topology")).nodes() == 32);
    CHECK(names_below(machine, "node.modes") == std::vector<std::string>{"single", "dual", "quad"});
}

TEST_CASE("the Cell blade has its two processors and what the published numbers imply") {
    const Machine machine = load_machine("cell-blade");
    CHECK(number_at(machine, "node.processors") == number_at(machine, "node.cores.SPE.count"));
    CHECK(data_at(machine, "messaging.mpi.record.queue-entry") == bytes(16));
    CHECK(data_at(machine, "reach.buffered.synchronous") == bytes(2048));
    // A DMA of a piece takes what 6.01 GB/s leave for two, less the fifth of 0.41 us that a small one takes.
    const double piece = data_at(machine, "paths.copy-in.memory.piece").si();
    const double overhead = time_at(machine, "paths.copy-in.memory.overhead").si();
    CHECK(overhead == Approx(0.41e-6 / 5));
    CHECK(bandwidth_at(machine, "paths.copy-in.memory.bandwidth").si() ==
          Approx(piece / (piece / 6.01e9 / 2 - overhead)).epsilon(0.001));
}

TEST_CASE("Blue Gene/P has three networks, and parts of latencies that Table 1 gives") {
    const Machine machine = load_machine("bluegene-p");
    CHECK(parse_topology(text_at(machine, "network.topology")).nodes() == 73728);
    CHECK(names_below(machine, "other_networks") == std::vector<std::string>{"collective", "barrier"});
    CHECK(bandwidth_at(machine, "network.link.bandwidth").si() / number_at(machine, "network.link.framing.code") ==
          Approx(374e6));
    const CsvTable table = published_table("kumar2008/table1.csv");
    const auto row = [&table](std::size_t i) { return table.number(i, "latency").value() * 1e-6; };
    const double put = row(5);
    const double get = row(6);
    CHECK(time_at(machine, "paths.start.sender.overhead").si() == Approx(2 * put - get));
    CHECK(time_at(machine, "paths.flight.link.latency").si() == Approx(get - put));
    CHECK(time_at(machine, "paths.dispatch.receiver.overhead").si() == Approx(row(0) - put));
    CHECK(time_at(machine, "paths.mpi.sender.overhead").si() == Approx(row(1) - row(0)));
    CHECK(time_at(machine, "paths.converse.sender.overhead").si() == Approx(row(4) - row(0)));
}

TEST_CASE("Roadrunner has its nodes and cores, and legs that sum to what the text gives") {
    const Machine machine = load_machine("roadrunner");
    CHECK(parse_topology(text_at(machine, "network.topology")).nodes() == 17 * 180L);
    const double cores = number_at(machine, "node.cores.SPE.count") + number_at(machine, "node.cores.PPE.count") +
                         number_at(machine, "node.cores.Opteron.count");
    CHECK(3060 * cores == 122400);
    const double legs = (time_at(machine, "paths.controller-to-host.pcie.overhead") +
                         time_at(machine, "paths.host-to-host.link.overhead") +
                         time_at(machine, "paths.host-to-controller.far-pcie.overhead"))
                            .si();
    CHECK(legs == Approx(9.24e-6));
}

}  // namespace narrows
