#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "calibrate/study/imported_machine.hpp"
#include "cli/import_session.hpp"
#include "data/benchmark_output.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "model/messages/workload.hpp"
#include "run_narrows.hpp"

using namespace narrows;
using Catch::Matchers::WithinRel;

namespace {

// An eager line to 8 KiB, then one of a rendezvous.
double one_way(double bytes) {
    return bytes <= 8192 ? 1.2e-6 + 0.16e-9 * bytes : 3.3e-6 + bytes / 12.1e9;
}

BenchmarkOutput latencies() {
    BenchmarkTable table{"lat.txt", "osu_latency", MessageBenchmark::one_way, 1, {}};
    for (double size = 1; size <= 4 << 20; size *= 2) table.rows.push_back({size, one_way(size)});
    return {"lat.txt", {table}, {}, {}};
}

// Messages a second, and at most 12.3 GB/s.
BenchmarkOutput stream(int pairs, double rate) {
    BenchmarkTable table{"mr.txt", "osu_mbw_mr", MessageBenchmark::stream, pairs, {}};
    for (double size = 1; size <= 4 << 20; size *= 4) table.rows.push_back({size, std::min(rate, 12.3e9 / size)});
    return {"mr.txt", {table}, {}, {}};
}

Machine read_back(const Machine& machine) {
    return parse_machine(write_machine(machine), "x.yaml", "x");
}

double ping_pong(const Machine& machine, double size) {
    MessageQuery query{.protocol = "mpi", .payload = bytes(size)};
    return predict_ping_pong(machine, query).time.si();
}

std::string cluster(const std::string& name) {
    return fmt::format(
        "predict gups -m {}.yaml --variant naive -n 64 --ranks-per-node 16 --network 'fat-tree ports=36 levels=3' "
        "--set network.link.bandwidth='100 Gbit/s' --set node.processors=16 --set compute.gups.update='12 ns'",
        name);
}

}  // namespace

TEST_CASE("imported machine: its ping-pong is the measured curve, whatever else is known of the ends") {
    const std::vector<std::vector<BenchmarkOutput>> known = {
        {latencies()}, {latencies(), stream(1, 3e6)}, {latencies(), stream(1, 3e6), stream(32, 60e6)}};
    for (const auto& outputs : known) {
        const ImportedMachine made = imported_machine(outputs);
        const Machine machine = read_back(made.machine);
        CHECK(made.judgement.sizes == 21);
        CHECK(made.judgement.median_error < 0.01);
        for (double size = 1; size <= 4 << 20; size *= 2) {
            CAPTURE(size, outputs.size());
            CHECK_THAT(ping_pong(machine, size), WithinRel(one_way(size), 0.01));
        }
        CHECK(find(machine, "reach.mpi.mpi-from-16384") != nullptr);
        for (const Parameter& one : machine.parameters) CHECK_FALSE(one.interval.has_value());
    }
}

TEST_CASE("imported machine: one pair bounds the calls, many the network interface, and both are told") {
    const Machine machine = imported_machine({latencies(), stream(1, 4e6), stream(32, 60e6)}).machine;
    CHECK_THAT(time_at(machine, "paths.mpi.send.overhead").si(), WithinRel(250e-9, 1e-9));
    CHECK_THAT(time_at(machine, "paths.mpi.receive.overhead").si(), WithinRel(250e-9, 1e-9));
    CHECK(find(machine, "paths.mpi.send.overhead")->source ==
          "imported: at most, one over the message rate of mr.txt (osu_mbw_mr, 1 pair), 1 B");
    CHECK_THAT(rate_at(machine, "network_interface.message_rate").si(), WithinRel(60e6, 1e-9));
    CHECK_THAT(bandwidth_at(machine, "network_interface.bandwidth").si(), WithinRel(12.3e9, 1e-9));
    CHECK(find(machine, "network_interface.message_rate")->note.empty());
    // Copies of short messages keep cores busy, not the link, which has what streams reach.
    CHECK_THAT(bandwidth_at(machine, "paths.mpi.link.bandwidth").si(), WithinRel(12.3e9, 1e-9));
    CHECK_THAT(time_per_byte_at(machine, "paths.mpi.send.per_byte").si() * 2, WithinRel(0.16e-9 - 1 / 12.3e9, 1e-3));
    CHECK_FALSE(has(machine, "paths.mpi-from-16384.send.per_byte"));
    const Machine unsaturated = imported_machine({latencies(), stream(1, 4e6), stream(8, 32e6)}).machine;
    CHECK(find(unsaturated, "network_interface.message_rate")->note.starts_with("at least"));
    BenchmarkOutput large = stream(32, 60e6);
    std::erase_if(large.tables.front().rows, [](const SizedValue& row) { return row.bytes < 16384; });
    const ImportedMachine bound = imported_machine({latencies(), stream(1, 4e6), large});
    CHECK_FALSE(has(bound.machine, "network_interface.message_rate"));
    REQUIRE(bound.unused.size() == 1);
    CHECK(bound.unused[0].find("as bandwidth holds back each size") != std::string::npos);
    const Machine alone = imported_machine({latencies()}).machine;
    CHECK_FALSE(has(alone, "network_interface"));
    CHECK_FALSE(has(alone, "paths.mpi.send"));
}

