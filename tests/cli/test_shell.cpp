#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include "cli/completion.hpp"
#include "cli/progress.hpp"
#include "cli/reference_pages.hpp"
#include "cli/repertoire.hpp"
#include "cli/run.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"

// What a user of a shell meets beside results: completion, help, pages, colours, quiet.
namespace narrows {
namespace {

const std::filesystem::path repository_folder = std::filesystem::path(NARROWS_README).parent_path();

// What the last word may become; `line` ends in a space where it is empty.
std::vector<std::string> completed(const std::string& line) {
    std::vector<std::string> words = words_of(line);
    if (line.empty() || line.ends_with(' ')) words.emplace_back();
    std::vector<std::string> found;
    for (const CompletedWord& one : completion(words, repertoire()).words) found.push_back(one.word);
    return found;
}

bool contains(const std::vector<std::string>& all, const std::string& one) {
    return std::ranges::find(all, one) != all.end();
}

// What a command of the system prints; nothing where it does not exist.
std::optional<std::string> printed_by(const std::string& program, const std::string& arguments) {
    if (std::system(("command -v " + program + " >/dev/null").c_str()) != 0) return std::nullopt;
    const std::string file = "printed";
    const int code = std::system((program + " " + arguments + " >" + file + " 2>&1").c_str());
    return read_whole_file(file) + (code == 0 ? "" : "failed\n");
}

}  // namespace

TEST_CASE("completion: commands, workloads, machines, options and their values") {
    CHECK(completed("predi") == std::vector<std::string>{"predict"});
    CHECK(contains(completed(""), "what-if"));
    CHECK(completed("predict gu") == std::vector<std::string>{"gups"});
    CHECK(contains(completed("predict "), "fft-pencils"));
    CHECK(completed("predict gups -m bluegene-l") == std::vector<std::string>{"bluegene-l"});
    CHECK(completed("show blue") == std::vector<std::string>{"bluegene-l", "bluegene-p"});
    CHECK(contains(completed("compare bluegene-l "), "bluegene-p"));
    CHECK(completed("predict gups --varia") == std::vector<std::string>{"--variant"});
    CHECK(completed("predict allreduce --varia").empty());
    CHECK(completed("predict fft-pencils --n") == std::vector<std::string>{"--nodes", "--network", "--n"});
    CHECK(completed("predict gups --variant ro") == std::vector<std::string>{"routed"});
    CHECK(completed("predict gups --variant ex").empty());
    CHECK(completed("run gups --variant ex") == std::vector<std::string>{"exchanged"});
    CHECK(completed("compare bluegene-l --workload gups --variant naive,ro") ==
          std::vector<std::string>{"naive,routed"});
    CHECK(completed("run gups --transport=t") == std::vector<std::string>{"--transport=tcp"});
    CHECK(completed("run gups --pages ") == std::vector<std::string>{"2MiB", "4KiB"});
    CHECK(completed("predict allreduce --algorithm rab") == std::vector<std::string>{"rabenseifner"});
    CHECK(completed("predict gups --hosts ra") == std::vector<std::string>{"random:"});
    CHECK(completed("sweep gups --format js") == std::vector<std::string>{"json", "jsonl"});
    CHECK(completed("predict gups --format js") == std::vector<std::string>{"json"});
    CHECK(contains(completed("predict gups --network "), "dragonfly"));
    CHECK(completed("reproduce garg") == std::vector<std::string>{"garg2006"});
    CHECK(completed("completion ") == std::vector<std::string>{"bash", "zsh", "fish"});
    CHECK(completed("help predict gu") == std::vector<std::string>{"gups"});
    CHECK(completed("no-such-command ").empty());
}

TEST_CASE("completion: what depends on the machine that is named") {
    CHECK(contains(completed("what-if gups -m bluegene-l --set network.link.b"), "network.link.bandwidth="));
    CHECK(contains(completed("what-if gups -m bluegene-l --set node.clock=2x network.link.b"),
                   "network.link.bandwidth="));
    CHECK(contains(completed("solve gups --machine=bluegene-l --vary node"), "node.clock"));
    CHECK(contains(completed("solve gups -m bluegene-l --vary nod"), "nodes"));
    CHECK(contains(completed("predict gups -m bluegene-l --mode "), "virtual-node"));
    CHECK(contains(completed("predict ping-pong -m roadrunner --protocol betw"), "between-nodes"));
    CHECK(completed("predict ping-pong --protocol ").empty());
    CHECK(completed("predict gups -m no-such-machine --mode ").empty());
    CHECK(completed("predict gups -m - --set ").empty());  // standard input is not read
}

TEST_CASE("completion: files, and one's own machines") {
    const ScratchDirectory scratch;
    CHECK(completion({"table", "gups", "--measured", ""}, repertoire()).files);
    CHECK(completion({"show", "./my"}, repertoire()).files);
    CHECK_FALSE(completion({"show", "blue"}, repertoire()).files);
    CHECK_FALSE(completion({"predict", "gups", "--nodes", ""}, repertoire()).files);
    write_whole_file("mine.yaml", "name: Mine\n");
    CHECK(completed("show mi") == std::vector<std::string>{"mine"});
    write_whole_file("wrong.yaml", "phases: 7\n");
    CHECK(completed("show wro").empty());
    CHECK(completed("predict wrong.yaml --").empty());
    CHECK(run_narrows("__complete predict gups --pages ''").out == "words\n2MiB\n4KiB\n");
    CHECK(run_narrows("__complete show ./").out == "files\n");
    CHECK(run_narrows("__complete table").out.starts_with("words\ntable\tthe bottleneck table"));
}

TEST_CASE("the completion of bash completes in bash") {
    const ScratchDirectory scratch;
    write_whole_file("a file.yaml", "");
    // A program in place of narrows, which says what it was asked and answers.
    write_whole_file("narrows", "#!/bin/sh\nprintf '%s|' \"$@\" >asked\ncat answer\n");
    std::filesystem::permissions("narrows", std::filesystem::perms::owner_all);
    write_whole_file("answer", "words\n--set=node.clock=\tHz\n");
    const std::string script = (repository_folder / "data/completion/narrows.bash").string();
    // COMP_WORDS as bash splits `./narrows what-if 'a b' --set=node.c` at the cursor.
    const std::string ask = "source " + script +
                            "\nCOMP_WORDS=(./narrows what-if 'a b' --set = node.c)\nCOMP_CWORD=5\n"
                            "_narrows ./narrows node.c =\nprintf '<%s>' \"${COMPREPLY[@]}\"\n";
    write_whole_file("ask.bash", ask);
    const auto words = printed_by("bash", "ask.bash");
    if (!words) return;
    CHECK(read_whole_file("asked") == "__complete|what-if|a b|--set=node.c|");
    CHECK(*words == "<node.clock=>");
    write_whole_file("answer", "files\n");
    write_whole_file("ask.bash", "source " + script +
                                     "\nCOMP_WORDS=(./narrows show a)\nCOMP_CWORD=2\n"
                                     "_narrows ./narrows a show\nprintf '<%s>' \"${COMPREPLY[@]}\"\n");
    CHECK_THAT(printed_by("bash", "ask.bash").value(),
               Catch::Contains("<a file.yaml>") && !Catch::Contains("<narrows>"));
}

TEST_CASE("the scripts of completion are what shells read, and what the command prints") {
    const ScratchDirectory scratch;
    for (const std::string shell : {"bash", "zsh", "fish"}) {
        CAPTURE(shell);
        const std::string file = (repository_folder / "data/completion/narrows.").string() + shell;
        CHECK(run_narrows("completion " + shell).out == read_whole_file(file));
        CHECK(printed_by(shell, "-n " + file).value_or("").empty());
    }
    CHECK(run_narrows("completion bsh").err ==
          "narrows: there is no completion for 'bsh', did you mean 'bash'? (there is: bash, zsh, fish)\n");
}

TEST_CASE("the reference in docs/ is what the records say") {
    const std::filesystem::path folder = repository_folder / "docs/reference";
    const ScratchDirectory scratch;
    std::vector<std::string> files;
    for (const auto& [file, text] : reference_pages(PageFormat::markdown, repertoire())) {
        files.push_back(file);
        CAPTURE(file);
        const bool same = std::filesystem::exists(folder / file) && read_whole_file(folder / file) == text;
        CHECK(same);
        if (!same && std::getenv("NARROWS_ACCEPT") != nullptr) write_whole_file(folder / file, text);
    }
    for (const auto& one : std::filesystem::directory_iterator(folder)) {
        CHECK(contains(files, one.path().filename().string()));
    }
}

TEST_CASE("manual pages: every option is on one, and no tool for them complains") {
    const ScratchDirectory scratch;
    CHECK(run_narrows("reference man pages").exit == 0);
    const std::string predict = read_whole_file("pages/narrows-predict.1");
    for (const char* text : {"\\fB\\-m, \\-\\-machine\\fR \\fIMACHINE\\fR", ".SH OPTIONS OF GUPS", "\\-\\-variant",
                             "narrows predict gups \\-m bluegene\\-l"}) {
        CHECK(predict.find(text) != std::string::npos);
    }
    CHECK(read_whole_file("pages/narrows-table.1").find("\\-\\-measured") != std::string::npos);
    // A page without a date is meant.
    CHECK(printed_by("groff", "-man -ww -z pages/*.1").value_or("").empty());
    CHECK(printed_by("mandoc", "-Tlint -W error pages/*.1").value_or("").empty());
    CHECK(run_narrows("reference mann pages").exit == 2);
    write_whole_file("taken", "");
    CHECK(run_narrows("reference man taken/pages").err.starts_with("narrows: cannot make the folder 'taken/pages'"));
}

TEST_CASE("help COMMAND is its --help") {
    CHECK(run_narrows("help").out == run_narrows("--help").out);
    CHECK(run_narrows("help predict gups").out == run_narrows("predict gups --help").out);
    CHECK(run_narrows("help predct").err == run_narrows("predct").err);
    CHECK(run_narrows("help predct").exit == 2);
}

TEST_CASE("the version says what the program was built with") {
    const std::string text = run_narrows("--version").out;
    CHECK(text.starts_with("narrows " NARROWS_VERSION "\nbuilt with "));
    for (const char* part : {"\nlibraries ", "CLI11 ", "\ndata /"}) CHECK(text.find(part) != std::string::npos);
}

TEST_CASE("colours: what limits stands out in a table, and nowhere else") {
    const std::string command = "table gups -m bluegene-l --messaging raw -n 512,8192";
    const std::string plain = run_narrows(command).out;
    const std::string coloured = run_narrows(command + " --color always").out;
    CHECK(plain.find('\x1b') == std::string::npos);
    CHECK(run_narrows(command + " --color never").out == plain);
    CHECK(coloured.find("\x1b[1mprocessor\x1b[0m") != std::string::npos);
    CHECK(coloured.find("\x1b[33m1.948\x1b[0m") != std::string::npos);
    CHECK(coloured.find("\x1b[33m2.06\x1b[0m") == std::string::npos);
    CHECK(run_narrows(command + " --color always --format csv").out == run_narrows(command + " --format csv").out);
    CHECK(run_narrows(command + " --color sometimes").exit == 2);
    const ScratchDirectory scratch;
    CHECK(run_narrows(command + " --color always -o table.txt").exit == 0);
    CHECK(read_whole_file("table.txt") == plain);
}

TEST_CASE("quiet: remarks and progress are gone, errors stay", "[long]") {
    const ScratchDirectory scratch;
    CHECK(run_narrows("predict gups -m bluegene-l -o x.json").err == "wrote x.json\n");
    CHECK(run_narrows("predict gups -m bluegene-l -o x.json --quiet").err.empty());
    CHECK_FALSE(run_narrows("predict gups -m nothing --quiet").err.empty());
    std::ostringstream out, err, progress;
    std::vector<std::string> slow = {"run", "ping-pong", "--bytes", "4MiB", "--repeats", "300"};
    std::vector<std::string> quiet = slow;
    quiet.emplace_back("--quiet");
    CHECK(run(quiet, out, err, progress) == 0);
    CHECK(progress.str().empty());
    // As long as it takes for progress to be due: on a virtual machine times differ by five.
    for (int repeats = 300; progress.str().empty() && repeats < 100'000; repeats *= 4) {
        slow.back() = std::to_string(repeats);
        CHECK(run(slow, out, err, progress) == 0);
    }
    CHECK(progress.str().find("run ping-pong: ") != std::string::npos);
}

TEST_CASE("a single long prediction says how far it is", "[long]") {
    std::ostringstream out, err, progress;
    const std::vector<std::string> words = {"predict", "sweep3d",          "-m",     "roadrunner", "-n",
                                            "3060",    "--cells-per-rank", "5x5x400"};
    const auto begin = std::chrono::steady_clock::now();
    CHECK(run(words, out, err, progress) == 0);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    const std::string told = progress.str();
    if (passed.count() > 2) CHECK(told.starts_with("predict: "));
    if (passed.count() > 2) CHECK(told.find("s left\n") != std::string::npos);
    CHECK((passed.count() > 1 || told.empty()));
}

TEST_CASE("progress says how long the rest takes") {
    std::ostringstream out;
    Progress progress(out, "work");
    const auto begin = std::chrono::steady_clock::now();
    while (out.str().empty()) progress.at(0.25);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    CHECK(passed.count() >= 1);
    const std::string text = out.str();
    const std::string before = "work: 25 %, ";
    REQUIRE(text.starts_with(before));
    CHECK(text.ends_with(" s left\n"));
    const double left = std::stod(text.substr(before.size()));
    CHECK(left >= 3);
    CHECK(left <= 3 * passed.count() + 1);  // three times as long as the first quarter took, in whole seconds
    while (out.str() == text) progress.at(0.1);
    CHECK(out.str().substr(text.size()).starts_with("work (part 2): 10 %"));
}

}  // namespace narrows
