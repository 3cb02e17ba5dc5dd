#include <catch2/catch.hpp>
#include <fstream>

#include "cli/commands.hpp"
#include "cli/validation_report.hpp"
#include "json_schema.hpp"
#include "run_narrows.hpp"

// docs/output.schema.json against what is printed: `json_from` holds every JSON of these tests against it.
namespace narrows {

TEST_CASE("output.schema.json: an object for every command, and for each what it takes to repeat it") {
    const nlohmann::json& schema = output_schema();
    std::size_t described = 0;
    for (const Command& command : commands()) {
        if (!command.has_document) continue;
        ++described;
        CAPTURE(command.name);
        CHECK(schema["$defs"].contains(command.name));
        const nlohmann::json bare = {{"schema", 1}, {"command", command.name}};
        const auto violations = schema_violations(schema, schema, bare);
        for (const char* member : {"version", "set", "inputs"}) {
            CHECK(std::ranges::find(violations, ": lacks \"" + std::string(member) + "\"") != violations.end());
        }
    }
    CHECK(schema["anyOf"].size() == described);
}

TEST_CASE("output.schema.json: what every command prints is as it says", "[long]") {
    const ScratchDirectory scratch;
    const std::string golden = std::string(NARROWS_GOLDEN) + "/";
    std::ofstream("ring.edges") << "0 1\n1 2\n2 3\n3 0\n";
    for (const std::string command :
         {"predict gups -m bluegene-l -n 64 --variant routed",
          "predict gups -m xt3-pgas-nic -n 32 --mode quad --variant shmem",
          "predict gups -m bluegene-l -n 1 --variant sequential",
          "predict ping-pong -m cell-blade",
          "predict sweep3d -m roadrunner -n 8 --cells-per-rank 5x5x40",
          "predict halo-exchange -m bluegene-p -n 512 --protocol mpi-eager --bytes 1MiB --neighbours 4",
          "predict allreduce -m xt3-pgas-nic -n 32 --algorithm ring",
          "predict allreduce -m bluegene-p -n 1",
          "table sweep3d -m roadrunner -n 1,2 --cells-per-rank 5x5x40 --beside roadrunner-opterons",
          "what-if allreduce -m xt3-pgas-nic -n 24 --bytes 1MiB --set compute.reduce.per_byte='0.5 ns/B'",
          "sensitivity sweep3d -m roadrunner -n 1 --cells-per-rank 5x5x40",
          "solve gups -m bluegene-l -n 8192 --target '1 GUPS' --vary network.link.bandwidth",
          "crossover gups -m bluegene-l -n 65536 --vary node.clock=0.5x..8x",
          "compare bluegene-l bluegene-p",
          "compare bluegene-l --workload gups -n 64 --variant naive,routed",
          "report cell-blade",
          "tune sweep3d -m roadrunner -n 1 --cells-per-rank 5x5x40",
          "tune gups -m bluegene-l -n 16",
          "tune allreduce -m cluster-400g -n 4 --ranks-per-node 2 --bytes 1KiB",
          "sensitivity gups -m bluegene-l -n 64 --set price.link='150 USD'",
          "machines",
          "show bluegene-l",
          "show bluegene-l --paths",
          "reproduce underwood2008",
          "reproduce kumar2007",
          "topology ring.edges --certificate ring.proof",
          "topology --verify ring.proof",
          "topology 'torus 4x4' --hosts first:8",
          "topology --families",
          "topology 'dragonfly a=4 p=2 h=2' --traffic tornado --routing valiant",
          "run gups --variant sequential --table 64KiB",
          "run gups --domain 4 --ranks 16 --table '64 KiB'",
          "run gups --virtual-clock -m bluegene-l --ranks 64 --updates 262144 --table '512 KiB'",
          "run gups --virtual-clock -m bluegene-l --ranks 8 --updates 256 --table '512 KiB'",
          "run ping-pong --protocol receiver-initiated --domain 2 --overlap-legs --ranks 4 --bytes 8,64 --repeats 2",
          "run ping-pong --transport tcp --bytes 8 --repeats 2",
          "run gups --transport udp --ranks 2 --table 64KiB",
          "run stream --bytes 8 --repeats 2",
          "run exchange --bytes 8..1KiB --repeats 2",
          "run overlap --bytes 8 --repeats 2",
          "run allreduce --ranks 4 --bytes 8 --repeats 2",
          "run all-to-all --algorithm linear --ranks 3 --bytes 8,64 --repeats 1",
          "run broadcast --transport tcp --ranks 3 --bytes 8 --repeats 2",
          "run barrier --ranks 3 --repeats 2",
          "run matvec --dimension 64 --repeats 2",
          "run sweep3d --iterations 2",
          "run sweep3d --skip-compute --iterations 2",
          "run sweep3d --virtual-clock -m roadrunner --ranks 32 --cells-per-rank 2x2x20 --iterations 1",
          "run sweep3d --virtual-clock -m roadrunner -n 1,2 --cells-per-rank 2x2x20 --iterations 1 --skip-compute",
          "solve gups -m bluegene-l --set power.node='20 W' --target '0.1 GUPS' --minimise power --vary nodes=512,1024",
          "sweep gups -m bluegene-l -n 64,128 --set node.clock=1x,2x"}) {  // last: it starts threads, runs processes
        json_from(command);
    }
    json_from("topology '" + golden + "networks/fabric.ibnetdiscover' --hottest 2");
    json_from("table gups -m bluegene-l -n 32,64 --measured '" + golden + "files/measured.csv'");
}

TEST_CASE("output.schema.json: a validation, of which one end of an interval may not be known") {
    Machine machine;
    machine.id = "here";
    Validation validation{"gups", "RandomAccess", {"rate", "GUPS", 1e-9, true}, {}, {"sequential: why"}, 7, {}};
    validation.cases = {{"routed", 4, "2x2", "32 MiB", 1e9, 0.9e9, 1.1e9, {1.05e9, 1e9, 1.1e9, 7}},
                        {"", 8, "4x2", "", 1e9, std::nullopt, std::nullopt, {1.05e9, 1e9, 1.1e9, 7}}};
    nlohmann::json json = validation_document(machine, validation).json;
    CHECK(schema_violations(output_schema(), output_schema()["$defs"]["validation"], json, "json").empty());
    json.update({{"version", "1"}, {"set", nlohmann::json::array()}, {"inputs", nlohmann::json::array()}});
    check_schema(json);
}

TEST_CASE("a validation fails by its median error or its intervals, and says by how much") {
    Validation validation{"gups", "RandomAccess", {"rate", "GUPS", 1e-9, true}, {}, {}, {}, {}};
    const OrderEstimate measured = {1e9, 0.99e9, 1.01e9, 5};
    const auto with = [&](double predicted, double low, double high) {
        validation.cases = {{"routed", 4, "2x2", "", predicted, low, high, measured}};
        return failure_of(validation);
    };
    CHECK_FALSE(with(1.19e9, 0.9e9, 1.3e9));
    CHECK(with(1.3e9, 0.9e9, 1.6e9) == "a median error of 30 %, 100 % of the intervals held");
    CHECK(with(1.1e9, 1.05e9, 1.2e9) == "a median error of 10 %, 0 % of the intervals held");
}

TEST_CASE("output.schema.json: what is not as it says is found") {
    nlohmann::json json = json_from("predict gups -m bluegene-l -n 64");
    const auto violations = [&json] {
        return schema_violations(output_schema(), output_schema()["$defs"]["predict"], json, "json");
    };
    CHECK(violations().empty());
    SECTION("a member that nobody has described") {
        json["bounds"][0]["colour"] = "red";
        CHECK(violations() == std::vector<std::string>{"json.bounds[0].colour: is not in the schema"});
    }
    SECTION("a number below zero") {
        json["result"]["value"] = -1.5;
        CHECK(violations() == std::vector<std::string>{"json.result.value: -1.5 is below 0"});
    }
    SECTION("another type, and a hash that is none") {
        json["nodes"] = "64";
        json["inputs"][0]["sha256"] = "0";
        CHECK(violations().size() == 2);
    }
}

}  // namespace narrows