TEST_CASE("imported machine: one size of message is no curve") {
    BenchmarkOutput one = latencies();
    one.tables.front().rows.resize(1);
    CHECK_THROWS_WITH(imported_machine({one}), Catch::Contains("lat.txt has one size of message"));
}

TEST_CASE("imported machine: a file that is there twice makes intervals") {
    BenchmarkOutput again = latencies();
    for (SizedValue& row : again.tables.front().rows) row.value *= 1.02;
    const Machine machine = read_back(imported_machine({latencies(), again}).machine);
    REQUIRE(find(machine, "paths.mpi.link.latency")->interval.has_value());
}

TEST_CASE("imported machine: of an hpccoutf.txt alone two points, and what it does not tell is missing") {
    const auto outputs = std::vector{parse_benchmarks(
        "CommWorldProcs=16\nMaxPingPongLatency_usec=2\nMinPingPongBandwidth_GBytes=4\nStarRandomAccess_GUPs=0.02\n"
        "StarSTREAM_Triad=3.5\nEnd of Summary section.\n",
        "h.txt")};
    const ImportedMachine made = imported_machine(outputs);
    CHECK(made.judgement.sizes == 0);
    CHECK_THAT(ping_pong(read_back(made.machine), 8), WithinRel(2e-6, 1e-6));
    CHECK_THAT(ping_pong(read_back(made.machine), 2e6), WithinRel(5e-4, 1e-6));
    CHECK_THAT(time_at(made.machine, "compute.gups.update").si(), WithinRel(50e-9, 1e-9));
    std::string paths;
    for (const MissingKey& key : missing_keys(made.machine, outputs)) {
        paths += key.path + " ";
        if (key.path == "node.memory.bandwidth") CHECK(key.remedy.find("3.5 GB/s of each") != std::string::npos);
    }
    CHECK(paths ==
          "node.processors node.memory.bandwidth paths.mpi.send.overhead network_interface.message_rate "
          "network_interface.bandwidth network.link.bandwidth network.topology ");
}

TEST_CASE(
    "two clusters of one latency and bandwidth are held back by different servers, as their message rates differ") {
    const ScratchDirectory scratch;
    for (const auto& [name, rate] : {std::pair{"fast", 150e6}, std::pair{"slow", 6e6}}) {
        const Machine machine = imported_machine({latencies(), stream(1, 4e6), stream(64, rate)}).machine;
        write_whole_file(std::string(name) + ".yaml", write_machine(machine));
    }
    const auto fast = json_from(cluster("fast")), slow = json_from(cluster("slow"));
    CHECK(fast["bottleneck"] == "processor");
    CHECK(slow["bottleneck"] == "network interface");
    // 64 interfaces, and 63 of 64 updates leave their node.
    CHECK_THAT(slow["result"]["value"].get<double>(), WithinRel(64 * 6e6 * 64 / 63, 0.01));
    CHECK(json_from("predict ping-pong -m fast.yaml --bytes 1MiB")["result"]["value"].get<double>() ==
          Approx(json_from("predict ping-pong -m slow.yaml --bytes 1MiB")["result"]["value"].get<double>())
              .epsilon(0.01));
}

TEST_CASE("packets of software routing go by the protocol of short messages") {
    const ScratchDirectory scratch;
    const Machine machine = imported_machine({latencies(), stream(1, 4e6), stream(64, 60e6)}).machine;
    write_whole_file("x.yaml", write_machine(machine));
    const std::string routed =
        "predict gups -m x.yaml --variant routed -n 64 --ranks-per-node 16 --network 'fat-tree ports=36 levels=3' "
        "--set network.link.bandwidth='100 Gbit/s' --set node.processors=16 --set compute.gups.update='12 ns' "
        "--set compute.gups.route.per_update='5 ns'";
    const double before = json_from(routed)["result"]["value"];
    CHECK(json_from(routed + " --set paths.mpi.send.overhead=2x")["result"]["value"].get<double>() < before);
    CHECK(json_from(routed + " --set paths.mpi-from-16384.send.overhead=2x")["result"]["value"] == before);
}

TEST_CASE("calibrate --from takes files of several benchmarks, and allreduce can ask the machine") {
    const ScratchDirectory scratch;
    const std::string files = NARROWS_GOLDEN "/files/";
    const Ran ran =
        run_narrows(fmt::format("calibrate --from {0}imb_mpi1.txt --from {0}hpccoutf_messages.txt -o c.yaml", files));
    CHECK(ran.exit == 0);
    const auto json =
        json_from(fmt::format("calibrate --from {0}imb_mpi1.txt --from {0}osu_mbw_mr.txt -o d.yaml", files));
    CHECK(json["summary"]["median_error"].get<double>() < 0.02);
    CHECK(json["missing"].size() == 5);
    CHECK(json_from("predict allreduce -m c.yaml -n 64 --network 'fat-tree ports=36 levels=3'")["nodes"] == 64);
}
