#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "calibrate/kernels/program/program_ranks.hpp"
#include "calibrate/messaging/protocol.hpp"
#include "cli/repertoire.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "data/workload_file.hpp"
#include "model/messages/collective_rounds.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

using Catch::Matchers::Contains;

/// A workload file in a folder of the test's own.
class WrittenFile {
  public:
    explicit WrittenFile(const std::string& text) { std::ofstream("./workload.yaml") << text; }
    static std::string path() { return "./workload.yaml"; }

  private:
    ScratchDirectory folder_;
};

}  // namespace

TEST_CASE("workload files: run computes all pieces of a pipeline that overlaps, and lists may be of large data") {
    const WrittenFile file(
        "name: w\noptions: {m: {default: 8 GiB}}\nphases:\n"
        "  - {name: a, pipeline: {count: 10, bytes: 8 B, time: 1 ms}}\n  - {name: b, compute: {memory: m}, repeat: 0}\n"
        "overlap: [a, b]\n");
    const nlohmann::json json = json_from("run " + file.path() + " --ranks 1 --repeats 1");
    CHECK(json["result"]["value"].get<double>() >= 0.01);
    const nlohmann::json table = json_from("table " + file.path() + " -m cluster-400g -n 8 --m 4GiB,8GiB");
    CHECK(table["rows"].size() == 2);
}

TEST_CASE("workload files: ranks without nodes are all on one, which is told") {
    CHECK_THAT(run_narrows("predict fft-slabs -m cluster-400g --ranks 128").out,
               Contains("128 ranks take turns on the 64 processors of one node: -n spreads them over more nodes"));
    CHECK_THAT(run_narrows("predict fft-slabs -m cluster-400g --ranks 64").out, !Contains("take turns"));
}

TEST_CASE("workload files: every one that is shipped is predicted, and is the sum of its phases unless they overlap") {
    for (const std::string& name : workload_file_names()) {
        CAPTURE(name);
        const nlohmann::json json = json_from("predict " + name + " -m cluster-400g -n 16");
        const double whole = json["result"]["value"];
        CHECK(whole > 0);
        CHECK(json["result"]["quantity"] == "time");
        double phases = 0, terms = 0;
        for (const auto& phase : json["phases"]) phases += phase["value"].get<double>();
        for (const auto& term : json["terms"]) terms += term["value"].get<double>();
        CHECK(terms == Approx(whole));
        if (load_program(name).overlaps.empty()) CHECK(phases == Approx(whole));
        CHECK(phases >= whole * (1 - 1e-9));
        for (const char* command : {"table {} -m cluster-400g -n 4,16", "sensitivity {} -m cluster-400g -n 16",
                                    "what-if {} -m cluster-400g -n 16 --set network.link.bandwidth=2x"}) {
            CHECK(run_narrows(fmt::format(fmt::runtime(command), name)).exit == 0);
        }
    }
}

TEST_CASE("workload files: options are words of the command line, and rows of a table") {
    const nlohmann::json one = json_from("predict fft-pencils -m cluster-400g -n 16 --n 1024");
    const nlohmann::json usual = json_from("predict fft-pencils -m cluster-400g -n 16");
    CHECK(one["options"]["n"] == 1024);
    CHECK(usual["options"]["n"] == 512);
    CHECK(one["result"]["value"].get<double>() > 7 * usual["result"]["value"].get<double>());
    const nlohmann::json rows = json_from("table fft-pencils -m cluster-400g -n 16 --n 512,1024")["rows"];
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["result"]["value"] == usual["result"]["value"]);
    CHECK(rows[1]["result"]["value"] == one["result"]["value"]);
    const nlohmann::json grid = json_from("predict fft-pencils -m cluster-400g -n 16 --grid 16x1");
    CHECK(grid["grid"] == "16x1");
    CHECK(grid["phases"][2]["value"] == 0);
    CHECK_THAT(run_narrows("predict fft-pencils --help").out, Contains("--n") && Contains("points along each side"));
}

