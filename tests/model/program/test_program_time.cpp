#include "model/program/program_time.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "data/library.hpp"
#include "data/workload_file.hpp"
#include "model/machine.hpp"
#include "model/program/computing.hpp"
#include "tests/error_of.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Catch::Matchers::Contains;

Program program(const std::string& phases, const std::string& ranks = "grid 2", const std::string& more = "") {
    return parse_program(
        "name: toy\nranks: " + ranks + "\noptions: {n: {default: 8}, m: {default: 1 KiB}}\nphases:\n" + phases + more,
        "toy.yaml");
}

ProgramQuery query(const Machine& machine, std::int64_t nodes, std::vector<int> grid, std::int64_t each = 1) {
    ProgramQuery asked;
    asked.messages.protocol = chosen_protocol(machine, "");
    asked.messages.nodes = nodes;
    asked.messages.ranks_per_node = each;
    asked.grid = std::move(grid);
    return asked;
}

double seconds_of(const Machine& machine, const Program& what, const ProgramQuery& asked) {
    return predict_program(machine, asked, placed(machine, what, asked)).time.time.si();
}

Machine cluster() {
    return with_change(with_change(load_machine("cluster-400g"), "compute.flops", "10 G/s"), "node.memory.bandwidth",
                       "100 GB/s");
}

}  // namespace

TEST_CASE("program: calls and combining take as many turns on processors as computing, in the mode of most") {
    Machine machine = load_machine("xt3-pgas-nic");  // of modes up to four
    const Program halo = program("  - neighbours: {bytes: 64 B}\n", "line");
    const double of_mode = seconds_of(machine, halo, query(machine, 8, {32}, 4));
    machine.parameters.push_back(*find(machine, "node.modes.quad"));
    machine.parameters.back().path = "node.processors";
    CHECK(seconds_of(machine, halo, query(machine, 8, {32}, 4)) == of_mode);
    const Machine combining = with_change(cluster(), "compute.reduce.per_byte", "0.5 ns/B");
    const Program allreduce = program("  - allreduce: {bytes: 64 KiB}\n", "line");
    const auto combine_term = [&](int each) {
        const ProgramQuery asked = query(combining, 4, {4 * each}, each);
        for (const NamedTime& term :
             predict_program(combining, asked, placed(combining, allreduce, asked)).time.terms) {
            if (term.name == "combine") return term.time.si();
        }
        return 0.0;
    };
    CHECK(combine_term(128) > 1.8 * combine_term(64));  // 64 processors
}

TEST_CASE("program: computing is time, and the longer of operations and memory") {
    const Machine machine = cluster();
    const auto time = [&](const std::string& compute, std::int64_t each) {
        return seconds_of(machine, program("  - compute: {" + compute + "}\n", "line"),
                          query(machine, 2, {static_cast<int>(2 * each)}, each));
    };
    CHECK(time("time: 3 ms", 1) == Approx(3e-3));
    CHECK(time("flops: 1e9 / P", 1) == Approx(0.05));
    const double bandwidth = 1e11 * (find(machine, "node.memory.controllers") == nullptr
                                         ? 1
                                         : find(machine, "node.memory.controllers")->measure.value);
    CHECK(time("memory: 1 GB", 1) == Approx(1e9 / bandwidth));
    CHECK(time("memory: 1 GB", 4) == Approx(4e9 / bandwidth));
    CHECK(time("memory: 1 GB, flops: 1e9, time: 1 s", 1) == Approx(1.1));
    // What hides nothing of the shorter, and what hides some.
    const auto balanced = [&](const std::string& number, const std::string& flops) {
        return seconds_of(with_change(with_change(machine, "compute.balanced", number), "node.memory.controllers", "1"),
                          program("  - compute: {memory: 1 GB, flops: " + flops + "}\n", "line"),
                          query(machine, 2, {2}));
    };
    CHECK(balanced("1", "5e7") == Approx(0.01));
    CHECK(balanced("2", "5e7") == Approx(0.015));
    CHECK(balanced("1.2", "1e8") == Approx(0.012));
    CHECK(balanced("1.2", "1e10") == Approx(1).epsilon(1e-6));
    CHECK(time("time: n * 1 us + m / 1 GB/s", 1) == Approx(8e-6 + 1.024e-6));
}

