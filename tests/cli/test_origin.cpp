#include <catch2/catch.hpp>
#include <fstream>
#include <set>

#include "data/inputs.hpp"
#include "data/library.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"

// What JSON says so that a result can be repeated: the program's version, what --set changed, the files that were read.
namespace narrows {
namespace {

std::string hash_of(const std::string& file) {
    InputRecord record;
    read_whole_file(file);
    return record.inputs().at(0).sha256;
}

std::set<std::string> files_of(const nlohmann::json& json) {
    std::set<std::string> files;
    for (const auto& input : json.at("inputs")) {
        const std::string file = input.at("file");
        CHECK(input.at("sha256") == hash_of(file));
        files.insert(file);
    }
    return files;
}

std::string shipped(const std::string& name) {
    return (data_directory() / name).string();
}

}  // namespace

TEST_CASE("json: the version of the program, and what --set has changed") {
    const nlohmann::json json =
        json_from("predict gups -m bluegene-l -n 64 --set node.clock=2x --set network.link.bandwidth='2.8 Gbit/s'");
    CHECK(json["version"] == NARROWS_VERSION);
    CHECK(json["set"] == std::vector<std::string>{"node.clock=2x", "network.link.bandwidth=2.8 Gbit/s"});
    CHECK(json_from("machines")["set"].empty());
    CHECK(json_from("what-if gups -m bluegene-l -n 64 --set node.clock=2x")["set"].size() == 1);
}

TEST_CASE("json: every file that was read, with the hash of its content") {
    const ScratchDirectory scratch;
    const std::string golden = std::string(NARROWS_GOLDEN) + "/";
    using Files = std::set<std::string>;
    const std::string bluegene = shipped("machines/bluegene-l.yaml");
    CHECK(files_of(json_from("predict gups -m bluegene-l -n 64")) == Files{bluegene});
    const std::string laptop = golden + "files/laptop.yaml";
    CHECK(files_of(json_from("predict gups --variant routed -n 64 --network bluegene-l -m '" + laptop + "'")) ==
          Files{laptop, bluegene});
    const std::string fabric = golden + "networks/fabric.ibnetdiscover";
    CHECK(files_of(json_from("predict gups --variant routed -n 4 -m '" + laptop + "' --network '" + fabric + "'")) ==
          Files{laptop, fabric});
    const std::string measured = golden + "files/measured.csv";
    CHECK(files_of(json_from("table gups -m bluegene-l -n 32,64 --measured '" + measured + "'")) ==
          Files{bluegene, measured});
    CHECK(
        files_of(json_from("table sweep3d -m roadrunner -n 1 --cells-per-rank 5x5x40 --beside roadrunner-opterons")) ==
        Files{shipped("machines/roadrunner.yaml"), shipped("machines/roadrunner-opterons.yaml")});
    CHECK(files_of(json_from("reproduce kumar2007")).contains(shipped("published/kumar2007/text.csv")));
    CHECK(files_of(json_from("topology 'torus 4x4'")).empty());
    CHECK(files_of(json_from("run gups --ranks 4 --table 64KiB")).empty());
}

TEST_CASE("json: files of hosts, of traffic and of proofs are inputs") {
    const ScratchDirectory scratch;
    std::ofstream("part.hosts") << "0\n1\n2\n3\n4\n5\n6\n7\n";
    std::ofstream("pairs.txt") << "0 1 1\n";
    std::ofstream("ring.edges") << "0 1\n1 2\n2 3\n3 0\n";
    using Files = std::set<std::string>;
    CHECK(files_of(json_from("topology 'torus 4x4' --hosts part.hosts --traffic pairs.txt --routing shortest")) ==
          Files{"part.hosts", "pairs.txt"});
    CHECK(files_of(json_from("topology ring.edges --certificate ring.proof")) == Files{"ring.edges"});
    CHECK(files_of(json_from("topology --verify ring.proof")) == Files{"ring.proof"});
}

TEST_CASE("json: a run knows only the files of its own") {
    json_from("show bluegene-l");
    CHECK(json_from("topology 'torus 4x4'")["inputs"].empty());
}

}  // namespace narrows
