#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "run_narrows.hpp"

namespace narrows {

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

TEST_CASE("solve says what forbids a target, and what is wrong with words") {
    const Ran forbidden =
        run_narrows("solve gups -m bluegene-l -n 65536 --target '100 GUPS' --vary network.link.bandwidth");
    CHECK(forbidden.exit == 1);
    CHECK(forbidden.out.find("no network.link.bandwidth reaches it: 15.36 GUPS at most, held back by processor") !=
          std::string::npos);
    const Ran alike = run_narrows("solve ping-pong -m bluegene-l --target '1 ns' --vary node.memory.size");
    CHECK(alike.out.find("does not depend on node.memory.size") != std::string::npos);
    const auto error = [](const std::string& words) {
        const Ran ran = run_narrows("solve gups -m bluegene-l -n 64 " + words);
        CHECK(ran.exit == 2);
        return ran.err;
    };
    CHECK(error("--target 3s --vary node.clock").find("--target 3s: give a rate with its unit, such as '20 GUPS'") !=
          std::string::npos);
    CHECK(error("--target '1 GUPS' --vary node.clok").find("--vary node.clok: ") != std::string::npos);
    CHECK(error("--vary node.clock").find("--target is required") != std::string::npos);
}

}  // namespace narrows