TEST_CASE("program: phases of all ranks are the workloads of messages") {
    const Machine machine = cluster();
    MessageQuery messages = query(machine, 16, {}).messages;
    messages.payload = bytes(4096);
    const auto phase = [&](const std::string& text) {
        return seconds_of(machine, program("  - " + text + "\n", "line"), query(machine, 16, {16}));
    };
    CHECK(phase("all-to-all: {bytes: 4 KiB}") == Approx(predict_collective(machine, "all-to-all", messages).time.si()));
    CHECK(phase("allreduce: {bytes: 4 KiB}") == Approx(predict_collective(machine, "allreduce", messages).time.si()));
    messages.algorithm = "ring";
    CHECK(phase("allreduce: {bytes: 4 KiB, algorithm: ring}") ==
          Approx(predict_collective(machine, "allreduce", messages).time.si()));
    messages.algorithm.clear();
    CHECK(phase("{name: x, all-to-all: {bytes: 4 KiB}, repeat: 3}") ==
          Approx(3 * predict_collective(machine, "all-to-all", messages).time.si()));
    CHECK(phase("uniform: {bytes: 4 KiB, count: 30}") ==
          Approx(2 * predict_collective(machine, "all-to-all", messages).time.si()));
}

TEST_CASE("program: along a dimension of one, or of all, it is nothing, or the whole") {
    const Machine machine = cluster();
    const Program rows = program("  - all-to-all: {bytes: 4 KiB, along: 1}\n");
    CHECK(seconds_of(machine, rows, query(machine, 16, {1, 16})) == 0);
    const Program all = program("  - all-to-all: {bytes: 4 KiB}\n");
    CHECK(seconds_of(machine, rows, query(machine, 16, {16, 1})) ==
          Approx(seconds_of(machine, all, query(machine, 16, {16, 1}))));
    const double part = seconds_of(machine, rows, query(machine, 16, {4, 4}));
    CHECK(part > 0);
    CHECK(part < 0.5 * seconds_of(machine, all, query(machine, 16, {4, 4})));
}

TEST_CASE("program: every pattern takes a time that grows with bytes, and none on one rank but computing") {
    const Machine machine = cluster();
    for (const Pattern& pattern : patterns()) {
        if (pattern.file != PatternFile::none) continue;
        CAPTURE(pattern.name);
        std::string numbers;
        for (const PatternNumber& number : pattern.numbers) {
            if (number.name == "bytes") numbers += "bytes: m, ";
            if (number.name == "count") numbers += "count: 4, ";
            if (number.name == "by") numbers += "by: 1, ";
        }
        if (pattern.computes) numbers += "time: 1 ms, ";
        const Program what = program("  - {" + std::string(pattern.name) + ": {" +
                                     (numbers.empty() ? "" : numbers.substr(0, numbers.size() - 2)) + "}}\n");
        ProgramQuery small = query(machine, 12, {4, 3});
        ProgramQuery large = small;
        large.options["m"] = {1 << 20, 0, 1};
        const bool has_bytes = numbers.find("bytes") != std::string::npos;
        CHECK(seconds_of(machine, what, small) > 0);
        if (has_bytes) CHECK(seconds_of(machine, what, large) > seconds_of(machine, what, small));
        const double alone = seconds_of(machine, what, query(machine, 1, {1, 1}));
        CHECK(alone == Approx(pattern.name == "compute" ? 1e-3 : pattern.computes ? 4e-3 : 0));
    }
}

