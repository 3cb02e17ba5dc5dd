#include "data/measured_file.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "run_narrows.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::map<std::int64_t, double> gups_in(const std::string& text) {
    const ScratchDirectory scratch;
    std::ofstream("measured.csv", std::ios::binary) << text;
    std::map<std::int64_t, double> gups;
    const MeasuredFile measured = read_measured("measured.csv");
    for (const auto& [nodes, rate] : measured.rates) gups[nodes] = rate.si() / 1e9;
    return gups;
}

std::string place_of_error(const std::string& text) {
    try {
        gups_in(text);
    } catch (const InputError& error) {
        return error.file() + ":" + std::to_string(error.line()) + ": " + error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("measurements: a header, comments, further columns, units and either line ending") {
    const std::map<std::int64_t, double> both = {{32, 0.062}, {512, 0.844}};
    CHECK(gups_in("32,0.062\n512,0.844\n") == both);
    CHECK(gups_in("# Table 7\nnodes,gups,cycles\n\n32,0.062,360\n512,0.844,425") == both);
    CHECK(gups_in("nodes,gups\r\n32,0.062\r\n512,0.844\r\n") == both);
    CHECK(gups_in("32,62 MHz\n").at(32) == Approx(0.062));
}

TEST_CASE("measurements: a summary of HPCC is one point") {
    const std::map<std::int64_t, double> one = {{512, 0.19}};
    CHECK(gups_in("VersionMajor=1\nCommWorldProcs=512\nMPIRandomAccess_GUPs=0.19\n") == one);
    CHECK(gups_in("CommWorldProcs=512\r\nMPIRandomAccess_GUPs=0.19\r\n") == one);
}

TEST_CASE("measurements: HPCC counts ranks, so that its point is in the row of as many") {
    const ScratchDirectory scratch;
    std::ofstream("hpcc.txt") << "CommWorldProcs=256\nMPIRandomAccess_GUPs=0.5\n";
    const nlohmann::json rows =
        json_from("table gups -m cluster-400g --ranks-per-node 4 -n 64,256 --measured hpcc.txt")["rows"];
    CHECK(rows[0]["measured"]["value"] == 0.5e9);
    CHECK_FALSE(rows[1].contains("measured"));
    const Ran ran = run_narrows("table gups -m cluster-400g --ranks-per-node 4 -n 256 --measured hpcc.txt");
    CHECK(ran.out.find("measured too, but no row: ranks = 256") != std::string::npos);
}

TEST_CASE("measurements: errors name file and line") {
    CHECK(place_of_error("32,0.062\n512 0.844\n") == "measured.csv:2: expected 'N,value', such as '32,0.062'");
    CHECK(place_of_error("n,gups\n-32,0.062\n") ==
          "measured.csv:2: N -32 is out of range: give one from 1 to 1099511627776");
    CHECK(place_of_error("32,0\n") == "measured.csv:1: '0' is not an update rate above zero, such as '1.08' (GUPS)");
    CHECK(place_of_error("32,3 s\n") ==
          "measured.csv:1: '3 s' is not an update rate above zero, such as '1.08' (GUPS)");
    CHECK(place_of_error("32,1\n32,2\n") == "measured.csv:2: 32 has a value already: give one for each N");
    CHECK(place_of_error("n,gups\nm,gups\n").starts_with("measured.csv:2: "));
    CHECK(place_of_error("") == "measured.csv:0: no line 'N,value' in this file");
    CHECK(
        place_of_error("CommWorldProcs=x\nMPIRandomAccess_GUPs=1\n").starts_with("measured.csv:0: CommWorldProcs 'x'"));
}

}  // namespace narrows
