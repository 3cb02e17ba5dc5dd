#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "run_narrows.hpp"

namespace narrows {
namespace {

nlohmann::json predicted(const std::string& workload, const std::string& nodes, const std::string& network) {
    return json_from(fmt::format("predict {} -m cluster-400g -n {} --network '{}'", workload, nodes, network));
}

double bound_of(const nlohmann::json& answer, const std::string& resource) {
    for (const nlohmann::json& bound : answer["bounds"]) {
        if (bound["resource"] == resource) return bound["value"];
    }
    return 0;
}

}  // namespace

TEST_CASE("a network's file predicts what its family does, bound by bound") {
    const ScratchDirectory here;
    const std::string file = "./fabric.edges";
    const std::vector<std::string> specs = {"torus 4x6x3",
                                            "torus 5x4",
                                            "mesh 3x4x2",
                                            "hypercube 5",
                                            "torus 9",
                                            "dragonfly a=4 p=2 h=2",
                                            "dragonfly-plus groups=5 leaves=2 spines=2 hosts=2"};
    for (const std::string& spec : specs) {
        CAPTURE(spec);
        const std::string nodes = json_from(fmt::format("topology '{}' --export {}", spec, file))["nodes"].dump();
        const bool is_grid = spec.find("dragonfly") == std::string::npos;  // others are searched for a moment
        for (const char* workload : {"gups --variant naive", "gups --variant routed",
                                     "gups --variant routed --placement random:1", "allreduce --bytes 1MiB"}) {
            CAPTURE(workload);
            const nlohmann::json by_name = predicted(workload, nodes, spec), by_file = predicted(workload, nodes, file);
            const double value = by_file["result"]["value"];
            CHECK(value == Approx(by_name["result"]["value"].get<double>()));
            for (const char* resource : {"network", "uplinks", "injection"}) {
                if (std::string(resource) == "network" && !is_grid) continue;
                CAPTURE(resource);
                CHECK(bound_of(by_file, resource) == Approx(bound_of(by_name, resource)));
            }
        }
    }
}

TEST_CASE("sweep3d on switched networks that are no trees: messages take the links that they have to") {
    const auto time_on = [](const std::string& network) {
        return json_from(
                   "predict sweep3d -m cluster-400g --set compute.sweep3d.grind='25 ns' -n 64 --cells-per-rank 5x5x40 "
                   "--network '" +
                   network + "'")["result"]["value"]
            .get<double>();
    };
    CHECK(time_on("torus 4x4x4 hosts=1") > time_on("torus 4x4x4"));  // a link to a switch and one from it more
    CHECK(time_on("dragonfly a=4 p=2 h=2 g=8") < time_on("fat-tree ports=4 levels=6"));
    CHECK(run_narrows("predict ping-pong -m cluster-400g --network 'torus 8x8 hosts=1'").out !=
          run_narrows("predict ping-pong -m cluster-400g --network 'torus 8x4 hosts=2'").out);
}

TEST_CASE("on another machine's network messages do not pass the gateways of their own") {
    const nlohmann::json own = json_from("predict sweep3d -m roadrunner -n 64 --cells-per-rank 5x5x40");
    const nlohmann::json other =
        json_from("predict sweep3d -m roadrunner -n 64 --cells-per-rank 5x5x40 --network torus-pod");
    CHECK(own["terms"].dump().find("gateway") != std::string::npos);
    CHECK(other["terms"].dump().find("gateway") == std::string::npos);
}

TEST_CASE("a grid whose file numbers it otherwise is searched, and has the same cut") {
    const ScratchDirectory here;
    std::ofstream("ring.edges") << "host 0\nhost 1\nhost 2\nhost 3\nhost 4\n0 2\n2 4\n4 1\n1 3\n3 0\n";
    const double turned = bound_of(predicted("gups --variant naive", "5", "./ring.edges"), "network");
    CHECK(turned == Approx(bound_of(predicted("gups --variant naive", "5", "torus 5"), "network")));
}

TEST_CASE("capacities in a unit of bandwidth are the links' bandwidth, and without a unit this is said") {
    const ScratchDirectory here;
    const std::string links = "switch s\na s 25\nb s 25\nc s 12.5\n";
    const std::string asked = "predict gups -m cluster-400g -n 3 --network ";
    std::ofstream("plain.edges") << links;
    std::ofstream("bytes.edges") << "# capacities in GB/s\n" << links;
    std::ofstream("bits.edges") << "# capacities in Gbit/s\nswitch s\na s 200\nb s 200\nc s 100\n";
    const double in_bits = json_from(asked + "./bits.edges")["result"]["value"];
    CHECK(in_bits == Approx(json_from(asked + "./bytes.edges")["result"]["value"].get<double>()));
    const std::string remark = "capacities of plain.edges have no unit: each counts as so many of the machine's links";
    CHECK(run_narrows(asked + "./plain.edges").out.find(remark) != std::string::npos);
    const nlohmann::json remarks = json_from(asked + "./plain.edges")["remarks"];
    REQUIRE(remarks.size() == 2);  // and that it is composed
    CHECK(remarks[0].get<std::string>().starts_with(remark));
    CHECK(run_narrows(asked + "./bits.edges").out.find("have no unit") == std::string::npos);
    std::ofstream("slurm.conf") << "SwitchName=l Nodes=n[1-2]\nSwitchName=m Nodes=n[3-4]\nSwitchName=s Switches=l,m\n";
    CHECK(
        run_narrows("predict gups -m cluster-400g -n 4 --network ./slurm.conf").err ==
        "narrows: --network: ./slurm.conf does not say how many cables join two switches: give the file that 'narrows "
        "topology ./slurm.conf --cables COUNT --export network.edges' writes\n");
    CHECK(run_narrows("topology ./slurm.conf --cables 2 --export network.edges").exit == 0);
    CHECK(run_narrows("predict gups -m cluster-400g -n 4 --network ./network.edges").exit == 0);
}

}  // namespace narrows
