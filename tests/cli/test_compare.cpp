#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "run_narrows.hpp"

namespace narrows {
namespace {

nlohmann::json other_of(const std::string& command) {
    return json_from(command)["compared"][1];
}

}  // namespace

TEST_CASE("compare: predictions are those of predict, and the terms that moved sum to the change") {
    for (const std::string asked :
         {"allreduce -n 24 --bytes 64KiB", "gups -n 32 --variant routed", "fft-slabs -n 64", "ping-pong --bytes 64"}) {
        const std::string before = asked.starts_with("gups") ? "bluegene-l" : "cluster-400g";
        CAPTURE(asked);
        const std::string words = " --workload " + asked;
        const nlohmann::json json = json_from(fmt::format("compare {}{} --background 0%,50%", before, words));
        const nlohmann::json first = answer_from(fmt::format("predict {} -m {}", asked, before));
        const nlohmann::json second = answer_from(fmt::format("predict {} -m {} --background 50%", asked, before));
        CHECK(json["compared"][0]["prediction"] == first);
        CHECK(json["compared"][1]["prediction"] == second);
        CHECK(json["compared"][1]["label"] == "--background 50%");
        double sum = 0;
        double shares = 0;
        for (const auto& term : json["compared"][1]["terms"]) {
            sum += term["after"].get<double>() - term["before"].get<double>();
            shares += term["share"].get<double>();
        }
        double whole = 0;
        for (const auto& term : second["terms"]) whole += term["value"].get<double>();
        for (const auto& term : first["terms"]) whole -= term["value"].get<double>();
        CHECK(sum == Approx(whole));
        if (sum != 0) CHECK(shares == Approx(1));
    }
}

TEST_CASE("compare: lists of several options make every pair, and each machine each of them") {
    const nlohmann::json json =
        json_from("compare bluegene-p cluster-400g --workload allreduce -n 2,4 --algorithm ring,tree");
    std::vector<std::string> labels;
    for (const auto& one : json["compared"]) labels.push_back(one["label"]);
    REQUIRE(labels.size() == 8);
    CHECK(labels[0] == "bluegene-p -n 2 --algorithm ring");
    CHECK(labels[1] == "bluegene-p -n 2 --algorithm tree");
    CHECK(labels[2] == "bluegene-p -n 4 --algorithm ring");
    CHECK(labels[7] == "cluster-400g -n 4 --algorithm tree");
}

TEST_CASE("compare: an option of a workload file may be a list too") {
    const nlohmann::json json = json_from("compare cluster-400g --workload fft-slabs -n 64 --n 256,512");
    CHECK(json["compared"][1]["label"] == "--n 512");
    CHECK(json["compared"][1]["prediction"]["options"]["n"] == 512);
    CHECK(json["compared"][1]["parameters"].empty());
}

TEST_CASE("compare: exits 1 only when a difference is larger than --fail-over") {
    const std::string asked = "compare bluegene-l --workload gups -n 16384 --variant naive,routed --fail-over ";
    const double change = other_of("compare bluegene-l --workload gups -n 16384 --variant naive,routed")["change"];
    CHECK(change > 0);
    CHECK(run_narrows(asked + std::to_string(change * 0.999)).exit == 1);
    CHECK(run_narrows(asked + std::to_string(change * 1.001)).exit == 0);
    CHECK(run_narrows("compare bluegene-l bluegene-p").exit == 0);
    CHECK(run_narrows("compare bluegene-l bluegene-p --fail-over 1000%").exit == 1);  // what only one of them has
}

}  // namespace narrows