TEST_CASE("workload files: tune finds the grid of which all others are no shorter") {
    const nlohmann::json json = json_from("tune fft-pencils -m cluster-400g -n 12");
    REQUIRE(json["choices"].size() == 6);  // 1x12, 2x6, 3x4 and turned round
    double before = json["result"]["value"];
    CHECK(json["choices"][0]["value"] == before);
    for (const auto& choice : json["choices"]) {
        const std::string grid = choice["grid"];
        CHECK(choice["value"] >= before);
        before = choice["value"];
        CHECK(json_from("predict fft-pencils -m cluster-400g -n 12 --grid " + grid)["result"]["value"] == before);
    }
    CHECK_THAT(run_narrows("tune fft-pencils -m cluster-400g -n 12 --grid 3x4").err, Contains("leave it out"));
    CHECK_THAT(run_narrows("tune sample-sort -m cluster-400g -n 12").err, Contains("one choice alone"));
    CHECK(json_from("tune sample-sort -m cluster-400g -n 12 --placement consecutive,random:1")["choices"].size() == 2);
}

TEST_CASE("workload files: slabs end where ranks outgrow the planes, pencils go on") {
    const auto seconds = [](const std::string& words) {
        return json_from("predict " + words + " -m cluster-400g --n 64")["result"]["value"].get<double>();
    };
    CHECK(seconds("fft-slabs -n 4") < seconds("fft-pencils -n 4"));      // one transpose in place of two
    CHECK(seconds("fft-slabs -n 256") > seconds("fft-pencils -n 256"));  // whose messages are too many
}

TEST_CASE("workload files: what is wrong with one or its words is told") {
    const ScratchDirectory scratch;
    write_whole_file("on.yaml",
                     "name: on\nranks: line\noptions: {on: {default: yes}}\nphases:\n"
                     "  - {name: a, all-to-all: {bytes: 8 B * on}}\n");
    CHECK_THAT(
        refusal_of("predict ./on.yaml -m cluster-400g -n 4 --on maybe"),
        Contains("--on maybe: 'maybe' is neither yes nor no") || Contains("--on: 'maybe' is neither yes nor no"));
    const auto of_phase = [&](const std::string& command, const std::string& phase) {
        const WrittenFile file("name: w\nphases:\n  - {" + phase + "}\n");
        return refusal_of(command + " " + file.path() + (command == "run" ? " --ranks 4" : " -m cluster-400g -n 4"));
    };
    CHECK_THAT(of_phase("predict", "compute: {time: 1 us}, repeat: max(1, P)"),
               Contains("an expression with a comma needs quotes inside braces"));
    CHECK_THAT(of_phase("predict", "barrier: {}, repeat: P > 1 ? 8 : 0"),
               Contains("such as a choice, needs quotes there"));
    for (const auto& [phase, told] : std::map<std::string, std::string>{
             {"uniform: {bytes: 8 B, count: 0.5}", "workload.yaml:3:5: phase 'uniform' has 0.5 messages of a rank"},
             {"compute: {flops: 1e30}", "phase 'compute' has 1e+30 operations: to be run give at most 1e+15"},
             {"neighbours: {bytes: 1e20 GB}", "phase 'neighbours' has 1e+29 bytes a message: to be run give at most"},
             {"pipeline: {count: 1e12, bytes: 8 B}", "phase 'pipeline' has 1e+12 pieces: to be run give at most"},
             {"barrier: {}, repeat: 2.5", "workload.yaml:3:5: phase 'barrier' repeats 2.5 times"}}) {
        CHECK_THAT(of_phase("run", phase), Contains(told));
    }
    CHECK_THAT(of_phase("predict", "nmae: b, barrier: {}"),
               Contains("workload.yaml:3:6: unknown key 'nmae' of a phase, did you mean 'name'?"));
    {
        const WrittenFile often("name: w\nphases:\n  - {barrier: {}, repeat: 1e40}\n");
        CHECK_THAT(refusal_of("run " + often.path()),
                   Contains("phase 'barrier' has 1e+40 repetitions: to be run give at most 1e+09"));
        const Ran predicted = run_narrows("predict --explain " + often.path() + " -m cluster-400g -n 4");
        CHECK(predicted.exit == 0);
        CHECK_FALSE(std::regex_search(predicted.out, std::regex("[0-9]{18}")));
    }
    const WrittenFile broken("name: w\nphases:\n  - {name: a, all-to-all: {bytes: 8 s}}\n");
    CHECK_THAT(refusal_of("predict " + broken.path() + " -m cluster-400g -n 4"),
               Contains("workload.yaml:3:35: '8 s' is a time, expected an amount of data") && Contains("\n  "));
}

