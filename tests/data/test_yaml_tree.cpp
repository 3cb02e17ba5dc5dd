#include <yaml-cpp/yaml.h>

#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "data/source_text.hpp"
#include "data/yaml_tree.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

void check_same(const YamlNode& ours, const YAML::Node& theirs) {
    if (theirs.IsMap()) {
        REQUIRE(ours.is_map());
        REQUIRE(ours.entries.size() == theirs.size());
        for (const YamlEntry& entry : ours.entries) check_same(entry.value, theirs[entry.key]);
    } else {
        REQUIRE(ours.scalar == (theirs.IsNull() ? "" : theirs.Scalar()));
        if (!theirs.IsScalar()) return;
        CHECK(ours.place.line == theirs.Mark().line + 1);
        CHECK(ours.place.column == theirs.Mark().column + 1);
    }
}

// Whether yaml-cpp and we take it, and then for the same.
bool is_read(const std::string& text) {
    INFO(text);
    YAML::Node theirs;
    try {
        theirs = YAML::Load(text);
    } catch (const YAML::Exception&) {
        CHECK_THROWS_AS(parse_yaml(SourceText("x.yaml", text)), InputError);
        return false;
    }
    check_same(parse_yaml(SourceText("x.yaml", text)), theirs);
    return true;
}

}  // namespace

TEST_CASE("blocks of lines are what yaml-cpp takes them for") {
    CHECK(is_read("points: |\n  1 2\n  3 4\nmean: 1\n"));
    CHECK(is_read("a:\n  points: |\n    1 2\n     3 4\n  states: |\n    5\nb: 2\n"));
    CHECK(is_read("points: |\n  1 2\n\n  3 4\n\nmean: 1\n"));
    CHECK(is_read("points: |\n\n  1 2\n"));
    CHECK(is_read("points: |\nmean: 1\n"));
    CHECK(is_read("points: |\n  1 2"));
    CHECK(is_read("a: |\n  points: |\n    1\n  b\nc: 1\n"));
    CHECK(is_read("points: |\r\n  1 2\r\nmean: 1\r\n"));
    CHECK(is_read("a: \"x\n  points: |\n    1 2\"\nb: 1\n"));
    CHECK(is_read("a: x\n  points |\nb: |\n  1\n"));
    CHECK_FALSE(is_read("points: |\n    1 2\n  3 4\nmean: 1\n"));
    CHECK_FALSE(is_read("a: {\n  points: |\n    1\n}\n"));
}

TEST_CASE("what is wrong behind a block of lines has its own place") {
    const auto place_of = [](const std::string& text) {
        try {
            parse_yaml(SourceText("x.yaml", text));
        } catch (const InputError& error) {
            return std::pair(error.line(), error.column());
        }
        return std::pair(0, 0);
    };
    CHECK(place_of("points: |\n  1 2\n  3 4\nmean: 1\n mean: 2\n").first == 5);
    CHECK(place_of("points: |\n  1 2\n  3 4\nmean: 1\nmean: 2\n") == std::pair(5, 1));
    CHECK(place_of("points: |\n  1 2\n  3 4\nmean: \"1\n") == std::pair(4, 7));
}

TEST_CASE("texts with bars, quotes and any indentation are read as yaml-cpp does or refused") {
    std::mt19937 random(7);
    constexpr std::array pieces = {"points: |", "states: |", "1 2 3", "a: \"x", "y\"", "b: 1", "", "# c: |", "d:"};
    int read = 0;
    for (int i = 0; i < 4000; ++i) {
        std::string text = "first: 1\n";
        for (int line = 0; line < 6; ++line) {
            text += std::string(2 * (random() % 3), ' ') + pieces.at(random() % pieces.size()) + "\n";
        }
        try {
            parse_yaml(SourceText("x.yaml", text));
        } catch (const InputError&) {
            continue;
        }
        read += is_read(text) ? 1 : 0;
    }
    CHECK(read > 200);
}

}  // namespace narrows