TEST_CASE("program: a file's messages are charged as the same ones of a pattern") {
    const bool in_turns = GENERATE(false, true);
    const Machine machine = in_turns ? with_change(cluster(), "node.messages_at_once", "1") : cluster();
    const auto listed = [&](PatternFile form, std::vector<RankMessages::Message> messages, std::int64_t each = 1) {
        const auto row = std::find_if(patterns().begin(), patterns().end(),
                                      [&](const Pattern& pattern) { return pattern.file == form; });
        ProgramPhase phase{"listed", &*row, "", {}, {}, {}, nullptr, {}};
        phase.numbers.emplace("bytes", Expression("4 KiB"));
        phase.messages = std::make_shared<const RankMessages>(RankMessages{std::move(messages), 15, {}});
        Program what;
        what.phases.push_back(std::move(phase));
        return seconds_of(machine, what, query(machine, 16 / each, {16}, each));
    };
    const auto pattern = [&](const std::string& text, std::int64_t each = 1) {
        return seconds_of(machine, program("  - " + text + "\n", "line"), query(machine, 16 / each, {16}, each));
    };
    std::vector<RankMessages::Message> shift, all;
    for (std::int64_t from = 0; from < 16; ++from) {
        shift.push_back({from, (from + 4) % 16});
        for (std::int64_t to = 0; to < 16; ++to) {
            if (to != from) all.push_back({from, to, 2});
        }
    }
    for (const std::int64_t each : {1, 4, 16}) {
        CHECK(listed(PatternFile::permutation, shift, each) == Approx(pattern("shift: {bytes: 4 KiB, by: 4}", each)));
    }
    CHECK(listed(PatternFile::matrix, all) == Approx(pattern("all-to-all: {bytes: 8 KiB}")));
    // A rank's messages follow each other; those of others between them, and smaller ones in their own rounds.
    const double large = listed(PatternFile::matrix, {{0, 1, 256}}), small = listed(PatternFile::matrix, {{0, 1, 1}});
    CHECK(listed(PatternFile::matrix, {{0, 1, 256}, {0, 2, 1}}) == Approx(large + small));
    CHECK(listed(PatternFile::matrix, {{0, 1, 256}, {2, 3, 1}}) == Approx(large));
    // Two of a node share its interfaces.
    CHECK(listed(PatternFile::matrix, {{0, 4, 256}, {1, 8, 256}}, 4) > 1.05 * large);
    CHECK(listed(PatternFile::matrix, {{0, 4, 256}, {8, 12, 256}}, 4) == Approx(large));
}

TEST_CASE("program: a pipeline fills once, and a wavefront through every dimension") {
    const Machine machine = cluster();
    const auto time = [&](const std::string& phase, std::vector<int> grid) {
        return seconds_of(machine, program("  - " + phase + "\n"), query(machine, 12, std::move(grid)));
    };
    const double message = time("shift: {bytes: 64 KiB, wrap: no}", {12, 1});
    CHECK(time("pipeline: {count: 20, time: 1 ms, bytes: 64 KiB}", {12, 1}) == Approx(31e-3 + 30 * message));
    CHECK(time("pipeline: {count: 20, time: 1 ms, bytes: 64 KiB, along: 2}", {4, 3}) ==
          Approx(22e-3 + 21 * time("shift: {bytes: 64 KiB, along: 2, wrap: no}", {4, 3})));
    CHECK(time("wavefront: {count: 20, time: 1 ms, bytes: 0 B}", {4, 3}) > 25e-3);
    CHECK(time("wavefront: {count: 20, time: 1 ms, bytes: 64 KiB}", {12, 1}) == Approx(31e-3 + 30 * message));
}

TEST_CASE("program: phases that overlap take the longest, or what their processors do") {
    const Machine machine = cluster();
    const auto time = [&](const std::string& backward, const std::string& more) {
        return seconds_of(machine,
                          program("  - {name: backward, compute: {time: " + backward +
                                      "}}\n  - {name: gradients, allreduce: {bytes: 100 MB, algorithm: ring}}\n",
                                  "line", more),
                          query(machine, 16, {16}));
    };
    const std::string overlap = "overlap: [backward, gradients]\n";
    const double messages = time("0 s", "");
    CHECK(time("1 us", "") == Approx(1e-6 + messages));
    CHECK(time("1 us", overlap) == Approx(messages));
    CHECK(time("10 s", overlap) >= 10);
    CHECK(time("10 s", overlap) < 10 + messages);
}

