#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "run_narrows.hpp"

namespace narrows {
namespace {

using Catch::Contains;

// The words of a choice as options.
std::string options_of(const nlohmann::json& choice) {
    std::string words;
    for (const char* key : {"variant", "shape", "bucket", "grid", "placement", "algorithm", "planes", "angle_block"}) {
        if (!choice.contains(key)) continue;
        const auto& word = choice[key];
        std::string option = key;
        std::ranges::replace(option, '_', '-');
        words += fmt::format(" --{} {}", option, word.is_string() ? word.get<std::string>() : word.dump());
    }
    return words;
}

}  // namespace

TEST_CASE("tune: choices come the best first, each as predict has it") {
    for (const char* asked :
         {"gups -m bluegene-l -n 64", "gups -m cluster-400g -n 8 --ranks-per-node 4 --variant routed",
          "halo-exchange -m cluster-400g -n 16 --ranks-per-node 4 --neighbours 4 --bytes 64KiB",
          "allreduce -m cluster-400g -n 8 --ranks-per-node 4 --bytes 1MiB",
          "fft-pencils -m cluster-400g -n 4 --ranks-per-node 4", "sweep3d -m roadrunner -n 4 --cells 16x16x12"}) {
        CAPTURE(asked);
        const nlohmann::json tuned = json_from(std::string("tune ") + asked);
        const bool is_rate = tuned["result"]["unit"] == "1/s";
        REQUIRE(tuned["choices"].size() > 1);
        CHECK(tuned["choices"][0]["value"] == tuned["result"]["value"]);
        double before = tuned["choices"][0]["value"];
        for (std::size_t i = 0; i < tuned["choices"].size(); ++i) {
            const nlohmann::json& choice = tuned["choices"][i];
            const double value = choice["value"];
            CHECK((is_rate ? value <= before : value >= before));
            before = value;
            if (i > 5 && i + 1 < tuned["choices"].size()) continue;
            CHECK(json_from(fmt::format("predict {}{}", asked, options_of(choice)))["result"]["value"] == value);
        }
    }
}

TEST_CASE("tune gups: the words that are given stay, and buckets are no larger than the rule allows") {
    const nlohmann::json one = json_from("tune gups -m bluegene-l -n 64 --variant routed --shape 4x4x4");
    for (const auto& choice : one["choices"]) {
        CHECK_FALSE(choice.contains("shape"));  // it is the same in all
        CHECK(choice["bucket"] <= 1024 / 12);
    }
    CHECK(run_narrows("tune gups -m bluegene-l -n 64 --shape 5x5 --variant routed").exit == 2);
}

TEST_CASE("tune: the table has the first twenty, CSV all, and why some have no prediction is told") {
    const std::string asked = "tune gups -m bluegene-l -n 4096";
    const auto choices = json_from(asked)["choices"].size();
    CHECK(choices > 20);
    const std::string csv = run_narrows(asked + " --format csv").out;
    CHECK(static_cast<std::size_t>(std::ranges::count(csv, '\n')) == choices + 1);
    CHECK_THAT(run_narrows(asked).out, Contains(fmt::format("and {} more, which CSV and JSON have", choices - 20)));
    CHECK_THAT(run_narrows(asked).out, Contains("choices have no prediction: the shape's sizes add up to 1028, but"));
}

TEST_CASE("tune says which choices intervals do not tell from the best") {
    const auto is_within = [](const nlohmann::json& value, const nlohmann::json& of) {
        return !of["low"].is_null() && of["low"] <= value && value <= of["high"];
    };
    int alike = 0;
    for (const char* asked : {"gups -m bluegene-l -n 64", "allreduce -m bluegene-p -n 64 --bytes 1KiB"}) {
        const nlohmann::json choices = json_from(std::string("tune ") + asked)["choices"];
        for (std::size_t i = 1; i < choices.size(); ++i) {
            const bool expected =
                is_within(choices[i]["value"], choices[0]) || is_within(choices[0]["value"], choices[i]);
            CHECK(choices[i]["like_best"] == expected);
            alike += expected ? 1 : 0;
        }
        const bool told =
            run_narrows(std::string("tune ") + asked).out.find("which is better is not known") != std::string::npos;
        CHECK(told == (alike > 0));
        alike = 0;
    }
    const ScratchDirectory here;
    CHECK(run_narrows("tune allreduce -m cluster-400g -n 64 -o rules.conf").exit == 0);
    CHECK(here.files() == std::vector<std::string>{"rules.conf"});
}

}  // namespace narrows
