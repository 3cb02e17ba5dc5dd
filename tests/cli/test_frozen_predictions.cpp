#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "data/whole_file.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

constexpr const char* here = R"(name: Here
source: calibrated
environment: {processor: one of a test}
node: {processors: 2}
compute:
  gups:
    update: 5 ns
    route: {per_update: 5 ns, per_packet: 100 ns}
    bucket: {per_update: 10 ns, per_message: 100 ns}
)";

constexpr const char* freezing = "validate here.yaml --cases 4 --seed 3 --max-ranks 8 --freeze frozen.json";

std::string error_against(const std::string& machine = "here.yaml") {
    return refusal_of("validate " + machine + " --against frozen.json");
}

}  // namespace

TEST_CASE("frozen predictions are the same whenever they are frozen, and say what they are of", "[long]") {
    const ScratchDirectory scratch;
    write_whole_file("here.yaml", here);
    const auto first = json_from(freezing);
    CHECK(first["frozen"]["cases"].get<int>() + first["frozen"]["refused"].get<int>() == 4);
    const auto frozen = nlohmann::json::parse(read_whole_file("frozen.json"));
    CHECK(frozen["sha256"] == first["frozen"]["sha256"]);
    CHECK(frozen["frozen"]["choice"]["seed"] == 3);
    for (const auto& prediction : frozen["frozen"]["predictions"]) {
        if (!prediction.contains("refused")) CHECK(prediction["value"].get<double>() > 0);
    }
    CHECK(json_from("validate here.yaml --cases 4 --seed 4 --max-ranks 8 --freeze frozen.json") != first);
}

TEST_CASE("frozen predictions are refused where they are not those of this file, machine and program", "[long]") {
    const ScratchDirectory scratch;
    write_whole_file("here.yaml", here);
    REQUIRE(run_narrows(freezing).exit == 0);
    auto frozen = nlohmann::ordered_json::parse(read_whole_file("frozen.json"));
    SECTION("no such file") {
        write_whole_file("frozen.json", "{}");
        CHECK(error_against() ==
              "narrows: --against frozen.json: it has no frozen predictions: write some with --freeze FILE\n");
    }
    SECTION("a prediction that somebody has bettered") {
        frozen["frozen"]["predictions"][0]["value"] = 1e9;
        write_whole_file("frozen.json", frozen.dump());
        CHECK(error_against() == "narrows: --against frozen.json: it was changed after it was frozen\n");
    }
    SECTION("another machine") {
        std::string slower = here;
        slower.replace(slower.find("5 ns"), 4, "6 ns");
        write_whole_file("there.yaml", slower);
        CHECK(error_against("there.yaml") ==
              "narrows: --against frozen.json: its predictions are of another machine than 'there': name the machine "
              "file that they were made with, or freeze anew\n");
    }
    SECTION("words that choose other cases") {
        CHECK_THAT(refusal_of("validate here.yaml --against frozen.json --seed 4"),
                   Catch::Contains("--seed excludes --against"));
    }
    SECTION("where another option is wrong, nothing is written") {
        std::filesystem::remove("frozen.json");
        CHECK(run_narrows(std::string(freezing) + " -o drawn.svg").exit == 2);
        CHECK_FALSE(std::filesystem::exists("frozen.json"));
    }
}

TEST_CASE("frozen predictions are measured and judged as they were frozen") {
    const ScratchDirectory scratch;
    write_whole_file("here.yaml", here);
    REQUIRE(run_narrows("validate here.yaml --cases 2 --seed 3 --max-ranks 8 --freeze frozen.json").exit == 0);
    const auto frozen = nlohmann::json::parse(read_whole_file("frozen.json"));
    const Ran ran = run_narrows("validate here.yaml --against frozen.json --repeats 1 --format json");
    if (ran.exit != 0) {  // other tests beside this one
        CHECK(ran.exit == 1);
        CHECK(ran.err.find("in most runs of every case other programs used the cores") != std::string::npos);
        return;
    }
    const auto judged = nlohmann::json::parse(ran.out);
    CHECK(judged["seed"] == 3);
    const auto was_refused = [&judged](const std::string& name) {
        return std::ranges::any_of(judged["refused"], [&name](const nlohmann::json& line) {
            return line.get<std::string>().starts_with(name + ": in most of its runs other programs used the cores");
        });
    };
    std::size_t i = 0;
    for (const auto& prediction : frozen["frozen"]["predictions"]) {
        if (prediction.contains("refused") || was_refused(prediction["case"])) continue;
        const auto& found = judged["cases"].at(i++);
        CHECK(found["predicted"]["value"] == prediction["value"]);
        CHECK(found["measured"]["value"].get<double>() > 0);
    }
    CHECK(judged["cases"].size() == i);
}

}  // namespace narrows
