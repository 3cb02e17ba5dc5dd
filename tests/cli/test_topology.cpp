#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "data/whole_file.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

std::string networks() {
    return NARROWS_GOLDEN "/networks/";
}

/// How `narrows topology WORDS` fails: its message when it exits 2, prints nothing and leaves no file behind.
std::string refusal(const std::string& words) {
    const ScratchDirectory scratch;
    const std::string error = refusal_of("topology " + words);
    CHECK(scratch.files().empty());
    return error;
}

/// How a certificate of `text` is refused, and one that has `value` in place of what is at `pointer`.
std::string complaint(const std::string& text) {
    write_whole_file("d.json", text);
    return refusal_of("topology --verify d.json");
}

std::string complaint(nlohmann::json whole, const std::string& pointer, const nlohmann::json& value) {
    whole[nlohmann::json::json_pointer(pointer)] = value;
    return complaint(whole.dump());
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_CASE("topology: a file's numbers as JSON, in the file's unit") {
    const nlohmann::json json = json_from("topology '" + networks() + "pod.graphml'");
    CHECK(json["spec"] == "pod.graphml");
    CHECK(json["nodes"] == 4);
    CHECK(json["switches"] == 2);
    CHECK(json["links"] == 5);
    CHECK(json["diameter"] == 3);
    CHECK(json["mean_distance"].get<double>() == Approx(8.0 / 3));
    CHECK(json["capacity_unit"].is_null());
    CHECK(json["complete"] == true);
    CHECK(json["bisection"]["lower"] == 0.5);
    CHECK(json["alpha"]["upper"] == 0.25);
    CHECK(json["phi"]["upper"] == 0.125);
    for (const char* number : {"bisection", "alpha", "phi", "uniform_flow"}) {
        CHECK(json[number].size() == 6);
        CHECK(json[number]["lower"].get<double>() == Approx(json[number]["upper"].get<double>()));
        CHECK_FALSE(json[number]["method"].get<std::string>().empty());
        CHECK(has(json[number]["certificate"], "cut of capacity 0.5 separates nodes {n0, n1} from the other 2"));
    }
}

TEST_CASE("topology: switches are counted where formulas give all numbers") {
    CHECK(json_from("topology 'fat-tree ports=4 levels=2'")["switches"] == 6);
    CHECK(json_from("topology 'leaf-spine leaves=4 hosts=4 spines=2'")["switches"] == 6);
    CHECK(has(run_narrows("topology 'mesh 2'").out, "2 nodes, 1 link, degree 1"));
}

TEST_CASE("topology: all hosts on one switch have nothing but their own links between them") {
    const ScratchDirectory scratch;
    write_whole_file("one.edges", "switch S T\na S 1\nb S 1\nc S 1\nS T 7\n");
    const Ran ran = run_narrows("topology one.edges --without-host-links");
    CHECK(ran.exit == 2);
    CHECK(has(ran.err, "no links between hosts but their own: leave the option out"));
}

TEST_CASE("topology: dimension-order routing is for whatever predictions take it for") {
    const nlohmann::json loads = json_from("topology 'tofu 2x2x1' --routing dimension-order")["loads"];
    CHECK(loads["routing"] == "dimension-order");
    CHECK(has(loads["hottest"][0]["from"], "("));
}

TEST_CASE("topology: loads as JSON, the fullest link first") {
    const nlohmann::json loads = json_from("topology 'ring 8' --traffic tornado --hottest 3")["loads"];
    CHECK(loads["traffic"] == "tornado");
    CHECK(loads["routing"] == "dimension-order");
    CHECK(loads["fullest_share"] == 3);
    CHECK(loads["allowed_rate"].get<double>() == Approx(1.0 / 3));
    CHECK(loads["mean_hops"] == 3);
    REQUIRE(loads["hottest"].size() == 3);
    CHECK(loads["hottest"][0]["from"] == "(0)");
    CHECK(loads["hottest"][0]["to"] == "(1)");
    CHECK(loads["hottest"][0]["share"] == 3);
}

TEST_CASE("topology: a grid in a file has the grid's distances, however many nodes it has") {
    const ScratchDirectory scratch;
    REQUIRE(run_narrows("topology 'torus 32x32x16' --export t.edges").exit == 0);
    const nlohmann::json by_name = json_from("topology 'torus 32x32x16'");
    const nlohmann::json by_file = json_from("topology t.edges");
    CHECK(has(by_file["bisection"]["method"], "recognised as torus 32x32x16"));
    for (const char* number : {"nodes", "links", "degree", "diameter", "mean_distance"}) {
        CHECK(by_file[number] == by_name[number]);
    }
    CHECK(by_file["bisection"]["lower"] == by_name["bisection"]["lower"]);
}

TEST_CASE("topology: what SimGrid's form cannot say of a network is told when it is written") {
    const ScratchDirectory scratch;
    const std::string network = "topology 'leaf-spine leaves=3 hosts=2 spines=2 links=2' --export ";
    const Ran ran = run_narrows(network + "n.xml");
    CHECK(has(ran.err, "n.xml: a capacity of 1 is written as 1 Gbit/s"));
    CHECK(has(ran.err, "n.xml: 18 cables are written as 12 links"));
    CHECK(has(ran.err, "degrees, prices and loads by shortest paths are others"));
    CHECK(run_narrows(network + "n.edges").err.empty());
    CHECK(run_narrows("topology n.xml --export again.xml").err.empty());
}

TEST_CASE("topology: what is exported reads back as the same network in every format") {
    const ScratchDirectory scratch;
    for (const char* spec : {"leaf-spine leaves=4 hosts=4 spines=2", "mesh 3x3 hosts=2", "kautz degree=2 diameter=3"}) {
        const nlohmann::json by_name = json_from(fmt::format("topology '{}'", spec));
        for (const char* file : {"n.xml", "n.dot", "n.graphml", "n.edges", "n.graph"}) {
            CAPTURE(spec, file);
            REQUIRE(run_narrows(fmt::format("topology '{}' --export {}", spec, file)).exit == 0);
            const nlohmann::json by_file = json_from(fmt::format("topology {}", file));
            for (const char* number : {"nodes", "diameter"}) CHECK(by_file[number] == by_name[number]);
            CHECK(by_file["mean_distance"].get<double>() == Approx(by_name["mean_distance"].get<double>()));
            const double unit = by_file["capacity_unit"] == "Gbit/s" ? by_file["bisection"]["upper"].get<double>() /
                                                                           by_name["bisection"]["upper"].get<double>()
                                                                     : 1;
            for (const char* number : {"bisection", "alpha", "phi"}) {
                CHECK(by_file[number]["upper"].get<double>() == Approx(unit * by_name[number]["upper"].get<double>()));
            }
        }
    }
}

TEST_CASE("topology: proofs are written, hold when worked out again, and damage is seen") {
    const ScratchDirectory scratch;
    const Ran wrote = run_narrows("topology '" + networks() + "petersen.dot' --certificate p.json");
    REQUIRE(wrote.exit == 0);
    CHECK(has(wrote.out, "narrows topology --verify p.json"));
    const nlohmann::json checked = json_from("topology --verify p.json");
    CHECK(checked["holds"] == true);
    CHECK(checked["nodes"] == 10);
    CHECK(checked["claims"].size() == 8);
    for (const auto& claim : checked["claims"]) CHECK(claim["holds"] == true);

    nlohmann::json better = nlohmann::json::parse(read_whole_file("p.json"));
    better["claims"]["phi"]["upper"] = 0.19;
    write_whole_file("better.json", better.dump());
    const Ran refuted = run_narrows("topology --verify better.json");
    CHECK(refuted.exit == 1);
    CHECK(has(refuted.out, "NOT every claim is proven"));
}

TEST_CASE("topology: a damaged certificate is told of, not believed") {
    const ScratchDirectory scratch;
    REQUIRE(run_narrows("topology '" + networks() + "petersen.dot' --certificate p.json").exit == 0);
    const std::string text = read_whole_file("p.json");
    const nlohmann::json whole = nlohmann::json::parse(text);
    CHECK(has(complaint(text.substr(0, text.size() / 2)), "d.json:1:"));
    CHECK(has(complaint(""), "d.json:1:1: this is not JSON"));
    CHECK(complaint("[1, 2]") == "d.json: this is not a certificate of a network: write one (--certificate)\n");
    CHECK(has(complaint(whole, "/schema", 2), "the certificate's schema is not 1"));
    CHECK(has(complaint(whole, "/network/hosts", 1e300), "the number of hosts is not a whole number from 0 to"));
    CHECK(has(complaint(whole, "/network/links/0/0", 10), "the end of a link is not a whole number from 0 to 9"));
    CHECK(has(complaint(whole, "/network/links/0/2", 0), "link [0,1,0] is impossible"));
    CHECK(has(complaint(whole, "/proofs/cuts/phi", "0101"), "a cut is not one 0 or 1 for each vertex"));
    CHECK(has(complaint(whole, "/proofs/least", nlohmann::json::array({1, 2})),
              "list of least cuts has 2 entries instead of 5"));
    CHECK(has(complaint(whole, "/claims/alpha", "big"), "the certificate is damaged (cannot use at()"));
}

TEST_CASE("topology: a certificate has the symmetries that its flow was found with") {
    const ScratchDirectory scratch;
    REQUIRE(run_narrows("topology 'twisted-torus 8x4 twist=4' --certificate s.json").exit == 0);
    CHECK(json_from("topology --verify s.json")["holds"] == true);
    const nlohmann::json whole = nlohmann::json::parse(read_whole_file("s.json"));
    REQUIRE_FALSE(whole["proofs"]["symmetries"].empty());
    CHECK(has(complaint(whole, "/proofs/symmetries/0/0/1", 32),
              "a vertex of a symmetry is not a whole number from 0 to 31"));
    CHECK(has(complaint(whole, "/proofs/symmetries/0", nlohmann::json::parse("[[0, 1], [1, 0]]")),
              "a symmetry of the certificate is none of its network"));
    CHECK(has(complaint(whole, "/proofs/symmetries/0", nlohmann::json::parse("[[0, 1]]")),
              "a symmetry of the certificate is none of its network"));
    CHECK(
        has(complaint(whole, "/proofs/hubs", nlohmann::json::array({-1})), "a hub is not a whole number from 0 to 31"));
    CHECK(has(complaint(whole, "/proofs/spectral_order", nlohmann::json::array({32})),
              "a vertex of the order of elimination is not a whole number"));
}

TEST_CASE("topology: a budget that is over leaves the best bounds so far, marked as such") {
    const nlohmann::json json = json_from("topology 'jellyfish 64 degree=6 seed=1' --budget '1 ns'");
    CHECK(json["complete"] == false);
    CHECK(json["phi"]["lower"].get<double>() <= json["phi"]["upper"].get<double>());
    const Ran ran = run_narrows("topology 'jellyfish 64 degree=6 seed=1' --budget '1 ns' --hottest 1");
    CHECK(ran.exit == 0);
    CHECK(has(ran.out, "The budget ended the search"));
    CHECK(has(ran.out, "The budget ended the routing"));
}

TEST_CASE("topology: little memory makes the exact search narrower, not its answer another") {
    const std::string network = "topology 'jellyfish 40 degree=3 seed=1'";
    const nlohmann::json much = json_from(network), little = json_from(network + " --memory '1 KiB'");
    for (const char* number : {"bisection", "alpha", "phi"}) {
        CHECK(much[number]["lower"] == much[number]["upper"]);
        CHECK(little[number]["upper"] == much[number]["upper"]);
        CHECK(little[number]["lower"] == much[number]["lower"]);
    }
    CHECK(has(little["phi"]["method"], "path decomposition, width 2"));
    CHECK(little["phi"]["method"] != much["phi"]["method"]);
}

TEST_CASE("topology: the families are those that a SPEC can name, each with an example that parses") {
    const nlohmann::json families = json_from("topology --families")["families"];
    CHECK(families.size() >= 20);
    for (const auto& family : families) {
        CAPTURE(family["name"].get<std::string>());
        CHECK(has(family["grammar"], family["name"].get<std::string>()));
        CHECK_FALSE(family["help"].get<std::string>().empty());
        CHECK_FALSE(family["source"].get<std::string>().empty());
        const std::string example = family["example"];
        CHECK(json_from("topology '" + example + "' --budget '1 ms'")["nodes"].get<int>() >= 2);
    }
}

TEST_CASE("topology: nothing is written when anything is wrong") {
    CHECK(has(refusal("'torus 4x4' --export t.edges --traffic tornadoes"), "did you mean 'tornado'?"));
    CHECK(has(refusal("'torus 4x4' --export t.edges --routing up-town"), "did you mean 'up-down'?"));
    CHECK(has(refusal("'torus 4x4' --export t.edges --hottest 0"), "--hottest"));
    CHECK(has(refusal("'torus 4x4' --export t.txt"), "--export t.txt: the name's ending says the format"));
    CHECK(
        has(refusal(fmt::format("'{}pod.graphml' --export pod.graph", networks())), "METIS takes whole numbers only"));
    CHECK(has(refusal("'torus 4x4' --export nowhere/t.edges"), "create its folder first"));
    CHECK(has(refusal("'torus 4x4' --certificate nowhere/t.json"), "create its folder first"));
    CHECK(has(refusal("'torus 4x4' --certificate t.json --hosts first:99"),
              "the number of hosts 99 is out of range: give one from 1 to 16"));
    CHECK(has(refusal("'torus 4x4' --certificate t.json --seed one"), "--seed"));
}

}  // namespace
}  // namespace narrows
