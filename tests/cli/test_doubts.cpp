#include <catch2/catch.hpp>
#include <cmath>

#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

using Catch::Matchers::Contains;

// A node with runs measured beside allreduce by the eager protocol.
Machine node_with_runs() {
    Machine machine = parse_machine(
        "name: here\nsource: calibrated\nnode: {processors: 4}\n"
        "paths: {copy: {send: {overhead: 100 ns, bandwidth: 5 GB/s}, receive: {overhead: 100 ns}}}\n"
        "protocols: {eager: {copy: 1}}\n",
        "here.yaml", "here");
    machine.environment = {{"host", "elsewhere"}};
    MeasuredResiduals measured{.name = "allreduce-eager", .scales = {2, 1, 1, 1}, .spread = 0.3, .noise = 0.02};
    for (const double bytes : {16.0, 1e3, 1e5, 1e7}) {
        for (const double ranks : {2.0, 4.0}) {
            for (const double tree : {0.0, 1.0})
                measured.points.push_back({{std::log(bytes), std::log(ranks), tree, 0}, 0.1});
        }
    }
    machine.residuals.emplace_back(measured);
    return machine;
}

}  // namespace

TEST_CASE("what no calibration measured is told by every command that predicts it") {
    const ScratchDirectory scratch;
    write_whole_file("here.yaml", write_machine(node_with_runs()));
    const std::string node = " -m here.yaml -n 1 --ranks-per-node 4 --bytes 64";
    const std::string doubt = "beyond what was measured: allreduce by rabenseifner";
    for (const std::string command : {"predict", "table", "sensitivity"}) {
        CAPTURE(command);
        CHECK_THAT(run_narrows(command + " allreduce --algorithm rabenseifner" + node).out, Contains(doubt));
        CHECK_THAT(run_narrows(command + " allreduce --algorithm tree" + node).out, !Contains("rabenseifner"));
    }
    CHECK_THAT(
        run_narrows("what-if allreduce --algorithm rabenseifner" + node + " --set paths.copy.send.overhead=2x").out,
        Contains(doubt));
    CHECK_THAT(run_narrows("compare here.yaml --workload allreduce --algorithm tree,rabenseifner -n 1 "
                           "--ranks-per-node 4 --bytes 64")
                   .out,
               Contains("--algorithm rabenseifner: " + doubt));
    const std::string tuned = run_narrows("tune allreduce" + node).out;
    const auto remark = tuned.find("beyond what was measured, so not comparable with the others: ");
    REQUIRE(remark != std::string::npos);
    CHECK(tuned.find("rabenseifner", remark) != std::string::npos);
    CHECK(tuned.substr(remark).find("tree") == std::string::npos);
    CHECK_THAT(run_narrows("tune allreduce -m cluster-400g -n 4 --bytes 64").out, !Contains("beyond what"));
}

TEST_CASE("a machine of listed partitions, and files that end in .yml, are networks for every command") {
    const ScratchDirectory scratch;
    write_whole_file("parts.yaml",
                     "name: parts\nsource: made up\nnode: {processors: 1}\ncompute: {gups: {update: 20 ns}}\n"
                     "network: {link: {bandwidth: 1 GB/s}, partitions: {16: torus 4x4, 64: torus 8x8}}\n"
                     "paths: {p: {send: {overhead: 100 ns}, link: {}, receive: {overhead: 100 ns}}}\n"
                     "protocols: {p: {p: 1}}\n");
    const nlohmann::json gups = json_from("table gups -m parts.yaml")["rows"];
    const nlohmann::json allreduce = json_from("table allreduce -m parts.yaml")["rows"];
    REQUIRE(gups.size() == 2);
    REQUIRE(allreduce.size() == 2);
    CHECK(allreduce[1]["nodes"] == 64);
    CHECK(json_from("predict allreduce -m parts.yaml")["nodes"] == 64);
    write_whole_file("other.yml", read_whole_file("parts.yaml"));
    CHECK(json_from("predict allreduce -m cluster-400g --network other.yml -n 16")["composed"] == true);
}

TEST_CASE("the clock of gups has links as the path says them") {
    const ScratchDirectory scratch;
    const auto rate = [](const std::string& link) {
        write_whole_file("m.yaml",
                         "name: m\nsource: made up\nnode: {processors: 1}\n"
                         "compute: {gups: {update: 20 ns, route: {per_update: 5 ns}}}\n"
                         "network: {link: {bandwidth: 1 GB/s, latency: 100 ns}, topology: torus 4x4}\n"
                         "paths: {p: {send: {overhead: 100 ns}, link: {" +
                             link +
                             "}, receive: {overhead: 100 ns}}}\n"
                             "protocols: {p: {p: 1}}\n");
        const std::string query = " -m m.yaml --updates 160000";
        const nlohmann::json predicted = json_from("predict gups --variant routed -n 16" + query);
        const nlohmann::json run = json_from("run gups --virtual-clock --ranks 16" + query);
        const double clocked = run["result"]["value"].get<double>();
        CHECK(clocked == Approx(predicted["result"]["value"].get<double>()).epsilon(0.3));
        return clocked;
    };
    CHECK(rate("") > 3 * rate("overhead: 20 us"));
    CHECK(rate("") > 3 * rate("bandwidth: 10 MB/s"));
}

}  // namespace narrows
