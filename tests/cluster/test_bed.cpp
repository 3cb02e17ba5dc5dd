#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "cli/processor_costs.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "model/gups/workload.hpp"
#include "tests/cluster/batches.hpp"
#include "tests/cluster/bed_machine.hpp"
#include "tests/cluster/core_use.hpp"
#include "tests/cluster/job.hpp"
#include "topologies/input_error.hpp"

namespace narrows::cluster {
namespace {

/// A file of this test's own.
struct ScratchFile {
    std::string name = std::filesystem::temp_directory_path() / fmt::format("narrows-tables-{}", getpid());
    ~ScratchFile() { std::filesystem::remove(name); }
};

Bed line_of_three() {
    BedWords words;
    words.network.network = "mesh 3";
    words.name = "here";
    return plan_bed(words);
}

}  // namespace

TEST_CASE("test-bed: what ip and tc are told of a line of three hosts") {
    const Bed bed = line_of_three();
    CHECK(namespaces_batch(bed) == "netns add narrows-here.h0\nnetns add narrows-here.h1\nnetns add narrows-here.h2\n");
    CHECK(links_batch(bed) ==
          "link add e0 netns narrows-here.h0 address 02:6e:77:00:00:00 numtxqueues 1 numrxqueues 1 type veth "
          "peer name e0 netns narrows-here.h1 address 02:6e:77:00:00:00 numtxqueues 1 numrxqueues 1\n"
          "link add e1 netns narrows-here.h1 address 02:6e:77:00:00:01 numtxqueues 1 numrxqueues 1 type veth "
          "peer name e1 netns narrows-here.h2 address 02:6e:77:00:00:01 numtxqueues 1 numrxqueues 1\n");
    CHECK(vertex_batch(bed, 1) ==
          "link set lo up\n"
          "link set dev e0 arp off gso_max_segs 1 up\n"
          "neigh add 169.254.0.1 lladdr 02:6e:77:00:00:00 dev e0 nud permanent\n"
          "link set dev e1 arp off gso_max_segs 1 up\n"
          "neigh add 169.254.0.1 lladdr 02:6e:77:00:00:01 dev e1 nud permanent\n"
          "addr add 10.77.1.2/16 dev e0 noprefixroute\n"
          "route replace 10.77.1.1/32 via 169.254.0.1 dev e0 onlink src 10.77.1.2 rto_min 1s\n"
          "route replace 10.77.1.3/32 via 169.254.0.1 dev e1 onlink src 10.77.1.2 rto_min 1s\n");
    CHECK(rates_batch(bed, 0) == "qdisc add dev e0 root tbf rate 10000000bit burst 24576b limit 8mb\n");
    CHECK(hosts_file(bed) == "127.0.0.1 localhost\n10.77.1.1 h0\n10.77.1.2 h1\n10.77.1.3 h2\n");
}

TEST_CASE("test-bed: rates are written as narrows and as tc write them") {
    BedWords words;
    words.network.network = "mesh 3";
    for (const char* rate : {"2Mbit", "2 Mbit/s", "250 kB/s"}) {
        CAPTURE(rate);
        words.rate = rate;
        CHECK(plan_bed(words).bytes_a_second == Approx(250e3));
    }
    words.rate = "fast";
    CHECK_THROWS_WITH(plan_bed(words), Catch::StartsWith("--rate: "));
}

TEST_CASE("test-bed: what cannot be made is told") {
    BedWords words;
    words.network.network = "torus 64x64";
    CHECK_THROWS_WITH(plan_bed(words), "4096 hosts and switches are too many namespaces: give at most 1024");
    words.network.network = "mesh 3";
    words.name = "a/b";
    CHECK_THROWS_WITH(plan_bed(words), Catch::StartsWith("--name 'a/b': "));
}

TEST_CASE("test-bed: a file changes routes, and what does not come there is told") {
    const ScratchFile file;
    BedWords words;
    words.network.network = "ring 4";
    words.tables = file.name;
    write_whole_file(file.name, "h0 h1 h3  # the long way\nh3 h1 h2\n");
    const Bed bed = plan_bed(words);
    CHECK(route(Adjacency(bed.network()), bed.tables, 0, 1).size() == 3);
    CHECK_THAT(table_lines(bed), Catch::Contains("h0 h1 h3\n"));
    write_whole_file(file.name, "h0 h1 h3\nh3 h1 h0\n");
    CHECK_THROWS_WITH(plan_bed(words), file.name + ": what h0 sends to h1 does not come there");
    write_whole_file(file.name, "\nh0 h1 h2\n");
    CHECK_THROWS_WITH(plan_bed(words), file.name + ":2: no link joins h0 and h2");
}

TEST_CASE("test-bed: addresses of hosts differ and stay in the subnet") {
    CHECK(host_address(0) == "10.77.1.1");
    CHECK(host_address(249) == "10.77.1.250");
    CHECK(host_address(250) == "10.77.2.1");
}

TEST_CASE("test-bed: its machine file can be predicted with") {
    BedWords words;
    words.network.network = "torus 4x4";
    const Bed bed = plan_bed(words);
    const Machine machine = parse_machine(
        machine_file(bed, parse_processor_costs("update=2us,send=30us,receive=50us"), false), "bed.yaml", "bed");
    CHECK(bandwidth_at(machine, "network.link.bandwidth").si() == Approx(1.25e6));
    CHECK(time_at(machine, "compute.gups.update").si() == Approx(2e-6));
    CHECK(time_at(machine, "paths.wire.send.overhead").si() == Approx(30e-6));
    CHECK(time_at(machine, "paths.wire.receive.overhead").si() == Approx(50e-6));
    CHECK_NOTHROW(parse_machine(machine_file(bed, {}, true), "bed.yaml", "bed"));
    CHECK_THROWS_WITH(parse_processor_costs("sent=1us"), Catch::StartsWith("--processor: 'sent=1us'"));
}

TEST_CASE("test-bed: a network's file is predicted as the same network by name") {
    const ScratchFile file{std::filesystem::temp_directory_path() / fmt::format("narrows-{}.edges", getpid())};
    write_whole_file(file.name, "switch s\ns a\ns b\ns c\ns d\n");
    BedWords named, written;
    named.network.network = "star 4";
    written.network.network = file.name;
    const ProcessorCosts costs = parse_processor_costs("update=1us,send=10us,receive=10us");
    GupsQuery query{.nodes = 4, .updates = 1e9};
    const auto rate = [&](const BedWords& words) {
        return predict_gups(bed_machine(plan_bed(words), costs, true), query).rate.si();
    };
    CHECK(rate(written) == Approx(rate(named)));
    written.network.from = "edge-list";
    CHECK_THROWS_WITH(rate(written), Catch::StartsWith("a test-bed made with --from"));
}

TEST_CASE("test-bed: updates are as many as make each rank send so many bytes") {
    BedWords words;
    words.network.network = "ring 4";
    const Bed bed = plan_bed(words);
    Job job;
    job.ranks = 4;
    job.bytes = "6 KB";
    job.command = {"--updates={updates}", "{bytes}"};
    CHECK(rank_words(bed, job, 1) == std::vector<std::string>{"--updates=4000", "6 KB"});  // 1000 each, 750 sent
}

TEST_CASE("test-bed: cores that others use, or that have nothing left, are no evidence") {
    CHECK(verdict({0.01, 0.5}) == "quiet");
    CHECK(verdict({0.2, 0.5}) == "busy");
    CHECK(verdict({0.01, 0.02}) == "saturated");
}

}  // namespace narrows::cluster