TEST_CASE("program: messages of phases that overlap ask the same servers, one phase after the other") {
    const Machine machine = cluster();
    const auto time = [&](const std::string& more) {
        return seconds_of(machine,
                          program("  - {name: a, shift: {bytes: 1 MB}}\n  - {name: b, allreduce: {bytes: 1 MB}}\n"
                                  "  - {name: c, compute: {time: 1 us}}\n",
                                  "line", more),
                          query(machine, 16, {16}));
    };
    CHECK(time("overlap: [a, b]\n") == Approx(time("")));
    CHECK(time("overlap: [a, b, c]\n") == Approx(time("") - 1e-6));
}

TEST_CASE("program: along a dimension of all ranks messages are those of all, and what is not measured is told") {
    Machine machine = load_machine("cell-blade");
    const Program along = program("  - {name: a, neighbours: {bytes: 64 KiB, along: 1}}\n");
    const Program all = program("  - {name: a, neighbours: {bytes: 64 KiB}}\n");
    const ProgramQuery asked = query(machine, 1, {2, 1}, 2);
    CHECK(placed(machine, along, asked).phases.front().all_ranks);
    CHECK_FALSE(placed(machine, along, query(machine, 1, {2, 2}, 4)).phases.front().all_ranks);
    MeasuredResiduals measured;
    measured.name = "halo-exchange-" + asked.messages.protocol;
    measured.scales = {1, 1, 1};
    measured.spread = measured.noise = 0.1;
    for (int i = 0; i < 9; ++i) measured.points.push_back({{5.0 + i, 1.0 + i % 3, 1.0 + i % 2}, 0.5});
    measured.mean = 0.5;
    machine.residuals.emplace_back(measured);
    CHECK(seconds_of(machine, along, asked) == Approx(seconds_of(machine, all, asked)));
    const Program broadcast = program("  - {name: a, broadcast: {bytes: 64 KiB}}\n");
    const TimePrediction told = predict_program(machine, asked, placed(machine, broadcast, asked)).time;
    CHECK(told.beside.beyond == std::vector<std::string>{"messages of broadcast"});
}

TEST_CASE("program: what processors do of phases that overlap has the interval of runs beside them") {
    Machine machine = with_change(load_machine("cell-blade"), "compute.flops", "10 G/s");
    const auto interval = [&machine](const std::string& more) {
        const Program what =
            program("  - {name: near, compute: {flops: 1e9}}\n  - {name: far, compute: {flops: 2e9}}\n", "line", more);
        const ProgramQuery asked = query(machine, 1, {1});
        return predict_program(machine, asked, placed(machine, what, asked)).time.beside;
    };
    CHECK(interval("overlap: [near, far]\n").sessions == 0);
    MeasuredResiduals measured;
    measured.name = computing_residuals;
    measured.spread = measured.noise = 0.1;
    for (double flops = 1e6; flops < 2e10; flops *= 2) {
        PhaseWork phase;
        phase.compute.flops = flops;
        measured.points.push_back({values_of(computing_variables(machine, phase, 1)), 0});
    }
    measured.scales.assign(measured.points.front().at.size(), 1.0);
    machine.residuals.emplace_back(measured);
    CHECK(interval("").above > 0.1);
    CHECK(interval("overlap: [near, far]\n").above == Approx(interval("").above));
    CHECK(interval("overlap: [near, far]\n").share == Approx(1));
}

TEST_CASE("program: a processor that waits for memory computes nothing else meanwhile") {
    const Machine machine = cluster();
    const auto time = [&](const std::string& more) {
        return seconds_of(machine,
                          program("  - {name: near, compute: {flops: 1e9}}\n  - {name: far, compute: {memory: 1 GB}}\n",
                                  "line", more),
                          query(machine, 1, {1}));
    };
    CHECK(time("overlap: [near, far]\n") == Approx(time("")));
}