TEST_CASE("workload files: an option that some command has itself is refused by all of them, with its place") {
    std::set<std::string> names;
    for (const char* command : {"predict", "table", "what-if", "solve", "sensitivity", "tune", "run"}) {
        std::string help = run_narrows(std::string(command) + " stencil --help").out;
        help.resize(std::min(help.size(), help.find("Example")));
        const std::regex option("\\n  (?:-[a-z],)?--([a-z]{2,})(?![a-z-])");
        for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found) {
            names.insert((*found)[1]);
        }
    }
    for (const ProgramOption& option : load_program("stencil").options) names.erase(option.name);
    CHECK(names.size() > 12);
    for (const std::string& name : names) {
        CAPTURE(name);
        const WrittenFile taken("name: w\noptions: {" + name +
                                ": {default: 1}}\nphases:\n  - {compute: {time: 1 s}}\n");
        CHECK_THAT(refusal_of("predict " + taken.path() + " -m cluster-400g"),
                   Contains("workload.yaml:2:11: '--" + name + "' is an option of narrows itself"));
    }
}

TEST_CASE("workload files: messages of a file are predicted, run, and told of where they do not fit") {
    const WrittenFile file(
        "name: listed\nphases:\n  - {permutation: {file: ring.txt, bytes: 100 B}}\n"
        "  - {matrix: {file: ring.txt.matrix, bytes: 1 KiB}}\n");
    for (int ranks = 2; ranks <= 9; ++ranks) {
        {
            std::ofstream ring("./ring.txt"), matrix("./ring.txt.matrix");
            for (int rank = 0; rank < ranks; ++rank) {
                ring << rank << " " << (rank + 1) % ranks << "\n";
                for (int to = 0; to < ranks; ++to)
                    matrix << rank << " " << to << " " << (rank * 5 + to * 3) % 7 << "\n";
            }
        }
        CAPTURE(ranks);
        const std::string path = file.path();
        CHECK(json_from(fmt::format("predict {} -m cluster-400g -n {}", path, ranks))["phases"][1]["value"] > 0);
        for (const char* how : {"eager", "rendezvous", "buffered", "receiver-initiated", "command-queue"}) {
            CAPTURE(how);
            const nlohmann::json json =
                json_from(fmt::format("run {} --repeats 1 --ranks {} --protocol {}", path, ranks, how));
            CHECK(json["errors"] == 0);
            CHECK(json["verified"] == true);
        }
    }
    CHECK_THAT(run_narrows("predict " + file.path() + " -m cluster-400g -n 8").err,
               Contains("ring.txt:8:3: there is no rank 8: the 8 ranks have the numbers 0 to 7"));
}

TEST_CASE("workload files: one rank computes, and sends nothing") {
    const WrittenFile file(
        "name: w\nphases:\n  - {compute: {time: 1 ms}}\n  - {allreduce: {bytes: 8 KiB}}\n  - barrier:\n");
    const nlohmann::json json = json_from("run " + file.path() + " --ranks 1 --repeats 1");
    CHECK(json["errors"] == 0);
    CHECK(json["result"]["value"] > 1e-3);
    CHECK(run_narrows("run allreduce --ranks 1").exit == 2);
}

TEST_CASE("workload files: validation draws runs that fit the cores, half of the memory, and half a second") {
    std::string machine =
        "name: toy\nsource: made up\nnode: {processors: 4, memory: {bandwidth: 10 GB/s}}\n"
        "compute: {flops: 1 G/s}\npaths: {wire: {send: {overhead: 1 us}, memory: {bandwidth: 1 GB/s}}}\n"
        "protocols: {";
    for (const ProtocolRecord& one : protocols()) machine += fmt::format("{}: {{wire: 1}}, ", one.name);
    machine.replace(machine.size() - 2, 2, "}\n");
    const Machine toy = parse_machine(machine, "toy.yaml", "toy");
    const auto drawn = [&](const std::string& text, const CaseLimits& limits) {
        const WrittenFile file("name: w\noptions: {n: {default: " + text +
                               "}}\nphases:\n  - {shift: {bytes: n * 1 MiB}}\n"
                               "  - {compute: {flops: n * 1e6}}\n");
        const ValidatedWorkload workload =
            validated_program("w", std::make_shared<const Program>(load_program(file.path())));
        return workload
            .draw(
                toy, [] { return 0.9999; }, limits)
            .planned()
            .expected;
    };
    const CaseLimits one_core{1, 1, std::size_t{1} << 40}, many{4, 4, std::size_t{1} << 40};
    CHECK(drawn("2", one_core).ranks == 1);
    CHECK(drawn("2", many).ranks == 4);
    CHECK(drawn("2", many).shape == "n=2");
    // Buffers of three messages of each of four ranks: of 2 MiB each they would be 24 MiB.
    CHECK(drawn("2", {4, 4, std::size_t{40} << 20}).shape == "n=1");
    CHECK_THROWS_WITH(drawn("1", {4, 4, std::size_t{4} << 20}), Contains("too much memory whatever its options"));
    CHECK(drawn("100000", one_core).shape != "n=100000");
}

