#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "run_narrows.hpp"

// Prices in machine files: solve --minimise, and what sensitivity says of them.
namespace narrows {
namespace {

using Catch::Contains;

const char* const gups_prices = "--set price.node='3000 USD' --set price.link='150 USD' --set price.port='40 USD'";

}  // namespace

TEST_CASE("a network that has no such size is counted only where its links have a price") {
    const ScratchDirectory here;
    write_whole_file("d.yaml",
                     "name: D\nsource: x\nnetwork: {link: {bandwidth: 10 GB/s, latency: 100 ns}, topology: dragonfly "
                     "a=4 p=2 h=2}\nprice: {node: 1000 USD}\npaths: {w: {send: {overhead: 100 ns}, link: {piece: 1 "
                     "KiB}, receive: {overhead: 100 ns}}}\nprotocols: {q: {w: 1}}\n");
    const std::string least = "solve barrier -m d.yaml --target '10 us' --minimise price --vary nodes=4,72";
    const nlohmann::json of_nodes = json_from(least);
    CHECK(of_nodes["cheapest"]["settings"]["nodes"] == 4);
    CHECK(of_nodes["cheapest"]["spent"]["value"] == 4000);
    const std::string links = " --set price.link='1 USD'";
    const nlohmann::json of_links = json_from(least + links);
    CHECK(of_links["cheapest"]["settings"]["nodes"] == 72);
    CHECK(of_links["remarks"].dump().find("left out 1 setting whose network cannot be counted") != std::string::npos);
    CHECK(json_from("sensitivity barrier -m d.yaml -n 4")["elasticities"].dump().find("gain_per_price") !=
          std::string::npos);
    const Ran without = run_narrows("sensitivity barrier -m d.yaml -n 4" + links);
    CHECK(without.exit == 0);
    CHECK((without.out + without.err).find("nothing for the price: ") != std::string::npos);
}

TEST_CASE("solve --minimise price finds what all settings, one by one, come to", "[long]") {
    const std::vector<std::int64_t> sizes = {512, 1024, 2048, 4096, 8192};
    const std::vector<std::string> networks = {"torus 16x16x32", "mesh 16x16x32", "hypercube 13"};
    double least = 1e300, at = 0;
    std::string on;
    int settings = 0;
    for (const std::string& network : networks) {
        for (const std::int64_t nodes : sizes) {
            const nlohmann::json found =
                json_from(fmt::format("predict gups -m bluegene-l -n {} --network '{}'", nodes, network));
            const std::string built = found["network"];
            const nlohmann::json topology = json_from("topology '" + built + "'");
            const double links = topology["links"];
            const double price = 3000.0 * static_cast<double>(nodes) + links * (150 + 2 * 40);
            ++settings;
            if (found["result"]["value"] < 1.5e9 || price >= least) continue;
            least = price;
            at = static_cast<double>(nodes);
            on = network;
        }
    }
    REQUIRE(least < 1e300);
    const std::string asked = fmt::format(
        "solve gups -m bluegene-l {} --target '1.5 GUPS' --minimise price --vary nodes={} --vary "
        "network='torus 16x16x32,mesh 16x16x32,hypercube 13'",
        gups_prices, "512,1024,..8192");
    const nlohmann::json found = json_from(asked);
    CHECK(found["minimised"] == "price");
    CHECK(found["cheapest"]["settings"]["nodes"] == at);
    CHECK(found["cheapest"]["settings"]["network"] == on);
    CHECK(found["cheapest"]["spent"]["value"].get<double>() == Approx(least));
    CHECK(found["cheapest"]["spent"]["unit"] == "USD");
    CHECK(found["after"]["nodes"] == at);
    CHECK(found["after"]["result"]["value"] == found["cheapest"]["value"]);
    double cost = 0, result = 0;
    for (const auto& one : found["frontier"]) {
        CHECK(one["spent"]["value"] > cost);
        CHECK(one["value"] > result);
        CHECK(one["reaches"] == (one["value"] >= 1.5e9));
        cost = one["spent"]["value"];
        result = one["value"];
    }
    CHECK(run_narrows(asked).out.find(fmt::format("of {} settings", settings)) != std::string::npos);

    // Of a range, the fewest nodes between its doublings too.
    const nlohmann::json ranged = json_from(fmt::format(
        "solve gups -m bluegene-l {} --target '1.5 GUPS' --minimise price --vary nodes=512..8192", gups_prices));
    const int fewest =
        json_from("solve gups -m bluegene-l --target '1.5 GUPS' --vary nodes=512..8192")["solution"]["value"];
    CHECK(fewest > 4096);
    CHECK(fewest < 8192);
    CHECK(ranged["cheapest"]["settings"]["nodes"] == fewest);
    CHECK(ranged["cheapest"]["value"] >= 1.5e9);
}

TEST_CASE("solve --minimise: one variable is a solution, power counts too, and a target may be out of reach") {
    const nlohmann::json one = json_from(
        "solve allreduce -m cluster-400g --bytes 1MiB --set power.node='800 W' --target '1 ms' --minimise power --vary "
        "nodes=2..64");
    CHECK(one["solution"]["path"] == "nodes");
    CHECK(one["solution"]["value"] == 2);
    CHECK(one["cheapest"]["spent"] == nlohmann::json{{"value", 1600}, {"unit", "W"}});
    const Ran none = run_narrows(fmt::format(
        "solve gups -m bluegene-l {} --target '1000 GUPS' --minimise price --vary nodes=512,1024", gups_prices));
    CHECK(none.exit == 1);
    CHECK_THAT(none.out, Contains("no setting reaches it"));
    // A number of nodes that the network cannot have is left out, and said so.
    const Ran skipped =
        run_narrows(fmt::format("solve gups -m bluegene-l {} --target '0.1 GUPS' --minimise price --network 'hypercube "
                                "10' --vary nodes=500,512",
                                gups_prices));
    CHECK(skipped.exit == 0);
    CHECK_THAT(skipped.err, Contains("left out 1 of 2 points"));
}

TEST_CASE("sensitivity tells what a part of the price buys, where there are prices") {
    const std::string asked = "sensitivity gups -m bluegene-l -n 8192 --messaging raw";
    const nlohmann::json free = json_from(asked);
    REQUIRE(!free["elasticities"].empty());
    for (const auto& one : free["elasticities"]) CHECK_FALSE(one.contains("gain_per_price"));
    const nlohmann::json priced = json_from(asked + " --set price.node='3000 USD' --set price.link='150 USD'");
    const double nodes = 8192 * 3000.0, links = 3 * 8192 * 150.0;
    bool any = false;
    for (const auto& one : priced["elasticities"]) {
        const std::string path = one["path"];
        if (path.find(".link.") == std::string::npos) continue;
        CHECK(one.contains("gain_per_price") != one.contains("at_step"));
        if (one.contains("at_step")) continue;
        any = true;
        CHECK(one["gain_per_price"].get<double>() ==
              Approx(std::abs(one["elasticity"].get<double>()) * (nodes + links) / links));
    }
    CHECK(any);
    CHECK_THAT(run_narrows(asked + " --set price.link='150 USD'").out, Contains("for 1 % of the price"));
}

}  // namespace narrows
