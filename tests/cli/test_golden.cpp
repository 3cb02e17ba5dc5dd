#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>

#include "calibrate/ranks/sanitizer.hpp"
#include "data/library.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"

// Every file of tests/golden is a case: the command, its exit code, what it prints (tests/golden/README.md).
namespace narrows {
namespace {

// What depends on where the program is built, on its version or on the content of shipped files: their own tests look
// at these.
std::string without_origin(std::string text) {
    static const std::string data = data_directory().string();
    for (auto at = text.find(data); at != std::string::npos; at = text.find(data))
        text.replace(at, data.size(), "DATA");
    text = std::regex_replace(text, std::regex(R"("sha256": "[0-9a-f]{64}")"), R"("sha256": "SHA256")");
    return std::regex_replace(text, std::regex(R"("version": "[0-9.]+")"), R"("version": "VERSION")");
}

// The text of a case as it would be written down: errors are marked, so that one file shows both streams.
std::string case_text(const std::string& command, const Ran& ran) {
    std::string text = fmt::format("narrows {}\nexit: {}\n{}", command, ran.exit, without_origin(ran.out));
    std::istringstream lines(ran.err);
    for (std::string line; std::getline(lines, line);) text += fmt::format("err: {}\n", line);
    return text;
}

std::string command_of(const std::string& text) {
    const std::string first = text.substr(0, text.find('\n'));
    const std::string name = "narrows";
    if (!first.starts_with(name)) throw std::runtime_error("a golden case starts with 'narrows', not with: " + first);
    return first.size() > name.size() ? first.substr(name.size() + 1) : "";
}

// Numbers in full differ in their last digits from one build to another: nine of them are compared.
std::string with_nine_digits(const std::string& text) {
    static const std::regex in_full(R"(\d+\.\d{8,}(e[-+]\d+)?)");
    std::string shortened;
    auto from = text.begin();
    for (std::sregex_iterator at(text.begin(), text.end(), in_full), end; at != end; ++at) {
        shortened.append(from, (*at)[0].first);
        shortened += fmt::format("{:.9g}", std::stod(at->str()));
        from = (*at)[0].second;
    }
    return shortened.append(from, text.end());
}

// The first line in which two texts differ.
std::string difference(const std::string& expected, const std::string& found) {
    std::istringstream expected_lines(expected);
    std::istringstream found_lines(found);
    for (int line = 1;; ++line) {
        std::string a = "(the end)";
        std::string b = "(the end)";
        const bool more_a = static_cast<bool>(std::getline(expected_lines, a));
        const bool more_b = static_cast<bool>(std::getline(found_lines, b));
        if (!more_a) a = "(the end)";
        if (!more_b) b = "(the end)";
        if (a != b) return fmt::format("line {}\n  expected: {}\n  found:    {}", line, a, b);
        if (!more_a && !more_b) return "no line differs";
    }
}

std::vector<std::filesystem::path> golden_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(NARROWS_GOLDEN)) {
        if (file.path().extension() == ".test") files.push_back(file.path());
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

TEST_CASE("golden cases") {
    const bool accept = std::getenv("NARROWS_ACCEPT") != nullptr;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(NARROWS_GOLDEN);  // commands name the files beside the cases
    const auto files = golden_files();
    CHECK(files.size() >= 60);
    for (const std::filesystem::path& file : files) {
        // All of Roadrunner: half of the time of all cases, of code that smaller machines go through too. Node counts
        // that are looked at one by one as far as half a minute allows.
        constexpr const char* slow[] = {"reproduce_pakin2009", "solve_minimise", "solve_nodes"};
        if (sanitized && std::find(std::begin(slow), std::end(slow), file.stem()) != std::end(slow)) continue;
        const std::string expected = read_whole_file(file);
        const std::string command = command_of(expected);
        const std::string found = case_text(command, run_narrows(command));
        if (with_nine_digits(found) == with_nine_digits(expected)) continue;
        if (accept) write_whole_file(file, found);
        FAIL_CHECK(file.filename().string() << ": " << difference(expected, found) << "\n\nthe whole of it:\n"
                                            << found);
    }
    std::filesystem::current_path(before);
}

// Whole texts are pinned of one error of each kind; of the others, what says where and what to do.
TEST_CASE("every error says what is wrong and how to mend it, and prints nothing else") {
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(NARROWS_GOLDEN);
    std::istringstream lines(read_whole_file("errors.txt"));
    int cases = 0;
    for (std::string command, text; std::getline(lines, command) && std::getline(lines, text); ++cases) {
        text.erase(0, text.find_first_not_of(' '));
        const Ran ran = run_narrows(command_of(command));
        INFO(command << "\n" << ran.err);
        CHECK(ran.exit == 2);
        CHECK(ran.out.empty());
        CHECK_THAT(ran.err, Catch::Contains(text));
    }
    CHECK(cases >= 250);
    std::filesystem::current_path(before);
}

TEST_CASE("words are split as a shell splits them") {
    CHECK(words_of("a  'b c' d=\"e 'f'\" ''") == std::vector<std::string>{"a", "b c", "d=e 'f'", ""});
    CHECK(words_of("").empty());
    CHECK_THROWS_AS(words_of("a 'b"), std::logic_error);
}

}  // namespace narrows
