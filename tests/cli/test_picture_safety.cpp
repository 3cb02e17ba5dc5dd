#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "cli/formats.hpp"
#include "cli/run_program.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

bool no_gnuplot() {
    const bool missing = !run_program({"gnuplot", "--version"}, "");
    if (missing) WARN("gnuplot is not installed: pictures are not tested");
    return missing;
}

// A variable of the environment for as long as it lives.
class Environment {
  public:
    Environment(const char* name, const std::string& value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        setenv(name, value.c_str(), 1);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() {
        if (before_.empty())
            unsetenv(name_);
        else
            setenv(name_, before_.c_str(), 1);
    }

  private:
    const char* name_;
    std::string before_;
};

const std::string hostile_name = "a`touch PWNED`b\"`touch PWNED`\"c'.system('touch PWNED').'d@e\\";

}  // namespace

TEST_CASE("no text of a picture is a command to gnuplot") {
    if (no_gnuplot()) return;
    const ScratchDirectory scratch;
    Document document;
    document.plot =
        Plot{hostile_name, hostile_name, hostile_name, hostile_name, {{hostile_name, Look::bound, {1, 2}, {1, 2}}}};
    const std::string svg = format_plot(document, Picture::svg);
    CHECK(scratch.files().empty());
    CHECK(svg.find("a`touch PWNED`b") != std::string::npos);
    CHECK(svg.find("c'.system('touch PWNED').'d") != std::string::npos);
}

TEST_CASE("a machine file's name and content are no commands when they are drawn") {
    if (no_gnuplot()) return;
    const ScratchDirectory scratch;
    std::string machine =
        read_whole_file(std::filesystem::path(NARROWS_GOLDEN) / "../../data/machines/bluegene-l.yaml");
    machine.replace(machine.find("name: ") + 6, 0, "a`touch PWNED`b ");
    const std::string file = "a`touch PWNED`b.yaml";
    write_whole_file(file, machine);
    const Ran ran = run_narrows("table gups -m '" + file + "' --variant routed -n 32,64 -o x.svg");
    CHECK(ran.err == "wrote x.svg\n");
    CHECK(scratch.files() == std::vector<std::string>{file, "x.svg"});
}

TEST_CASE("a picture needs no folder for temporary files") {
    if (no_gnuplot()) return;
    const ScratchDirectory scratch;
    const std::string table = "table gups -m bluegene-l --variant routed -n 32,64 -o ";
    const std::string folder = "a'; touch PWNED; '";
    std::filesystem::create_directory(folder);
    {
        const Environment temporary("TMPDIR", std::filesystem::absolute(folder));
        CHECK(run_narrows(table + "x.svg").exit == 0);
    }
    CHECK(std::filesystem::is_empty(folder));
    const Environment missing("TMPDIR", "/nowhere");
    CHECK(run_narrows(table + "y.svg").err == "wrote y.svg\n");
    CHECK(scratch.files() == std::vector<std::string>{folder, "x.svg", "y.svg"});
}

TEST_CASE("a program is given its input and its words as they are") {
    const auto end = run_program({"cat", "-"}, std::string(200000, 'x'));
    REQUIRE(end);
    CHECK(end->good);
    CHECK(end->out == std::string(200000, 'x'));
    CHECK(run_program({"printf", "%s", "$HOME `id`"}, "")->out == "$HOME `id`");
    CHECK_FALSE(run_program({"false"}, "")->good);
    CHECK_FALSE(run_program({"cat", "nowhere"}, "")->err.empty());
    CHECK_FALSE(run_program({"no-such-program"}, ""));
}

}  // namespace narrows
