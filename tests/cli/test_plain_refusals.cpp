#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "calibrate/ranks/mapping.hpp"
#include "calibrate/ranks/sanitizer.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

/// Leaves the process so many bytes beyond what it has taken, for as long as it lives.
class MemoryLimit {
  public:
    explicit MemoryLimit(std::size_t bytes) {
        getrlimit(RLIMIT_AS, &before_);
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        rlimit now = before_;
        now.rlim_cur = pages * 4096 + bytes;
        setrlimit(RLIMIT_AS, &now);
    }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;
    ~MemoryLimit() { setrlimit(RLIMIT_AS, &before_); }

  private:
    rlimit before_{};
};

const std::string latin_name = "caf\xe9";

}  // namespace

TEST_CASE("names that are not UTF-8 are refused where they stand, and no file is written") {
    const ScratchDirectory scratch;
    write_whole_file("n.edges", "# " + latin_name + "\na b\nb " + latin_name + "\n");
    CHECK(refusal_of("topology n.edges --format json --export x.graphml --certificate x.json") ==
          "n.edges:3:3: 'caf\\xe9' is not UTF-8 text: save the file as UTF-8\n  b caf\\xe9\n    ^\n");
    CHECK(scratch.files() == std::vector<std::string>{"n.edges"});
    write_whole_file("n.edges", "# " + latin_name + "\na b\nb café\n");
    CHECK(run_narrows("topology n.edges --format json").exit == 0);
}

TEST_CASE("a file's name that is not UTF-8 is no text of JSON, but of a table") {
    const ScratchDirectory scratch;
    const std::string file = latin_name + ".yaml";
    write_whole_file(file, "name: x\nsource: y\nnode: {clock: 1 GHz}\n");
    for (const char* where : {" --format json", " -o x.json"}) {
        CHECK(refusal_of("show " + file + where) ==
              "narrows: 'caf\\xe9.yaml' is not UTF-8 text, as all of JSON is: rename it, or choose another "
              "--format\n");
    }
    CHECK(run_narrows("show " + file).exit == 0);
    CHECK(scratch.files() == std::vector<std::string>{file});
}

TEST_CASE("a topology that cannot be printed as asked leaves no other file either") {
    const ScratchDirectory scratch;
    write_whole_file(latin_name + ".edges", "a b\nb c\n");
    CHECK(run_narrows("topology " + latin_name + ".edges --format json --export x.dot --certificate c.json").exit == 2);
    CHECK(run_narrows("topology 'torus 4x4' --export x.dot --certificate c.json -o nowhere/x.json").exit == 2);
    CHECK(scratch.files().size() == 1);
}

TEST_CASE("a number of a certificate that is too large is named with its place") {
    const ScratchDirectory scratch;
    write_whole_file("c.json", "{\"schema\": 1,\n \"network\": {\"hosts\": -1e400}, \"claims\": 2}\n");
    CHECK(run_narrows("topology --verify c.json").err ==
          "c.json:2:23: '-1e400' is too large for a number: write the certificate again (--certificate)\n");
    write_whole_file("c.json", "1e999");
    CHECK(run_narrows("topology --verify c.json").err.starts_with("c.json:1:1: '1e999' is too large"));
    write_whole_file("c.json", "{\"schema\": 1,\n x}");
    CHECK(run_narrows("topology --verify c.json").err.starts_with("c.json:2:2: this is not JSON from here on"));
}

TEST_CASE("a word that is too long for a file's name is an unknown word") {
    const std::string word(5000, 'a');
    for (const std::string& command :
         {"topology " + word, "predict gups -m bluegene-l -n 8 --network " + word,
          "topology 'torus 4x4' --traffic " + word, "topology 'torus 4x4' --hosts a:" + word,
          "topology --from dot '" + word + " b'", "predict gups -n 8 -m " + word, "predict gups -n 8 -m ./" + word}) {
        const Ran ran = run_narrows(command);
        CAPTURE(ran.err);
        CHECK(ran.exit == 2);
        CHECK(ran.err.find("filesystem error") == std::string::npos);
    }
}

TEST_CASE("memory that the system does not give is named with the amount and the remedy") {
    CHECK_THROWS_WITH(Mapping(std::size_t{1} << 50, PageSize::small),
                      Catch::StartsWith("the system refuses to give 1073741826 MiB of memory (Cannot allocate memory) "
                                        "with ") &&
                          Catch::EndsWith("raise the limit (ulimit -v)"));
}

TEST_CASE("what does not fit into the limit of memory is refused with the amounts and the remedy") {
    if (sanitized) return;  // sanitizers take all of the address space
    const MemoryLimit limit(std::size_t{300} << 20);
    const Ran table = run_narrows("run gups --ranks 1 --table '1 GiB'");
    CHECK(table.exit == 2);
    CHECK(table.err.find("a table of 1024 MiB and") != std::string::npos);
    CHECK(table.err.find("MiB of memory that are free: give a smaller table") != std::string::npos);
    const Ran cells = run_narrows("run sweep3d --grid 1x1 --cells 500x500x500");
    CHECK(cells.err.find("MiB of memory are free: give fewer cells") != std::string::npos);
    const Ran network = run_narrows("topology 'ring 20000000' --export x.dot --hosts first:10");
    CHECK(network.exit == 1);
    CHECK(network.err.find("narrows: 'topology' needs more than the") == 0);
    CHECK(network.err.find("ask for a smaller network, table or file, or raise the limit (ulimit -v)") !=
          std::string::npos);
}

}  // namespace narrows