TEST_CASE("workload files: a phase's column has no name of another") {
    const WrittenFile file("name: w\nphases:\n  - {compute: {time: 1 ms}}\n");
    CHECK_THAT(run_narrows("table " + file.path() + " -m cluster-400g -n 2,4 --format csv").out,
               Contains("phase compute ms,compute ms"));
}

TEST_CASE("workload files: every pattern and algorithm runs, and brings what was sent") {
    std::string phases;
    std::vector<std::string> all = {"neighbours: {bytes: 9 B",
                                    "neighbours: {bytes: 9 B, wrap: no",
                                    "shift: {bytes: 7 B, by: 2",
                                    "shift: {bytes: 7 B, by: -1",
                                    "butterfly: {bytes: 3 B, by: 1",
                                    "uniform: {bytes: 8 B, count: 7",
                                    "pipeline: {count: 3, bytes: 8 B, back: 8 B, time: 1 us",
                                    "wavefront: {count: 3, bytes: 8 B"};
    for (const CollectiveAlgorithm& one : collective_algorithms()) {
        const char* size = one.collective == "barrier" ? "" : "bytes: 1 KiB, ";
        all.push_back(fmt::format("{}: {{{}algorithm: {}", one.collective, size, one.name));
    }
    for (const std::string& pattern : all) {
        for (const char* along : {"", ", along: 1", ", along: 2"}) {
            phases += "  - {name: p" + std::to_string(phases.size()) + ", " + pattern + along + "}}\n";
        }
    }
    phases += "  - {compute: {flops: 1000, memory: 1 KiB, time: 1 us}, repeat: 2}\n  - barrier:\n";
    phases += "  - {name: beside, compute: {flops: 1000000, memory: 1 MiB, time: 10 us}, repeat: 2}\n";
    phases += "  - {name: sums, allreduce: {bytes: 1 KiB, algorithm: ring}, repeat: 3}\n";
    const WrittenFile file("name: all\nranks: grid 2\noverlap: [beside, sums]\nphases:\n" + phases);
    for (const char* how : {"--ranks 2", "--ranks 12", "--ranks 15 --grid 5x3", "--ranks 16 --protocol rendezvous",
                            "--ranks 6 --protocol buffered", "--ranks 6 --protocol receiver-initiated",
                            "--ranks 4 --transport tcp", "--ranks 8 --transport udp --ranks-per-process 4"}) {
        CAPTURE(how);
        const nlohmann::json json = json_from("run " + file.path() + " --repeats 1 " + how);
        CHECK(json["errors"] == 0);
        CHECK(json["verified"] == true);
        CHECK(json["result"]["value"].get<double>() > 0);
    }
}

TEST_CASE("workload files: uniform messages go out at every number of ranks") {
    // 1 / (ranks - 1) of all steps are one message of a rank, not none by rounding.
    for (const int ranks : {4, 50, 99}) {
        CAPTURE(ranks);
        const Program program = parse_program("name: u\nphases:\n  - {uniform: {bytes: 8 B}}\n", "u.yaml");
        const auto made = program_ranks(phases_of(program, {ranks}, {}), ranks);
        for (const auto& phases : made->phases) {
            CHECK(phases.front().turns * phases.front().steps.size() + phases.front().rest == 1);
        }
    }
}

TEST_CASE("workload files: a run takes as long as it computes") {
    const WrittenFile file("name: w\nphases:\n  - {compute: {time: 20 ms}, repeat: 3}\n");
    const double seconds = json_from("run " + file.path() + " --ranks 2 --repeats 1")["result"]["value"];
    CHECK(seconds >= 0.06);
}

}  // namespace narrows
