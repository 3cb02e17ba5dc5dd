#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "data/library.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

const std::string mine = "name: Mine\nsource: me\ncompute: {gups: {update: 10 ns}}\n";

// Sets XDG_DATA_HOME and puts back what was there.
class DataHome {
  public:
    explicit DataHome(const std::string& path) : before_(std::getenv("XDG_DATA_HOME")) {
        setenv("XDG_DATA_HOME", path.c_str(), 1);
    }
    DataHome(const DataHome&) = delete;
    DataHome& operator=(const DataHome&) = delete;
    ~DataHome() { setenv("XDG_DATA_HOME", before_.c_str(), 1); }

  private:
    std::string before_;
};

void write(const std::filesystem::path& file, const std::string& text) {
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

std::string row_of(const std::string& machine) {
    const std::string all = run_narrows("machines").out;
    const std::size_t begin = all.find("\n" + machine + " ");
    return begin == std::string::npos ? "" : all.substr(begin + 1, all.find('\n', begin + 1) - begin - 1);
}

}  // namespace

TEST_CASE("a machine of one's own is found by its name in this folder, then in the user's") {
    const ScratchDirectory scratch;
    const std::string here = std::filesystem::current_path().string();
    const DataHome home(here + "/data");
    CHECK(run_narrows("predict gups -m mine").exit == 2);
    write("data/narrows/machines/mine.yaml", mine);
    CHECK(run_narrows("show mine --paths").out.find("compute.gups.update") != std::string::npos);
    CHECK(run_narrows("predict gups -m mine --variant sequential").exit == 0);
    CHECK(row_of("mine").ends_with("  " + here + "/data/narrows/machines"));
    write("mine.yaml", "name: Nearer\nsource: me\ncompute: {gups: {update: 20 ns}}\n");
    CHECK(run_narrows("show mine").out.starts_with("Nearer (mine)"));
    CHECK(row_of("mine").ends_with("  ."));
    CHECK(json_from("machines").at("machines").back().at("file") == "./mine.yaml");
    CHECK(run_narrows("show mein").err ==
          "narrows: there is no machine 'mein', did you mean 'mine'? ('narrows machines' lists those shipped and your "
          "own; any other file's name ends in '.yaml')\n");
}

TEST_CASE("a shipped machine's name means the shipped machine") {
    const ScratchDirectory scratch;
    write("bluegene-l.yaml", mine);
    CHECK(run_narrows("show bluegene-l").out.starts_with("Blue Gene/L"));
    CHECK(run_narrows("show ./bluegene-l.yaml").out.starts_with("Mine"));
    CHECK(own_machine_files().empty());
}

TEST_CASE("YAML that is no machine is passed over here, and told of among the user's machines") {
    const ScratchDirectory scratch;
    const std::string here = std::filesystem::current_path().string();
    const DataHome home(here);
    write("compose.yaml", "services: {}\n");
    CHECK(run_narrows("machines").err.empty());
    CHECK(run_narrows("show compos").err ==
          "narrows: there is no machine 'compos' ('narrows machines' lists those shipped and your own; any other "
          "file's name ends in '.yaml')\n");
    write("narrows/machines/broken.yaml", "name: Broken\nsource: me\nnode: {clokc: 1 GHz}\n");
    std::filesystem::create_directories("narrows/machines/folder.yaml");
    const Ran ran = run_narrows("machines");
    CHECK(ran.exit == 0);
    CHECK(ran.err == "narrows: warning: " + here +
                         "/narrows/machines/broken.yaml:3:8: unknown key 'clokc' in 'node', did you mean 'clock'?: it "
                         "is not listed\n");
}

TEST_CASE("the user's folder is below XDG_DATA_HOME, else below HOME") {
    const DataHome home("/somewhere");
    CHECK(user_machines() == "/somewhere/narrows/machines");
    setenv("XDG_DATA_HOME", "relative", 1);
    const char* user = std::getenv("HOME");
    const std::string before = user == nullptr ? "" : user;
    setenv("HOME", "/home/me", 1);
    CHECK(user_machines() == "/home/me/.local/share/narrows/machines");
    setenv("HOME", "", 1);
    CHECK(user_machines().empty());
    CHECK_FALSE(find_machine("mine"));
    setenv("HOME", before.c_str(), 1);
}

TEST_CASE("standard streams: - is standard input for a machine, and standard output for what is printed") {
    const ScratchDirectory scratch;
    write("given", mine);
    const int kept = dup(STDIN_FILENO);
    const int given = open("given", O_RDONLY);
    dup2(given, STDIN_FILENO);
    close(given);
    std::filesystem::remove("given");
    CHECK(run_narrows("show -").out.starts_with("Mine (stdin)"));
    CHECK(run_narrows("predict gups -m - --variant sequential --format json -o -").out ==
          run_narrows("predict gups -m - --variant sequential --format json").out);
    CHECK(run_narrows("table gups -m bluegene-l --network - -n 32").err.find("there is no machine '-'") ==
          std::string::npos);
    dup2(kept, STDIN_FILENO);
    close(kept);
    const Ran ran = run_narrows("machines -o - --format csv");
    CHECK(ran.exit == 0);
    CHECK(ran.err.empty());
    CHECK(ran.out == run_narrows("machines --format csv").out);
    CHECK(scratch.files().empty());
}

}  // namespace narrows
