#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>

#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "model/gups/workload.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

const std::filesystem::path root = std::filesystem::path(NARROWS_README).parent_path();

struct Block {
    std::string language;
    std::string text;
};

// The fenced blocks of a document, by its path beside the README.
std::vector<Block> blocks_of(const std::string& document) {
    std::istringstream lines(read_whole_file(root / document));
    std::vector<Block> found;
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) {
            inside = !inside;
            if (inside) found.push_back({line.substr(3), ""});
        } else if (inside) {
            found.back().text += line + "\n";
        }
    }
    return found;
}

// Those that are fenced as `language`.
std::vector<std::string> blocks(const std::string& language, const std::string& document = "README.md") {
    std::vector<std::string> found;
    for (const Block& block : blocks_of(document)) {
        if (block.language == language) found.push_back(block.text);
    }
    return found;
}

const std::string prompt = "$ narrows ";

// Runs what a document shows, from top to bottom, where its files are as it shows them: a YAML block that begins with
// `# NAME.yaml` is that file. A console is what its command prints; of commands that measure more than it allows there
// is only the help. Returns how many commands there were.
enum class Measures { nothing, runs, calibrations };
int run_document(const std::string& document, Measures allowed) {
    std::filesystem::create_directory_symlink(root / "tests", "tests");  // files that commands name
    const auto run_line = [allowed](std::string words) {
        const bool imports = words.starts_with("calibrate --from osu");
        const bool calibrates = !imports && (words.starts_with("calibrate") || words.starts_with("validate"));
        const bool is_left_out = (calibrates && allowed != Measures::calibrations) ||
                                 (words.starts_with("run") && allowed == Measures::nothing);
        if (is_left_out) words += " --help";
        const Ran ran = run_narrows(words);
        CAPTURE(words, ran.out, ran.err);
        CHECK(ran.exit <= (words.starts_with("validate") ? 1 : 0));  // 1: the predictions were not good enough
    };
    int seen = 0;
    for (const auto& [language, text] : blocks_of(document)) {
        const std::string first = text.substr(0, text.find('\n'));
        if (language == "yaml" && first.starts_with("# ")) write_whole_file(first.substr(2), text);
        if (language == "console") {
            REQUIRE(first.starts_with(prompt));
            const Ran ran = run_narrows(first.substr(prompt.size()));
            CAPTURE(first, ran.err);
            CHECK(ran.exit <= 1);  // 1: what was asked for cannot be
            CHECK(ran.out == text.substr(first.size() + 1));
            ++seen;
        }
        std::istringstream lines(language == "sh" ? text : "");
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with("narrows ")) continue;
            run_line(line.substr(8, line.find("  #") - 8));
            ++seen;
        }
    }
    return seen;
}

void write_benchmark_outputs() {
    const std::filesystem::path files = NARROWS_GOLDEN "/files";
    for (const char* name : {"osu_latency.txt", "osu_mbw_mr.txt", "osu_mbw_mr_one_pair.txt"}) {
        write_whole_file(name, read_whole_file(files / name));
    }
}

TEST_CASE("what the README shows is what the commands print, and the options that it lists exist", "[long]") {
    const ScratchDirectory scratch;
    write_whole_file("here.yaml", blocks("yaml").back());
    write_benchmark_outputs();
    CHECK(run_document("README.md", Measures::nothing) >= 30);
}

TEST_CASE("the machine file of the README is right and can be predicted") {
    const auto files = blocks("yaml");  // a workload file, and the machine
    REQUIRE(files.size() == 2);
    const Machine machine = parse_machine(files.back(), "README.md", "mine");
    GupsQuery query{.variant = GupsCode::routed, .nodes = 256};
    CHECK(predict_gups(machine, query).rate.si() > 0);
}

TEST_CASE("the commands of the document on workload files run with the file that it shows") {
    const ScratchDirectory scratch;
    CHECK(run_document("docs/workload-files.md", Measures::runs) == 4);
}

TEST_CASE("the tutorial runs from top to bottom and prints what it shows", "[long]") {
    const ScratchDirectory scratch;
    write_benchmark_outputs();
    // In place of a calibration, which the measured test makes: the fabric's node, which has costs of computing.
    write_whole_file("here.yaml", blocks("yaml", "docs/tutorial.md").front());
    CHECK(run_document("docs/tutorial.md", Measures::runs) >= 12);
}

TEST_CASE("the tutorial with its calibration", "[.][measures:tutorial]") {
    const ScratchDirectory scratch;
    write_benchmark_outputs();
    CHECK(run_document("docs/tutorial.md", Measures::calibrations) >= 12);
}

}  // namespace
}  // namespace narrows
