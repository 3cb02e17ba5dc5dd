#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>

#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "model/gups/workload.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

// The blocks of a document, by its path beside the README, that are fenced as `language`.
std::vector<std::string> blocks(const std::string& language, const std::string& document = "README.md") {
    std::istringstream lines(read_whole_file(std::filesystem::path(NARROWS_README).parent_path() / document));
    std::vector<std::string> found;
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line == "```" + language) {
            inside = true;
            found.emplace_back();
        } else if (line == "```") {
            inside = false;
        } else if (inside) {
            found.back() += line + "\n";
        }
    }
    return found;
}

TEST_CASE("what the README shows is what the commands print") {
    const std::string prompt = "$ narrows ";
    const auto consoles = blocks("console");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(
        std::filesystem::path(NARROWS_README).parent_path());  // commands name files from there
    CHECK(consoles.size() >= 2);
    for (const std::string& block : consoles) {
        const std::string command = block.substr(0, block.find('\n'));
        REQUIRE(command.starts_with(prompt));
        const Ran ran = run_narrows(command.substr(prompt.size()));
        CHECK(ran.exit == 0);
        CHECK(ran.out == block.substr(command.size() + 1));
    }
    std::filesystem::current_path(before);
}

TEST_CASE("the machine file of the README is right and can be predicted") {
    const auto machines = blocks("yaml");
    REQUIRE(machines.size() == 1);
    const Machine machine = parse_machine(machines.front(), "README.md", "mine");
    GupsQuery query;
    query.variant = GupsCode::routed;
    query.nodes = 256;
    CHECK(predict_gups(machine, query).rate.si() > 0);
}

TEST_CASE("the commands of the document on workload files run with the file that it shows") {
    const ScratchDirectory scratch;
    const std::string document = "docs/workload-files.md";
    write_whole_file("fft.yaml", blocks("yaml", document).front());
    int seen = 0;
    for (const std::string& block : blocks("sh", document)) {
        std::istringstream lines(block);
        for (std::string line; std::getline(lines, line); ++seen) {
            CAPTURE(line);
            REQUIRE(line.starts_with("narrows "));
            CHECK(run_narrows(line.substr(8)).exit == 0);
        }
    }
    CHECK(seen == 4);
}

TEST_CASE("every narrows command that the README lists has options that exist") {
    const ScratchDirectory scratch;
    write_whole_file("here.yaml", blocks("yaml").front());
    const std::filesystem::path files = NARROWS_GOLDEN "/files";
    for (const char* name : {"osu_latency.txt", "osu_mbw_mr.txt", "osu_mbw_mr_one_pair.txt"}) {
        write_whole_file(name, read_whole_file(files / name));
    }
    int seen = 0;
    for (const std::string& block : blocks("sh")) {
        std::istringstream lines(block);
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with("narrows ")) continue;
            ++seen;
            std::string words = line.substr(8, line.find("  #") - 8);
            const bool imports = words.starts_with("calibrate --from osu");
            const bool measures = !imports && (words.starts_with("calibrate") || words.starts_with("validate") ||
                                               words.starts_with("run"));
            if (measures) words += " --help";
            CHECK(run_narrows(words).exit == 0);
        }
    }
    CHECK(seen >= 4);
}

}  // namespace
}  // namespace narrows
