#include <catch2/catch.hpp>

#include "data/whole_file.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

using Catch::Matchers::WithinRel;

double iteration_time(const std::string& command) {
    return json_from(command)["result"]["value"].get<double>();
}

}  // namespace

// Ranks of a blade reach each other's memory: no gateway, nothing that two messages could wait for.
TEST_CASE("the virtual clock and the recurrence agree where no messages meet") {
    const std::string grid = GENERATE("4x4", "2x8", "8x2", "16x1", "1x16", "3x5", "1x1");
    const std::string deck =
        GENERATE(" --cells-per-rank 5x5x40", " --cells 17x19x40 --planes 4", " --cells 16x16x10 --angle-block 2");
    const std::string asked = " -m roadrunner --grid " + grid + deck;
    const double predicted = iteration_time("predict sweep3d" + asked);
    CAPTURE(grid, deck);
    const std::string clocked_run = "run sweep3d --virtual-clock --iterations 1" + asked;
    for (const char* compute : {" --skip-compute", ""}) {
        const double clocked = iteration_time(clocked_run + compute);
        CHECK_THAT(clocked, WithinRel(predicted, 1e-9));
    }
}

TEST_CASE("the virtual clock behind gateways is near the recurrence, which serves in another order") {
    for (const std::string ranks : {"32", "64", "256"}) {
        const std::string asked = " -m roadrunner --cells-per-rank 5x5x400 --ranks " + ranks;
        const auto run = json_from("run sweep3d --virtual-clock --iterations 1 --skip-compute" + asked);
        const auto& counters = run["counters"];
        CHECK(run["machine"] == "roadrunner");
        CHECK_THAT(run["result"]["value"].get<double>(), WithinRel(iteration_time("predict sweep3d" + asked), 0.02));
        CHECK(counters["communication_share"].get<double>() > 0.5);  // pakin2009: over half from 32 ranks on
        CHECK(counters["gateway_utilisation"].get<double>() > 0.1);
        CHECK(counters["gateway_utilisation"].get<double>() < 1);
        CHECK_THAT(run["predicted"]["value"].get<double>(), WithinRel(iteration_time("predict sweep3d" + asked), 1e-9));
        CHECK(counters["error"].is_null());
        CHECK_THAT(counters["grind_time"].get<double>(), WithinRel(40e-9, 1e-9));
        CHECK(counters["messages"] == (ranks == "32" ? 16640 : ranks == "64" ? 35840 : 153600));
    }
}

TEST_CASE("the virtual clock refuses requests that pass gateways faster than messages") {
    std::string text = read_whole_file(std::string(NARROWS_GOLDEN) + "/../../data/machines/roadrunner.yaml");
    const std::string honest = "request: {latency: {value: 6.16 us";
    REQUIRE(text.find(honest) != std::string::npos);
    text.replace(text.find(honest), honest.size(), "request: {latency: {value: 1 us");
    const ScratchDirectory scratch;
    write_whole_file("other.yaml", text);
    CHECK(refusal_of("run sweep3d --virtual-clock -m other.yaml --ranks 64 --cells-per-rank 5x5x40 --skip-compute") ==
          "narrows: --virtual-clock: through gateways a request takes the way of a message: give the protocol of "
          "the machine's last level a 'request' that takes as long as its flight\n");
}

TEST_CASE("a list of nodes makes a table by the clock with the recurrence beside it") {
    const std::string asked = " -m roadrunner --cells-per-rank 2x2x20 --iterations 1 --skip-compute --virtual-clock";
    const auto run = json_from("run sweep3d -n 1,2" + asked);
    REQUIRE(run["points"].size() == 2);
    CHECK(run["points"][0]["ranks"] == 32);
    CHECK(run["points"][1]["ranks"] == 64);
    CHECK(run["points"][1]["result"] == json_from("run sweep3d --ranks 64" + asked)["result"]);
    const Ran table = run_narrows("run sweep3d --ranks 4,16" + asked);
    CHECK(table.exit == 0);
    CHECK(table.out.find("nodes  ranks  grid") != std::string::npos);
}

TEST_CASE("the same cells on another machine stand beside a prediction") {
    const auto answer =
        json_from("predict sweep3d -m roadrunner -n 2 --cells-per-rank 5x5x40 --beside roadrunner-opterons");
    CHECK(answer["beside"]["ranks"] == 8);
    CHECK(answer["beside"]["value"] ==
          json_from("predict sweep3d -m roadrunner-opterons -n 2 --cells 40x40x40")["result"]["value"]);
}

}  // namespace narrows
