#include <catch2/catch.hpp>
#include <random>

#include "calibrate/ranks/sanitizer.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// Reads `text`: it must be a machine that can be written and read again, or an error with a place in the text.
bool parses(const std::string& text) {
    try {
        const Machine machine = parse_machine(text, "fuzz.yaml", "fuzz");
        REQUIRE(parse_machine(write_machine(machine), "fuzz.yaml", "fuzz") == machine);
        return true;
    } catch (const InputError& error) {
        REQUIRE(error.file() == "fuzz.yaml");
        REQUIRE(error.line() >= 1);
        REQUIRE(error.column() >= 1);
        REQUIRE(static_cast<std::size_t>(error.column()) <= error.text().size() + 1);
        REQUIRE_FALSE(std::string(error.what()).empty());
        return false;
    }
}

std::string shipped(const std::string& id) {
    return read_whole_file(data_directory() / "machines" / (id + ".yaml"));
}

// A place in each line of `text`: under a sanitizer reading takes twenty times as long, and one place of a line goes
// the ways of the others.
std::vector<std::size_t> place_a_line(const std::string& text, std::mt19937_64& random) {
    std::vector<std::size_t> places;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
        places.push_back(begin + random() % (end - begin));
        begin = end;
    }
    return places;
}

// Changes `text` in up to four places, of which `at` is the first.
std::string mutated(std::string text, std::size_t at, std::mt19937_64& random) {
    static const std::string bytes = "{}[]:,#&*!|>'\"%@`-?~ \t\n\r0159.exaµ\\=/\x01";
    for (std::uint64_t edits = 1 + random() % 4; edits > 0 && !text.empty(); --edits) {
        const std::size_t length = std::min<std::size_t>(random() % 30, text.size() - at);
        switch (random() % 5) {
            case 0:
                text[at] = bytes[random() % bytes.size()];
                break;
            case 1:
                text.insert(at, 1, bytes[random() % bytes.size()]);
                break;
            case 2:
                text.erase(at, length);
                break;
            case 3:
                text.insert(random() % text.size(), text.substr(at, length));
                break;
            default:
                text[at] = static_cast<char>(random() % 256);
        }
        if (!text.empty()) at = random() % text.size();
    }
    return text;
}

}  // namespace

TEST_CASE("a truncated machine file parses or is an error") {
    std::mt19937_64 random(6);
    int read = 0;
    for (const std::string& id : machine_ids()) {
        const std::string text = shipped(id);
        std::vector<std::size_t> sizes = place_a_line(text, random);
        for (std::size_t size = 0; !sanitized && size < text.size(); size += 7) sizes.push_back(size);
        for (const std::size_t size : sizes) read += parses(text.substr(0, size)) ? 1 : 0;
    }
    CHECK(read > 20);
}

TEST_CASE("a mutated machine file parses or is an error") {
    std::mt19937_64 random(7);
    int read = 0;
    int refused = 0;
    for (const std::string& id : machine_ids()) {
        const std::string text = shipped(id);
        std::vector<std::size_t> places = place_a_line(text, random);
        while (!sanitized && places.size() < 700) places.push_back(random() % text.size());
        for (const std::size_t place : places) ++(parses(mutated(text, place, random)) ? read : refused);
    }
    CHECK(read > 50);
    CHECK(refused > 100);
}

TEST_CASE("random bytes and deep or broken structures are errors") {
    std::mt19937_64 random(8);
    for (int i = 0; i < 2000; ++i) {
        std::string text;
        for (std::uint64_t n = random() % 60; n > 0; --n) text += static_cast<char>(random() % 256);
        parses(text);
    }
    for (const char* piece :
         {"{", "[", "{a: ", "[[", "? ", "- ", "a: {", "&a ", "*a ", "!!", "| ", "\"", "'", "a:\n", "%"}) {
        for (const int count : {1, 2, 600, 20000}) {
            std::string text;
            for (int i = 0; i < count; ++i) text += piece;
            INFO(piece << " " << count << " times");
            CHECK_FALSE(parses(text));
        }
    }
}

}  // namespace narrows
