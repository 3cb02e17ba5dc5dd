#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sstream>
#include <tuple>

#include "run_narrows.hpp"

namespace narrows {

TEST_CASE("solve of nodes: the fewest where one node misses the target, else as many as still reach it", "[long]") {
    // 9.737 us at 64 nodes; one node takes no time at all.
    const auto within = json_from("solve allreduce -m cluster-400g -n 64 --target '10 us' --vary nodes");
    CHECK(within["solution"]["value"] == 64);
    const auto fewest = json_from("solve gups -m bluegene-l --target '5 GUPS' --vary nodes");
    CHECK(fewest["solution"]["value"] == 21344);
    const auto given = json_from("solve gups -m bluegene-l --target '5 GUPS' --vary nodes=1..65536");
    CHECK(given["solution"]["value"] == 21344);
}

TEST_CASE("solve finds what was planted: the value that a changed machine has") {
    struct Planted {
        const char* asked;
        const char* path;
        const char* value;
        double si;
    };
    for (const auto& [asked, path, value, si] :
         {Planted{"gups -m bluegene-l -n 8192", "network.link.bandwidth", "0.3 Gbit/s", 0.3e9 / 8},
          Planted{"gups -m bluegene-l -n 65536", "node.clock", "812 MHz", 812e6},
          Planted{"allreduce -m xt3-pgas-nic -n 32 --bytes 64KiB", "network.link.bandwidth", "1 GB/s", 1e9},
          Planted{"sweep3d -m roadrunner -n 2 --cells-per-rank 5x5x40", "compute.sweep3d.grind", "20 ns", 20e-9},
          Planted{"fft-pencils -m cluster-400g -n 64", "compute.flops", "13 G/s", 13e9}}) {
        CAPTURE(asked, path);
        const nlohmann::json changed =
            json_from(std::string("predict ") + asked + " --set " + path + "='" + value + "'")["result"];
        const std::string unit = changed["unit"] == "s" ? " s" : " /s";
        const nlohmann::json found = json_from(
            fmt::format("solve {} --target '{:.17g}{}' --vary {}", asked, changed["value"].get<double>(), unit, path));
        REQUIRE(found.contains("solution"));
        CHECK(found["solution"]["value"].get<double>() == Approx(si).epsilon(1e-6));
        CHECK(found["after"]["result"]["value"].get<double>() == Approx(changed["value"].get<double>()).epsilon(1e-6));
    }
}

TEST_CASE("solve keeps within a parameter's range, and gives factors to a section") {
    const auto section = json_from("solve gups -m bluegene-l -n 65536 --target '10 GUPS' --vary network.link");
    REQUIRE(section.contains("solution"));
    const double factor = section["solution"]["value"].get<double>();
    CHECK(factor < 1);
    const auto there =
        json_from(fmt::format("predict gups -m bluegene-l -n 65536 --set network.link={:.17g}x", factor));
    CHECK(there["result"]["value"].get<double>() == Approx(10e9).epsilon(1e-6));
    // A line code adds bytes: 1 is the least.
    const std::string code = "ping-pong -m torus-pod --bytes 1MiB";
    const auto least = json_from("predict " + code + " --set paths.mpi.link.framing.code=1");
    const Ran ran =
        run_narrows("solve " + code + " --target '100 us' --vary paths.mpi.link.framing.code --format json");
    CHECK(ran.exit == 1);
    const auto forbidden = nlohmann::json::parse(ran.out);
    CHECK(forbidden["forbidden_by"]["at_most"].get<double>() ==
          Approx(least["result"]["value"].get<double>()).epsilon(1e-6));
}

TEST_CASE("solve says what forbids a target") {
    const std::string easy = "solve gups -m bluegene-l -n 64 --target '1 MUPS' --vary ";
    CHECK(run_narrows(easy + "node.clock=1x..4x").out.find("every node.clock from 1x to 4x reaches it") !=
          std::string::npos);
    for (const char* variable : {"node.clock=1x..4x", "node.memory.size"}) {  // the second does not matter
        const nlohmann::json json = json_from(easy + variable);
        CHECK_FALSE(json.contains("forbidden_by"));
        CHECK_FALSE(json.contains("solution"));
        CHECK(json["depends"] == (std::string(variable) != "node.memory.size"));
    }
    // What a file leaves out, and what a range alone forbids.
    const nlohmann::json unset =
        json_from("solve gups -m bluegene-l -n 64 --target '1 MUPS' --vary 'node.memory.bandwidth=1 kB/s..1 TB/s'");
    CHECK(unset["solution"]["value"].get<double>() == Approx(2e6));
    CHECK(unset["solution"]["factor"].is_null());
    // A range in ns of what the file has in cycles, and of what is zero today.
    const std::string cycles = "solve gups -m bluegene-l -n 512 --messaging raw --target '1.5 GUPS' --vary ";
    CHECK(json_from(cycles + "compute.gups.update='10 ns..500 ns'")["solution"]["factor"].is_null());
    const std::string more = "solve gups -m bluegene-l -n 1024 --target '0.3 GUPS' --vary ";
    CHECK(json_from(more + "messaging.mpi.send.per_message=0.5x..1x")["solution"] ==  // as older files call it
          json_from(more + "paths.mpi.send.overhead=0.5x..1x")["solution"]);
    const Ran ranged = run_narrows("solve gups -m bluegene-l -n 65536 --target '18 GUPS' --vary node.clock=1x..1.02x");
    CHECK(ranged.exit == 1);
    CHECK(ranged.out.find("no node.clock from 1x to 1.02x reaches it: 15.67 GUPS at most, with 1.02x, held back by "
                          "processor") != std::string::npos);
}

TEST_CASE("solve: the fewest nodes of all, and those next to them that do not reach the target", "[long]") {
    const Ran ran = run_narrows("solve gups -m bluegene-l --target '5 GUPS' --vary nodes=1024..65536");
    const std::int64_t fewest =
        json_from("solve gups -m bluegene-l -n 1024 --target '5 GUPS' --vary n")["solution"]["value"];
    CHECK(ran.out.find(fmt::format("nodes = {} ", fewest)) != std::string::npos);
    CHECK(ran.out.find(fmt::format("not reached at nodes = {}, ", fewest + 1)) !=
          std::string::npos);  // a prime is a line
    std::istringstream rows(
        run_narrows(fmt::format("sweep gups -m bluegene-l -n 1024..{}+1 --format csv", fewest)).out);
    std::string row;
    std::getline(rows, row);
    CHECK(row.starts_with("nodes,"));
    for (std::int64_t nodes = 1024; nodes <= fewest; ++nodes) {
        REQUIRE(std::getline(rows, row));
        const double rate = std::stod(row.substr(row.find(',') + 1));
        CAPTURE(row);
        REQUIRE((rate >= 5e9) == (nodes == fewest));
    }
    CHECK(run_narrows("solve gups -m bluegene-l -n 8192 --target '20 GUPS' --vary node.clock")
              .out.find("not reached at") == std::string::npos);
}

TEST_CASE("solve: values without a prediction are told of where all others reach the target") {
    const Ran ran = run_narrows("solve gups -m bluegene-l --target '1e-6 GUPS' --vary nodes=65000..70000");
    CHECK(ran.exit == 0);
    CHECK(ran.out.find("every nodes from 65000 to 70000 that has a prediction reaches it") != std::string::npos);
    CHECK(ran.out.find("no prediction at nodes = 70000: 70000 nodes are more than the 65536") != std::string::npos);
    CHECK(run_narrows("solve gups -m bluegene-l --target '1e-6 GUPS' --vary nodes=65000..65536")
              .out.find("that has a prediction") == std::string::npos);
}

TEST_CASE("solve: an option of a workload file is whole whether it is given or left to its default") {
    const std::string asked = "solve stencil -m cluster-400g -n 30 --target '1 s' --vary n";
    const nlohmann::json left = json_from(asked);
    CHECK(left["solution"]["value"] == json_from(asked + " --n 256")["solution"]["value"]);
    CHECK(left["solution"]["value"].get<double>() == std::floor(left["solution"]["value"].get<double>()));
}

TEST_CASE("solve: a range of nodes whose first has no prediction") {
    // Roadrunner's 3060 nodes have more ranks than the default deck has columns, and 67 nodes have no grid either.
    const nlohmann::json json = json_from("solve sweep3d -m roadrunner --target '50 ms' --vary nodes=67..80");
    CAPTURE(json.dump());
    CHECK(json.contains("solution"));
}

TEST_CASE("solve: of two variables a value without a prediction is a row like any other") {
    const nlohmann::json json =
        json_from("solve gups -m bluegene-l --target '10 GUPS' --vary nodes=32768..131072*2 --vary node.clock");
    REQUIRE(json["trade_off"].size() == 3);
    CHECK(json["units"] == nlohmann::json{{"nodes", "1"}, {"node.clock", "1/s"}});
    CHECK(json["trade_off"][1]["node.clock"].is_number());
    CHECK(json["trade_off"][2]["node.clock"].is_null());
    CHECK(json["trade_off"][2]["reached"] == "no prediction");
    const Ran ran =
        run_narrows("solve gups -m bluegene-l --target '10 GUPS' --vary nodes=32768..131072*2 --vary node.clock");
    CHECK(ran.out.find("no prediction at nodes = 131072: 131072 nodes are more than the 65536 of") !=
          std::string::npos);
}

TEST_CASE("solve: of two variables every value may reach the target, or none") {
    for (const auto& [target, reached, exit] : {std::tuple{"1 s", "by every value", 0}, std::tuple{"1 ns", "no", 1}}) {
        const std::string command = fmt::format(
            "solve allreduce -m bluegene-l -n 4 --target '{}' --vary bytes=8,64 --vary nodes=2..64", target);
        const Ran ran = run_narrows(command + " --format json");
        CHECK(ran.exit == exit);
        const nlohmann::json rows = nlohmann::json::parse(ran.out)["trade_off"];
        CHECK(rows.size() == 2);
        for (const nlohmann::json& row : rows) {
            CHECK(row["reached"] == reached);
            CHECK(row["nodes"].is_null());
        }
        CHECK((run_narrows(command).out.find("every value") != std::string::npos) == (exit == 0));
    }
}

TEST_CASE("solve: a share or a fraction is no whole number, however its range is written") {
    const auto value = [](const std::string& command) {
        return json_from("solve " + command)["solution"]["value"].get<double>();
    };
    const std::string atoms = "molecular-dynamics -m cluster-400g -n 8 --steps 10 --target '33 ms' --vary skin";
    CHECK(value(atoms + "=0..1") == Approx(value(atoms)).epsilon(1e-9));
    CHECK(value(atoms + "=0..1") == Approx(0.3609).epsilon(1e-3));
    const std::string busy = "gups -m bluegene-l -n 512 --messaging raw --target '1 GUPS' --vary background=";
    CHECK(value(busy + "0..1") == Approx(value(busy + "0.0..99%")).epsilon(1e-9));
}

TEST_CASE("solve: an option of a workload file has its unit, and plain bytes are none") {
    const auto solution = json_from("solve sample-sort -m cluster-400g -n 8 --vary compare --target '1 s'")["solution"];
    CHECK(solution["unit"] == "s");
    CHECK(solution["value"].get<double>() == Approx(2.14e-9).epsilon(0.01));
    const ScratchDirectory folder;
    std::ofstream("plain.yaml")
        << "name: w\noptions: {bytes: {default: 1024}}\nphases:\n  - {all-to-all: {bytes: bytes * 1 B}}\n";
    const auto found = json_from("solve ./plain.yaml -m torus-pod -n 64 --vary bytes --target '200 us'");
    CHECK(found["solution"]["unit"] == "1");
    CHECK(found["solution"]["value"].get<double>() > 1024);
}

TEST_CASE("solve: a verdict on an option has the range that was looked at, and what reaches the target further on") {
    const Ran every =
        run_narrows("solve broadcast -m torus-pod -n 73 --bytes 1 --algorithm node-first --target '3 ms' --vary bytes");
    CHECK(every.out.find("every bytes from 1 to 1048576 reaches it") != std::string::npos);
    CHECK(json_from("solve halo-exchange -m bluegene-p -n 8 --bytes 64 --target '1 s' --vary bytes")["reached"] ==
          "by every value");
    const Ran further =
        run_narrows("solve gups -m bluegene-l --messaging raw --target '0.030435094 GUPS' --vary nodes=32..700");
    CHECK(further.out.find("nodes = 36") != std::string::npos);
    CHECK(further.out.find("reached too at nodes = ") != std::string::npos);
}

TEST_CASE("solve: a range begins where there is a prediction: one node has no neighbours") {
    const Ran ran = run_narrows("solve halo-exchange -m bluegene-p --bytes 1025 --target '1 s' --vary nodes=1..32");
    CHECK(ran.exit == 0);
    CHECK(ran.out.find("every nodes from 1 to 32 that has a prediction reaches it") != std::string::npos);
}

}  // namespace narrows
