#include <yaml-cpp/yaml.h>

#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <string>

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
    for (const char* text :
         {"points: |\n  1 2\n  3 4\nmean: 1\n", "a:\n  points: |\n    1 2\n     3 4\n  states: |\n    5\nb: 2\n",
          "points: |\n  1 2\n\n  3 4\n\nmean: 1\n", "points: |\n\n  1 2\n", "points: |\nmean: 1\n", "points: |\n  1 2",
          "a: |\n  points: |\n    1\n  b\nc: 1\n", "points: |\r\n  1 2\r\nmean: 1\r\n",
          "a: \"x\n  points: |\n    1 2\"\nb: 1\n", "a: x\n  points |\nb: |\n  1\n"}) {
        CHECK(is_read(text));
    }
    CHECK_FALSE(is_read("points: |\n    1 2\n  3 4\nmean: 1\n"));
    CHECK_FALSE(is_read("a: {\n  points: |\n    1\n}\n"));
}

// What is wrong with a text, and where; nothing where it is read.
struct Refusal {
    std::string message;
    int line = 0;
    int column = 0;
};
Refusal refusal_of(const std::string& text) {
    try {
        parse_yaml(SourceText("x.yaml", text));
    } catch (const InputError& error) {
        return {error.what(), error.line(), error.column()};
    }
    return {};
}

TEST_CASE("what is wrong behind a block of lines has its own place") {
    const Refusal twice = refusal_of("points: |\n  1 2\n  3 4\nmean: 1\nmean: 2\n");
    CHECK(twice.message == "duplicate key 'mean', first given in line 4: delete one of them");
    CHECK((twice.line == 5 && twice.column == 1));
    const Refusal open = refusal_of("points: |\n  1 2\n  3 4\nmean: \"1\n");
    CHECK((open.line == 4 && open.column == 7));
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
        INFO(text);
        const Refusal ours = refusal_of(text);
        // Below a line of spaces no block is taken from the text.
        const Refusal whole = refusal_of(" \n" + text);
        REQUIRE(ours.message.empty() == whole.message.empty());
        if (ours.message.empty()) {
            read += is_read(text) ? 1 : 0;
        } else if (ours.message.find("in line") == std::string::npos) {
            CHECK(ours.message == whole.message);
            CHECK(ours.line + 1 == whole.line);
            CHECK(ours.column == whole.column);
        }
    }
    CHECK(read > 200);
}

}  // namespace narrows