TEST_CASE("program: what messages take of memory does not keep a processor, as what computing takes does") {
    const Machine machine = with_change(cluster(), "node.memory.bandwidth", "1 GB/s");  // messages wait for it
    const auto time = [&](const std::string& more) {
        return seconds_of(
            machine,
            program("  - {name: near, compute: {time: 50 ms}}\n  - {name: far, all-to-all: {bytes: 100 MB}}\n", "line",
                    more),
            query(machine, 2, {4}, 2));
    };
    const double both = time("");
    CHECK(both > 0.2);
    CHECK(time("overlap: [near, far]\n") == Approx(both - 0.05));
}

TEST_CASE("program: a part without runs beside it is told of the whole, once") {
    TimePrediction part;
    part.time = seconds(1);
    part.beside.beyond = {"ping-pong by eager"};
    SumOfTimes whole;
    whole.add(part, 3);
    whole.add(part);
    CHECK(whole.take().time == seconds(4));
    CHECK(whole.take().beside.beyond == part.beside.beyond);
}

TEST_CASE("program: what a machine lacks is told with what to add") {
    const Machine machine = load_machine("bluegene-p");
    const ProgramQuery asked = query(machine, 8, {8});
    CHECK_THROWS_WITH(seconds_of(machine, program("  - compute: {flops: 1}\n", "line"), asked),
                      Contains("does not say how fast a processor computes: add 'compute: {flops: 10 G/s}'"));
    CHECK_THROWS_WITH(seconds_of(machine, program("  - compute: {time: 1 s}\n", "line"), query(machine, 8, {4})),
                      Contains("a grid of 4 is not of 8 ranks"));
}

TEST_CASE("program: messages that a machine gives no time inside a node are refused where there is nothing else") {
    const Machine machine = load_machine("roadrunner-opterons");
    const ProgramQuery asked = query(machine, 1, {2, 2}, 4);
    const auto time = [&](const std::string& phases) { return seconds_of(machine, program(phases), asked); };
    CHECK_THROWS_WITH(time("  - all-to-all: {bytes: 3 MB}\n"), Contains("have no stage inside a node"));
    CHECK(time("  - all-to-all: {bytes: 3 MB}\n  - compute: {time: 2 s}\n") == Approx(2));
    CHECK(time("  - all-to-all: {bytes: 0 B}\n") == 0);
}

TEST_CASE("program: numbers that ranks or options make impossible have their place") {
    const Machine machine = cluster();
    const auto failure = [&](const std::string& phase, std::map<std::string, Amount> options = {}) {
        ProgramQuery asked = query(machine, 4, {2, 2});
        asked.options = std::move(options);
        return error_of([&] { seconds_of(machine, program("  - " + phase + "\n"), asked); });
    };
    CHECK(failure("all-to-all: {bytes: m / (P - 4)}") ==
          "toy.yaml:5:25: 'm / (P - 4)' has no finite value for P = 4, m = 1024: it divides by zero, takes a root or "
          "logarithm of what has none, or overflows");
    CHECK_THAT(failure("all-to-all: {bytes: m - 2 KiB}"),
               Contains("toy.yaml:5:25: 'bytes' of phase 'all-to-all' is -1024 B: it cannot be below zero"));
    CHECK_THAT(failure("all-to-all: {bytes: 3 s}"), Contains("'3 s' is a time, expected an amount of data"));
    CHECK_THAT(failure("compute: {time: m}"), Contains("toy.yaml:5:21: 'm' is an amount of data, expected a time"));
    CHECK_THAT(failure("butterfly: {bytes: m, by: 1.5}"),
               Contains("toy.yaml:5:31: 'by' of phase 'butterfly' is 1.5: give a whole number from 1 to "));
    CHECK_THAT(failure("shift: {wrap: 2, bytes: m}"),
               Contains("toy.yaml:5:19: 'wrap' of phase 'shift' is 2: give a whole number from 0 to 1"));
    CHECK_THAT(failure("wavefront: {count: 0, bytes: m}"),
               Contains("toy.yaml:5:24: 'count' of phase 'wavefront' is 0"));
}

}  // namespace narrows
