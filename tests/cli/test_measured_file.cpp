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
    for (const auto& [nodes, rate] : read_measured("measured.csv")) gups[nodes] = rate.si() / 1e9;
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

TEST_CASE("measurements: errors name file and line") {
    CHECK(place_of_error("32,0.062\n512 0.844\n") == "measured.csv:2: expected 'N,value', such as '32,0.062'");
    CHECK(place_of_error("n,gups\n-32,0.062\n") ==
          "measured.csv:2: N -32 is out of range: give one from 1 to 1099511627776");
    CHECK(place_of_error("32,0\n") == "measured.csv:1: '0' is not an update rate above zero, such as '1.08' (GUPS)");
    CHECK(place_of_error("32,3 s\n") ==
          "measured.csv:1: '3 s' is not an update rate above zero, such as '1.08' (GUPS)");
    CHECK(place_of_error("n,gups\nm,gups\n").starts_with("measured.csv:2: "));
    CHECK(place_of_error("") == "measured.csv:0: no line 'N,value' in this file");
    CHECK(
        place_of_error("CommWorldProcs=x\nMPIRandomAccess_GUPs=1\n").starts_with("measured.csv:0: CommWorldProcs 'x'"));
}

}  // namespace narrows
