#include <catch2/catch.hpp>
#include <chrono>
#include <sstream>
#include <thread>

#include "calibrate/ranks/sanitizer.hpp"
#include "cli/prediction_report.hpp"
#include "cli/repertoire.hpp"
#include "cli/run.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"

// A workload and its kernel, in this file alone, are in every command.
namespace narrows {
namespace {

// A round of the toy waits once for memory; the nodes share the rounds of a run.
constexpr const char* path_of_round = "node.memory.latency";

double rounds_of(const OptionWords& words) {
    return words.has("--rounds") ? words.count<double>("--rounds") : 100;
}

TimePrediction predicted_toy(const Machine& machine, double rounds, std::int64_t nodes) {
    TimePrediction prediction;
    prediction.time = time_at(machine, path_of_round) * (rounds / static_cast<double>(nodes));
    prediction.terms = {{"rounds", prediction.time}};
    prediction.bottleneck = "rounds";
    prediction.source = "derived";
    return prediction;
}

Answer answer_toy(const OptionWords& words, const Machine& machine, std::int64_t nodes,
                  const ReportProgress& /*progress*/) {
    Answer answer;
    answer.machine = machine.id;
    answer.subject = "toy";
    answer.size = answer.setting = counted(nodes, "node");
    answer.json = {{"machine", machine.id}, {"workload", "toy"}, {"nodes", nodes}};
    report(answer, predicted_toy(machine, rounds_of(words), nodes));
    return answer;
}

Sample run_of(const std::string& name) {
    volatile double sum = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 1'000'000; ++i) sum = sum + i;
    Sample sample;
    sample.name = name;
    sample.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    sample.cpu_seconds = sample.seconds;
    sample.updates = 1;
    return sample;
}

StudyCase toy_case(const std::string& name) {
    return {name, [name] { return run_of(name); }};
}

Workload toy_workload() {
    Workload toy;
    toy.name = "toy";
    toy.options = together({options_named(workload_options(), {"--nodes"}), {{"--rounds", "of the toy", 1000}}});
    toy.axes = {Axis{"-n", "--nodes", "N", "nodes"}, Axis{"--rounds", "--rounds", "rounds", "rounds"}};
    toy.sizes = [](const OptionWords&, const Machine&) { return std::vector<std::int64_t>{1, 2, 4}; };
    toy.answer = answer_toy;
    toy.outcome = [](const OptionWords& words, const Machine&, std::int64_t nodes) -> OutcomeOf {
        return [rounds = rounds_of(words), nodes](const Machine& machine) {
            return outcome_of(predicted_toy(machine, rounds, nodes));
        };
    };
    toy.tuned = [](const Workload& workload, const OptionWords&, const Machine&, const ReportProgress&) {
        Document document;
        document.json = json_of("tune");
        document.notes.push_back("the best " + workload.name);
        return document;
    };
    toy.examples = {"predict toy -m slow"};
    return toy;
}

Kernel toy_kernel() {
    Kernel toy;
    toy.name = "toy";
    toy.options = {{"--rounds", "of the toy", 1000}};
    toy.run = [](const OptionWords& words, Output& output) {
        output.out << "toy ran " << rounds_of(words) << " rounds\n";
        return 0;
    };
    const auto cases = [] {
        return FittedCases{{toy_case("toy")}, [](const std::vector<Sample>& samples, const FitOptions&) {
                               const double time = median_estimate(times_of(samples, "toy")).value;
                               Parameter round;
                               round.path = path_of_round;
                               round.measure = {time, Dimension::time, "ms"};
                               round.interval = Interval{time / 2, time * 2};
                               round.source = "calibrated";
                               return std::vector<Parameter>{round};
                           }};
    };
    CalibratedKernel calibrated;
    calibrated.title = "Toy";
    calibrated.planned = [cases](Effort, int, std::size_t) { return cases(); };
    calibrated.known = [cases](const std::vector<Sample>&, int) { return cases(); };
    calibrated.space.at = [](const Machine&, const UnitNumbers&, const CaseLimits&, const CaseLength&) {
        return toy_case("toy");
    };
    calibrated.space.predicted = [](const Machine&, const std::string&) { return std::nullopt; };
    toy.calibrated = calibrated;
    ValidatedWorkload validated{"toy", "Toy", {"time", "ms", 1e3, false}, path_of_round, {}, {}};
    validated.draw = [](const Machine&, const UnitNumbers& next, const CaseLimits&) {
        const std::string name = "toy " + std::to_string(next());
        return DrawnCase{name, [name] {
                             PlannedRun run;
                             run.expected.ranks = 1;
                             run.predict = [](const Machine& of) {
                                 return PredictedFigure{predicted_toy(of, 1, 1).time.si(), std::nullopt, std::nullopt};
                             };
                             run.what = toy_case(name);
                             run.figure = [](double time) { return time; };
                             return run;
                         }};
    };
    toy.validated = validated;
    return toy;
}

// `narrows COMMAND_LINE` of a program that has the toy alone.
Ran run_toy(const std::string& command_line) {
    const Repertoire known{{toy_workload()}, {toy_kernel()}};
    std::ostringstream out, err, progress;
    Ran ran;
    ran.exit = run(words_of(command_line), out, err, progress, known);
    ran.out = out.str();
    ran.err = err.str();
    return ran;
}

void check_has(const std::string& command_line, const std::string& text) {
    const Ran ran = run_toy(command_line);
    CAPTURE(command_line, ran.out, ran.err);
    CHECK(ran.exit == 0);
    CHECK(ran.out.find(text) != std::string::npos);
}

}  // namespace

