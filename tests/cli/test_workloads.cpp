#include <algorithm>
#include <catch2/catch.hpp>

#include "cli/repertoire.hpp"
#include "run_narrows.hpp"

// Workloads beside gups: their JSON is that of the design, and every command serves them.
namespace narrows {
namespace {

double sum_of_terms(const nlohmann::json& json) {
    double sum = 0;
    for (const auto& term : json["terms"]) sum += term["value"].get<double>();
    return sum;
}

}  // namespace

TEST_CASE("a time: its terms sum to it, and the bottleneck is the largest") {
    for (const char* asked :
         {"ping-pong -m bluegene-p --protocol mpi-eager --bytes 64KiB",
          "halo-exchange -m bluegene-p -n 512 --protocol mpi-eager --bytes 64KiB",
          "allreduce -m xt3-pgas-nic -n 24 --bytes 64KiB --algorithm tree",
          "all-to-all -m cluster-400g -n 30 --ranks-per-node 3 --bytes 64KiB --placement random:1"}) {
        const nlohmann::json json = json_from(std::string("predict ") + asked);
        CAPTURE(asked);
        CHECK(json["schema"] == 1);
        CHECK(json["result"]["quantity"] == "time");
        CHECK(json["result"]["unit"] == "s");
        const double time = json["result"]["value"];
        CHECK(time > 0);
        CHECK(sum_of_terms(json) == Approx(time));
        double largest = 0;
        for (const auto& term : json["terms"]) largest = std::max(largest, term["value"].get<double>());
        for (const auto& term : json["terms"]) {
            if (term["name"] == json["bottleneck"]) CHECK(term["value"].get<double>() == largest);
        }
        CHECK(json["bytes"] == 65536);
    }
}

TEST_CASE("a table's row is a prediction, whichever option is the list") {
    const auto check = [](const std::string& table, std::size_t row, const std::string& predict) {
        const nlohmann::json alone = answer_from("predict " + predict);
        CAPTURE(table);
        CHECK(json_from("table " + table)["rows"][row] == alone);
    };
    check("ping-pong -m cell-blade --bytes 8..1KiB", 7, "ping-pong -m cell-blade --bytes 1KiB");
    check("halo-exchange -m bluegene-p -n 64 --bytes 4KiB --neighbours 1,2,3", 1,
          "halo-exchange -m bluegene-p -n 64 --bytes 4KiB --neighbours 2");
    check("allreduce -m bluegene-p -n 2,4,..64", 5, "allreduce -m bluegene-p -n 64");
    check("allreduce -m bluegene-p -n 64 --bytes 8,64", 1, "allreduce -m bluegene-p -n 64 --bytes 64");
    check("sweep3d -m roadrunner -n 1,2 --cells-per-rank 5x5x40", 1,
          "sweep3d -m roadrunner -n 2 --cells-per-rank 5x5x40");
    check("sweep3d -m roadrunner --ranks 4,8 --cells 20x20x40", 0, "sweep3d -m roadrunner --ranks 4 --cells 20x20x40");
}

TEST_CASE("a message says which protocol it goes by where the one asked for reaches to others") {
    CHECK(json_from("predict ping-pong -m cell-blade --bytes 2KiB")["goes_by"] == "buffered");
    CHECK(json_from("predict ping-pong -m cell-blade --bytes 2049")["goes_by"] == "synchronous");
    CHECK(json_from("predict halo-exchange -m bluegene-p -n 8 --protocol mpi --bytes 2KiB")["goes_by"] ==
          "mpi-rendezvous");
    CHECK_FALSE(json_from("predict ping-pong -m roadrunner --bytes 2KiB").contains("goes_by"));
}

TEST_CASE("nodes that switches connect alike may be any number up to the machine's") {
    const auto rounds = [](const char* nodes) -> double {
        return json_from(std::string("predict allreduce -m roadrunner -n ") + nodes)["result"]["value"];
    };
    CHECK(rounds("8") == Approx(3 * rounds("2")));
}

TEST_CASE("sweep3d: an iteration with its terms and the share of communication") {
    const nlohmann::json json = json_from("predict sweep3d -m roadrunner -n 1 --cells-per-rank 5x5x400");
    CHECK(json["result"]["quantity"] == "iteration_time");
    CHECK(json["result"]["unit"] == "s");
    const double time = json["result"]["value"];
    CHECK(sum_of_terms(json) == Approx(time));
    CHECK(json["result"]["low"].get<double>() < time);
    CHECK(json["result"]["high"].get<double>() > time);
    CHECK(json["ranks"] == 32);
    CHECK(json["grid"] == "8x4");
    CHECK(json["cells"] == "40x20x400");
    // 320 blocks of 60 us and a fill of 26 steps are what communication does not take.
    CHECK(json["communication_share"].get<double>() == Approx(1 - 346 * 60e-6 / time));
    // A closed form that knows no queue is below the recurrence that has one, and above what computing alone takes.
    CHECK(json["closed_forms"]["plug-and-play"].get<double>() < time);
    CHECK(json["closed_forms"]["plug-and-play"].get<double>() > 346 * 60e-6);
    CHECK(json_from("predict sweep3d -m roadrunner --grid 4x8 --cells-per-rank 5x5x400")["grid"] == "4x8");
}

TEST_CASE("tune: choices by time, the first one the result") {
    const nlohmann::json json =
        json_from("tune sweep3d -m roadrunner -n 1 --cells 64x64x20 --grid 8x4 --angle-block 6");
    CHECK(json["command"] == "tune");
    CHECK(json["machine"] == "roadrunner");
    CHECK(json["result"]["quantity"] == "iteration_time");
    CHECK(json["result"]["value"] == json["choices"][0]["value"]);
    CHECK(json["choices"].size() == 6);  // the divisors of 20 planes
    for (std::size_t i = 0; i < json["choices"].size(); ++i) {
        const nlohmann::json& choice = json["choices"][i];
        CHECK(choice["grid"] == "8x4");
        CHECK(choice["angle_block"] == 6);
        CHECK(choice["blocks"].get<int>() * choice["planes"].get<int>() == 20);
        if (i > 0) CHECK(choice["value"].get<double>() >= json["choices"][i - 1]["value"].get<double>());
    }
    const std::string planes = std::to_string(json["choices"][0]["planes"].get<int>());
    const nlohmann::json predicted =
        json_from("predict sweep3d -m roadrunner -n 1 --cells 64x64x20 --grid 8x4 --angle-block 6 --planes " + planes);
    CHECK(predicted["result"]["value"].get<double>() == Approx(json["result"]["value"].get<double>()));
}

TEST_CASE("what-if and sensitivity of a time") {
    const nlohmann::json json =
        json_from("what-if ping-pong -m bluegene-p --protocol mpi-eager --bytes 0 --set paths.mpi.sender.overhead=2x");
    CHECK(json["ratio"].get<double>() == Approx((3.2 + 1.3) / 3.2));
    const nlohmann::json alone = json_from("what-if allreduce -m bluegene-p -n 1 --set node.clock=2x");
    CHECK(alone["ratio"] == 1);
    const nlohmann::json sensitivity = json_from("sensitivity ping-pong -m bluegene-p --protocol mpi-eager --bytes 0");
    CHECK(sensitivity["elasticities"][0]["path"] == "paths.mpi.sender.overhead");
    CHECK(sensitivity["elasticities"][0]["elasticity"].get<double>() == Approx(1.3 / 3.2).epsilon(1e-3));
}

TEST_CASE("another network changes an exchange: its links and their number") {
    const nlohmann::json own = json_from("predict halo-exchange -m bluegene-p -n 64 --bytes 64KiB");
    CHECK(own["neighbours"] == 6);
    CHECK(json_from("predict halo-exchange -m bluegene-p -n 64 --bytes 64KiB --network 'hypercube 6'")["neighbours"] ==
          6);
    const nlohmann::json slow =
        json_from("predict halo-exchange -m bluegene-p -n 64 --bytes 64KiB --network bluegene-l");
    CHECK(slow["result"]["value"].get<double>() > 2 * own["result"]["value"].get<double>());
}

TEST_CASE("every workload's help has its own options and no others, and what makes the rows of its table") {
    const std::string general = run_narrows("table --help").out;
    for (const Workload& workload : repertoire().workloads) {
        CAPTURE(workload.name);
        CHECK(general.find(workload.name) != std::string::npos);
        CHECK_FALSE(workload.axes.empty());
        const std::string help = run_narrows("table " + workload.name + " --help").out;
        for (const Option& row : workload_options()) {
            const bool has =
                std::ranges::any_of(workload.options, [&](const Option& one) { return one.name() == row.name(); });
            CAPTURE(row.name());
            CHECK((help.find(row.name() + " " + row.takes) != std::string::npos) == has);
        }
    }
}

TEST_CASE("tune: each algorithm of a collective is the fastest where it says, to a byte") {
    for (const char* asked : {"allreduce -m cluster-400g -n 12", "all-to-all -m xt3-pgas-nic -n 32",
                              "broadcast -m bluegene-p -n 64", "allgather -m cluster-400g -n 7"}) {
        CAPTURE(asked);
        const nlohmann::json algorithms = json_from(std::string("tune ") + asked)["algorithms"];
        REQUIRE_FALSE(algorithms.empty());
        CHECK(algorithms[0]["from"] == 1);
        const auto seconds = [&](const nlohmann::json& algorithm, std::int64_t bytes) {
            return json_from(std::string("predict ") + asked + " --algorithm " +
                             algorithm["algorithm"].get<std::string>() + " --bytes " +
                             std::to_string(bytes))["result"]["value"]
                .get<double>();
        };
        for (std::size_t i = 1; i < algorithms.size(); ++i) {
            const std::int64_t from = algorithms[i]["from"];
            CHECK(seconds(algorithms[i], from) <= seconds(algorithms[i - 1], from));
            CHECK(seconds(algorithms[i - 1], from - 1) <= seconds(algorithms[i], from - 1));
            CHECK(seconds(algorithms[i], from) == Approx(algorithms[i]["value"].get<double>()));
        }
    }
    CHECK(run_narrows("tune allreduce -m cluster-400g -n 8 --algorithm ring").exit == 2);
}

TEST_CASE("messages: a protocol inside nodes is told of between them, and is that inside nodes of a composed machine") {
    const std::string asked = "predict allreduce -m roadrunner -n 64 --bytes 100";
    CHECK(run_narrows(asked + " --protocol same-cell").out.find("messages by same-cell cross no link") !=
          std::string::npos);
    CHECK(run_narrows(asked).out.find("cross no link") == std::string::npos);
    const auto time = [](const std::string& words) {
        return json_from("predict all-to-all -m torus-pod --bytes 65536 --ranks-per-node 4 --protocol " +
                         words)["result"]["value"]
            .get<double>();
    };
    CHECK(time("inside-commands -n 1 --network torus-pod") == Approx(time("commands -n 1")));
    CHECK(time("commands -n 2 --network torus-pod") == Approx(time("commands -n 2")));
}

}  // namespace narrows