TEST_CASE("a workload and a kernel of one file are in every command") {
    const ScratchDirectory scratch;
    write_whole_file("slow.yaml", "name: Slow\nsource: made up\nnode: {memory: {latency: 1 ms}}\n");
    check_has("predict toy -m slow --rounds 50", "toy");
    check_has("table toy -m slow -n 1,2,4", "toy on slow");
    check_has("table toy -m slow --rounds 1,10,100", "rounds");
    check_has("what-if toy -m slow --set node.memory.latency=2x", "toy on slow");
    check_has("sensitivity toy -m slow", "+1.000");
    check_has("solve toy -m slow --target '1 ms' --vary node.memory.latency", "node.memory.latency = ");
    check_has("tune toy -m slow", "the best toy");
    check_has("run toy --rounds 7", "toy ran 7 rounds");
    for (const char* command : {"predict", "table", "what-if", "sensitivity", "solve", "tune", "run"}) {
        check_has(std::string(command) + " --help", "toy");
        check_has(std::string(command) + " toy --help", "--rounds");
    }
    check_has("validate --help", "toy");
    check_has("predict --help", "predict toy -m slow");
    CHECK(run_toy("predict toy -m slow --rounds 1001").err.find("--rounds") != std::string::npos);
    CHECK(run_toy("predict gups -m slow").err.find("there is no workload 'gups'") != std::string::npos);
    CHECK(run_toy("run gups").err.find("there is no kernel 'gups' (there are: toy") != std::string::npos);
}

TEST_CASE("a kernel of one file is calibrated and validated") {
    const ScratchDirectory scratch;
    const char* budget = sanitized ? "10 s" : "2 s";  // other tests run beside it
    const Ran calibrated =
        run_toy(std::string("calibrate --quick --allow-noise --budget '") + budget + "' -o here.yaml");
    CAPTURE(calibrated.err);
    REQUIRE(calibrated.exit == 0);
    CHECK(calibrated.out.find(path_of_round) != std::string::npos);
    check_has("validate here.yaml --cases 2 --repeats 1", "toy on ");
    check_has("predict toy -m here", "toy");
}

TEST_CASE("commands that predict often say how far they have come") {
    const ScratchDirectory scratch;
    write_whole_file("slow.yaml", "name: Slow\nsource: made up\nnode: {memory: {latency: 1 ms}}\n");
    Workload toy = toy_workload();
    int calls = 0;  // of a command, of which the first are slow
    toy.outcome = [of = toy.outcome, &calls](const OptionWords& words, const Machine& machine, std::int64_t nodes) {
        return [outcome = of(words, machine, nodes), &calls](const Machine& changed) {
            if (++calls <= 5) std::this_thread::sleep_for(std::chrono::milliseconds(600));
            return outcome(changed);
        };
    };
    toy.tuned = [](const Workload& workload, const OptionWords&, const Machine&, const ReportProgress& progress) {
        for (const double fraction : {0.1, 0.5}) {
            std::this_thread::sleep_for(std::chrono::milliseconds(600));
            progress(fraction);
        }
        Document document;
        document.json = json_of("tune");
        document.notes.push_back("the best " + workload.name);
        return document;
    };
    const Repertoire known{{toy}, {}};
    for (const std::string command :
         {"sensitivity toy -m slow", "solve toy -m slow --target '90 ms' --vary node.memory.latency=0.5ms..1.5ms",
          "crossover toy -m slow --vary nodes=1..3", "tune toy -m slow"}) {
        std::ostringstream out, err, progress;
        CAPTURE(command, progress.str(), err.str());
        calls = 0;
        CHECK(run(words_of(command), out, err, progress, known) == 0);
        const std::string begin = command.substr(0, command.find(' ')) + ": ";
        CHECK(progress.str().starts_with(begin));
        CHECK(progress.str().find(" s left\n") != std::string::npos);
    }
}

}  // namespace narrows
