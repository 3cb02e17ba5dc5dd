#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "calibrate/study/gups_case.hpp"
#include "calibrate/study/message_space.hpp"
#include "cli/calibration_session.hpp"
#include "cli/commands.hpp"
#include "cli/repertoire.hpp"
#include "cli/samples_file.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

Sample a_sample(const std::string& name) {
    Sample sample;
    sample.name = name;
    sample.seconds = 0.25;
    sample.cpu_seconds = 0.5;
    sample.updates = 1000;
    sample.workers = 2;
    sample.involuntary_switches = 3;
    sample.probe_seconds = 0.004;
    return sample;
}

TEST_CASE("samples are read back as they were written") {
    const ScratchDirectory scratch;
    Sample by_processor = a_sample("three");
    by_processor.seconds = 0.3;
    by_processor.processor_timed = true;
    write_whole_file("s.jsonl", line_of(a_sample("one")) + line_of(a_sample("two")) + line_of(by_processor));
    const auto samples = read_samples("s.jsonl").updates;
    REQUIRE(samples.size() == 3);
    CHECK(samples[1].name == "two");
    CHECK(samples[1].seconds == 0.25);
    CHECK(samples[1].cpu_seconds == 0.5);
    CHECK(samples[1].updates == 1000);
    CHECK(samples[1].workers == 2);
    CHECK(samples[1].involuntary_switches == 3);
    CHECK(samples[1].probe_seconds == 0.004);
    CHECK(samples[1].per_update() == Approx(0.25 * 2 / 1000));
    CHECK(samples[2].per_update() == Approx(0.5 / 1000));  // a neighbour takes time, but no processor time
    CHECK(samples[2].processor_share() == Approx(0.5 / 0.6));
}

TEST_CASE("a last sample that was cut off is passed over and anything else is an error with its line") {
    const ScratchDirectory scratch;
    const std::string line = line_of(a_sample("one"));
    write_whole_file("s.jsonl", line + line.substr(0, line.size() / 2));
    CHECK(read_samples("s.jsonl").updates.size() == 1);
    CHECK(read_samples("s.jsonl").cut_line == 2);
    write_whole_file("s.jsonl", line);
    CHECK(read_samples("s.jsonl").cut_line == 0);
    write_whole_file("s.jsonl", "junk\n" + line);
    try {
        read_samples("s.jsonl");
        FAIL("junk was read");
    } catch (const InputError& error) {
        CHECK(error.line() == 1);
        CHECK(std::string(error.what()) == "not a sample of a calibration: remove this line, or calibrate anew");
    }
}

TEST_CASE("samples with times that cannot be are refused, and cases that cannot run are none") {
    const ScratchDirectory scratch;
    const std::string line = line_of(a_sample("one"));
    for (const auto& [key, value] : {std::pair("cpu_seconds", "0.0"),
                                     {"cpu_seconds", "-1.0"},
                                     {"cpu_seconds", "1e308"},
                                     {"seconds", "1e-320"},
                                     {"routed_probe_seconds", "-1.0"}}) {
        CAPTURE(key, value);
        nlohmann::json changed = nlohmann::json::parse(line);
        changed[key] = nlohmann::json::parse(value);
        write_whole_file("s.jsonl", changed.dump() + "\n" + line);
        CHECK_THROWS_WITH(read_samples("s.jsonl"), Catch::Matchers::Contains("not a sample of a calibration"));
    }
    const std::string halo = "halo-exchange protocol=eager algorithm=tree neighbours=2 ranks={} bytes=8";
    CHECK(message_case_named(fmt::format(fmt::runtime(halo), 2)));
    CHECK_FALSE(message_case_named(fmt::format(fmt::runtime(halo), 0)));
    CHECK_FALSE(message_case_named(fmt::format(fmt::runtime(halo), -5)));
    const char* huge = "route ranks=1 shape=65536x65536x65536x65536x65536 bucket=1 table=8 updates=1 workers=1";
    CHECK_FALSE(gups_case_named(huge));
}

Calibration calibrated_from(const std::string& file, bool allow_noise) {
    CalibrationWords words;
    words.choice.kernels = calibrated_kernels(repertoire());
    words.choice.allow_noise = allow_noise;
    return calibrate_from(words, file);
}

CalibrationWords short_words() {
    CalibrationWords words;
    words.choice.kernels = calibrated_kernels(repertoire());
    words.choice.quick = true;
    words.choice.allow_noise = true;
    words.choice.seconds = 0.001;
    words.samples_file = std::string("here.yaml") + unfinished_samples;
    return words;
}

TEST_CASE("too little time ends a calibration without a machine, keeps the samples and says how to go on") {
    const ScratchDirectory scratch;
    std::ostringstream err;
    const Calibration calibration = calibrate_here(short_words(), err);
    CHECK(calibration.end == Calibration::End::incomplete);
    const auto samples_kept = [] {
        const auto all = read_samples("here.yaml.samples.part.jsonl");
        return all.updates.size() + all.messages.size() + all.phases.size();
    };
    const std::size_t kept = samples_kept();
    CHECK(kept == calibration.runs);
    CHECK(kept > 0);
    std::ostringstream said;
    CHECK(explain_end(calibration, short_words(), said) == 1);
    CHECK(
        said.str().find("go on with narrows calibrate --resume 'here.yaml.samples.part.jsonl' --quick --allow-noise -o "
                        "'here.yaml'") != std::string::npos);

    CalibrationWords of_demo = short_words();  // which keeps none
    of_demo.samples_file.clear();
    explain_end(calibration, of_demo, said);
    CHECK(said.str().ends_with("No samples were kept: 'narrows calibrate --quick -o here.yaml' keeps them.\n"));

    // Another calibration does not overwrite them; one that goes on counts them.
    CHECK_THROWS_WITH(calibrate_here(short_words(), err),
                      Catch::Contains("has the samples of an unfinished calibration"));
    CHECK(samples_kept() == kept);
    CalibrationWords again = short_words();
    again.resume = again.samples_file;
    const Calibration more = calibrate_here(again, err);
    CHECK(more.runs > kept);
    CHECK(more.earlier == kept);
    CHECK(more.runs_text().find(fmt::format(" runs, {} of them earlier, in ", kept)) != std::string::npos);
    CHECK(samples_kept() == more.runs);
}

TEST_CASE(
    "an earlier session counts once: given twice, or as the samples that a calibration goes on from, it is refused") {
    const ScratchDirectory scratch;
    Machine machine = load_machine("bluegene-l");
    machine.residuals.emplace_back(
        MeasuredResiduals{.name = "gups-naive", .scales = {1}, .spread = 1, .noise = 0.1, .points = {{{1}, 0.1}}});
    for (const char* name : {"june.yaml", "copy.yaml"}) write_whole_file(name, write_machine(machine));
    write_whole_file("june.yaml.samples.jsonl", "");
    CalibrationWords words = short_words();
    std::ostringstream err;
    words.history = {"june.yaml", "copy.yaml"};
    CHECK_THROWS_WITH(calibrate_here(words, err),
                      Catch::StartsWith("--history copy.yaml: its session is there already"));
    words.history = {"june.yaml"};
    words.resume = "./june.yaml.samples.jsonl";
    CHECK_THROWS_WITH(calibrate_here(words, err),
                      Catch::StartsWith("--history june.yaml: its session is in the samples of --resume already"));
    CHECK(scratch.files().size() == 3);
}

TEST_CASE("a noisy machine is refused with exit code 3 and the evidence") {
    Calibration calibration;
    calibration.end = Calibration::End::noisy;
    calibration.evidence = {"one core runs at 70 % of another's speed"};
    std::ostringstream err;
    CHECK(explain_end(calibration, short_words(), err) == 3);
    CHECK(err.str() ==
          "narrows: this machine is too noisy to be measured:\n"
          "  one core runs at 70 % of another's speed\n"
          "Stop what else runs here, or take wider intervals with --allow-noise.\n");
}

MessageSample a_message(MessageKernel kernel, std::size_t bytes, double seconds) {
    return {{kernel, {Protocol::buffered}, bytes}, 100, seconds};
}

std::string message_lines() {
    std::string lines;
    for (int round = 0; round < 6; ++round) {
        for (std::size_t bytes = 8; bytes <= 65536; bytes *= 2) {
            lines += line_of(a_message(MessageKernel::ping_pong, bytes, 1e-6 + 1e-9 * static_cast<double>(bytes)));
        }
        lines += line_of(a_message(MessageKernel::stream, 8, 5e-8));
        lines += line_of(a_message(MessageKernel::send_overhead, 8, 2e-7));
        lines += line_of(a_message(MessageKernel::receive_overhead, 8, 3e-7));
    }
    return lines;
}

TEST_CASE("samples of messages are read back as they were written, beside those of updates") {
    const ScratchDirectory scratch;
    write_whole_file("s.jsonl", line_of(a_sample("one")) + line_of(a_message(MessageKernel::stream, 64, 5e-8)));
    const AllSamples samples = read_samples("s.jsonl");
    CHECK(samples.updates.size() == 1);
    REQUIRE(samples.messages.size() == 1);
    const MessageSample& back = samples.messages.front();
    CHECK(back.what == MessageCase{MessageKernel::stream, {Protocol::buffered}, 64});
    CHECK(back.messages == 100);
    CHECK(back.seconds == 5e-8);
    MessageSample through = a_message(MessageKernel::ping_pong, 8, 1e-6);
    through.what.way.domain = 1;
    through.what.way.workers = 1;
    write_whole_file("s.jsonl", line_of(through));
    CHECK(read_samples("s.jsonl").messages.front().what == through.what);
    MessageSample far = a_message(MessageKernel::ping_pong, 8, 1e-6);
    far.what.way.distance = "package";
    write_whole_file("s.jsonl", line_of(far));
    CHECK(read_samples("s.jsonl").messages.front().what == far.what);
    far.what.way.distance = "far: away";
    write_whole_file("s.jsonl", line_of(far) + "\n");
    CHECK_THROWS_AS(read_samples("s.jsonl"), InputError);
    write_whole_file("s.jsonl", line_of(a_message(MessageKernel::stream, 64, 0)) + "\n");
    CHECK_THROWS_AS(read_samples("s.jsonl"), InputError);
}

TEST_CASE("a sample's bytes are a whole number that a message can have") {
    const ScratchDirectory scratch;
    const auto line_with = [](const nlohmann::json& bytes) {
        auto json = nlohmann::json::parse(line_of(a_message(MessageKernel::stream, 64, 5e-8)));
        json["bytes"] = bytes;
        return json.dump() + "\n";
    };
    write_whole_file("s.jsonl", line_with(8));
    CHECK(read_samples("s.jsonl").messages.size() == 1);
    for (const nlohmann::json& wrong : {nlohmann::json(-8), nlohmann::json(0), nlohmann::json(8.5), nlohmann::json("8"),
                                        nlohmann::json(std::uint64_t{1} << 40)}) {
        CAPTURE(wrong);
        write_whole_file("s.jsonl", line_with(wrong));
        CHECK_THROWS_AS(read_samples("s.jsonl"), InputError);
    }
}

TEST_CASE("numbers of a sample that cannot be are errors, however large they are") {
    const ScratchDirectory scratch;
    const auto refused = [](const std::string& line, const char* key, const nlohmann::json& value) {
        auto json = nlohmann::json::parse(line);
        json[key] = value;
        write_whole_file("s.jsonl", json.dump() + "\n");
        CAPTURE(key, value);
        CHECK_THROWS_AS(read_samples("s.jsonl"), InputError);
    };
    const std::string message = line_of(a_message(MessageKernel::stream, 64, 5e-8));
    for (const char* key : {"ranks", "messages", "domain", "workers"}) {
        for (const nlohmann::json& value : {nlohmann::json(4294967298), nlohmann::json(1.5), nlohmann::json(-2)}) {
            refused(message, key, value);
        }
    }
    const std::string update = line_of(a_sample("one"));
    for (const char* key : {"updates", "workers"}) {
        for (const nlohmann::json& value : {nlohmann::json(0), nlohmann::json(1.5), nlohmann::json(-2)}) {
            refused(update, key, value);
        }
    }
    for (const std::string& line : {message, update}) refused(line, "seconds", 1e300);
}

TEST_CASE("a samples file is there from the first sample on") {
    const ScratchDirectory scratch;
    SamplesFile file("here.jsonl", AllSamples());
    CHECK_FALSE(std::filesystem::exists("here.jsonl"));  // as where a noisy machine is refused
    file.keep(a_sample("route ranks=2"));
    CHECK(read_samples("here.jsonl").updates.size() == 1);
    CHECK_THROWS_AS(SamplesFile("nowhere/here.jsonl", AllSamples()), InputError);
}

TEST_CASE("an empty samples file, of a calibration that ended before its first one, is in nobody's way") {
    const ScratchDirectory scratch;
    const CalibrationWords words = short_words();
    write_whole_file(words.samples_file, "");
    CHECK_NOTHROW(require_no_samples(words));
    write_whole_file(words.samples_file, line_of(a_sample("one")));
    CHECK_THROWS_AS(require_no_samples(words), InputError);
}

TEST_CASE("calibrate --from fits samples that were taken elsewhere into a machine file that predict reads") {
    const ScratchDirectory scratch;
    write_whole_file("there.samples.jsonl", message_lines());
    const Ran ran = run_narrows("calibrate --from there.samples.jsonl -o there.yaml");
    CAPTURE(ran.err);
    REQUIRE(ran.exit == 0);
    CHECK(scratch.files() == std::vector<std::string>{"there.samples.jsonl", "there.yaml"});
    const Ran again = run_narrows("calibrate --from there.samples.jsonl -o there.yaml --format json");
    const auto summary = nlohmann::json::parse(again.out);
    check_schema(summary);
    CHECK(summary["inputs"][0]["file"] == "there.samples.jsonl");
    CHECK(summary["tight"].is_null());
    CHECK(summary["noise"].is_null());
    const Machine machine = read_machine("there.yaml");
    CHECK(has(machine, "paths.buffered-send.core.overhead"));
    CHECK_FALSE(has(machine, "messaging"));
    const auto json = json_from("predict ping-pong -m there.yaml --protocol buffered --bytes 1000");
    CHECK_THAT(json["result"]["value"].get<double>(), Catch::Matchers::WithinRel(2e-6, 1e-6));
    CHECK(refusal_of("validate there.yaml --workload sweep3d") ==
          "narrows: machine 'there' was calibrated without sweep3d: calibrate it anew\n");
}

TEST_CASE("calibrate --from fits the sizes that a search for breaks has added too") {
    const ScratchDirectory scratch;
    std::string lines;
    for (int round = 0; round < 6; ++round) {
        std::vector<std::size_t> sizes = {2040, 2056};
        for (std::size_t bytes = 8; bytes <= 65536; bytes *= 2) sizes.push_back(bytes);
        for (const std::size_t bytes : sizes) {
            const double fixed = bytes <= 2048 ? 1e-6 : 3e-6;
            lines += line_of(a_message(MessageKernel::ping_pong, bytes, fixed + 1e-9 * static_cast<double>(bytes)));
        }
    }
    write_whole_file("there.jsonl", lines);
    const Machine machine = calibrated_from("there.jsonl", false).machine;
    REQUIRE(has(machine, "reach.buffered.buffered-from-2056"));
    CHECK(data_at(machine, "reach.buffered.buffered-from-2056").si() == 2048);
}

TEST_CASE("calibrate --from says that it left out a line that was cut off") {
    const ScratchDirectory scratch;
    const std::string lines = message_lines();
    const auto said = [](const std::string& text) {
        write_whole_file("there.jsonl", text);
        return calibrated_from("there.jsonl", false).machine.environment.front();
    };
    const Ran ran = [&lines] {
        write_whole_file("cut.jsonl", lines + "{\"case\":");
        return run_narrows("calibrate --from cut.jsonl -o cut.yaml");
    }();
    CHECK_THAT(ran.out, Catch::Contains("\nof the samples' file its line 103 is cut off and left out\n"));
    using Said = std::pair<std::string, std::string>;
    CHECK(said(lines) == Said{"samples", "102 read from there.jsonl"});
    CHECK(said(lines + "{\"case\":") ==
          Said{"samples", "102 read from there.jsonl; its line 103 is cut off and left out"});
}

TEST_CASE("calibrate --from looks for noise in the samples of updates") {
    const ScratchDirectory scratch;
    const std::string name = calibration_cases(Effort::quick, 2, std::size_t{1} << 40).front().name();
    const auto summary_of = [&name](int runs, bool allow_noise) {
        std::string lines;
        for (int i = 0; i < runs; ++i) lines += line_of(a_sample(name));  // 2 workers had their cores all the time
        write_whole_file("there.jsonl", lines + message_lines());
        return calibrated_from("there.jsonl", allow_noise);
    };
    const Calibration quiet = summary_of(3, false);
    CHECK(quiet.evidence.empty());
    CHECK_THROWS_WITH(summary_of(2, false),
                      "--from there.jsonl: 1 of its 1 cases were run fewer than 3 times, so that a disturbed run would "
                      "not show: go on with 'narrows calibrate --resume there.jsonl' on the machine that was measured, "
                      "or take intervals four times as wide with --allow-noise");
    const Calibration few = summary_of(2, true);
    const auto width = [](const Calibration& found) {
        const auto& all = found.machine.parameters;
        const auto update = std::ranges::find_if(
            all, [](const Parameter& one) { return one.path.starts_with("compute.gups.") && one.interval; });
        REQUIRE(update != all.end());
        return (update->interval->high - update->interval->low) / update->measure.value;
    };
    CHECK(width(few) == Approx(4 * width(quiet)));
    CHECK(few.examined);
    CHECK(few.evidence.empty());
    const Calibration noisy = summary_of(1, true);
    REQUIRE(noisy.evidence.size() == 1);
    CHECK(noisy.evidence.front() == "in 1 of 1 cases fewer than 2 runs had their cores to themselves");
    CHECK(noisy.machine.environment.back().first == "noise");
}

TEST_CASE("calibrate --from takes samples of a node and messages between nodes together") {
    const ScratchDirectory scratch;
    write_whole_file("node.jsonl", message_lines());
    const std::string between = "--from " NARROWS_GOLDEN "/files/osu_latency.txt";
    REQUIRE(run_narrows("calibrate --from node.jsonl " + between + " -o both.yaml").exit == 0);
    const Machine machine = read_machine("both.yaml");
    CHECK(find(machine, "paths.buffered.core.latency")->source.starts_with("calibrated"));
    CHECK(json_from("predict ping-pong -m both.yaml --bytes 1000")["protocol"] == "mpi");
    CHECK(run_narrows("calibrate --from node.jsonl --from node.jsonl -o two.yaml").err ==
          "narrows: --from node.jsonl: there are samples in node.jsonl already: give one of them\n");
}

TEST_CASE("calibrate --from: what is no use is told") {
    const ScratchDirectory scratch;
    const auto error_of = [](const std::string& words) { return refusal_of("calibrate " + words); };
    write_whole_file("none.jsonl", "");
    write_whole_file("other.jsonl", line_of(a_sample("one")));
    CHECK(error_of("--from none.jsonl") == "narrows: --from none.jsonl: there are no samples in it\n");
    CHECK(error_of("--from other.jsonl") ==
          "narrows: --from other.jsonl: its samples are of no case that calibrate knows\n");
}

/// The cases that a `validate` of so many judged: all that it does not name as refused, none where it says that others
/// had the cores in each.
nlohmann::json judged_cases(const std::string& command_line, std::size_t count) {
    const Ran ran = run_narrows(command_line + " --format json");
    CAPTURE(command_line, ran.err);
    if (ran.exit == 1 && ran.err.find("in most runs of every case other programs used the cores") != std::string::npos)
        return nlohmann::json::array();
    REQUIRE(ran.exit == 0);
    const nlohmann::json json = nlohmann::json::parse(ran.out);
    check_schema(json);
    CHECK(json["cases"].size() + json["refused"].size() == count);
    CHECK(json["summary"].contains("median_error"));
    for (const auto& each : json["cases"]) {
        CHECK(each["measured"]["value"].get<double>() > 0);
        CHECK(each["predicted"]["value"].get<double>() > 0);
    }
    return json["cases"];
}

// Run by the tests `measures` alone: a minute of the machine's time each.
TEST_CASE("calibrate then predict then validate", "[.][measures:calibrate]") {
    const ScratchDirectory scratch;
    Ran calibrated = run_narrows("calibrate --quick --allow-noise -o here.yaml");
    for (int more = 0; calibrated.exit == 1 && more < 4; ++more) {  // others had the cores: as its message says
        REQUIRE(calibrated.err.find("go on with narrows calibrate --resume") != std::string::npos);
        calibrated = run_narrows("calibrate --resume here.yaml.samples.part.jsonl --quick --allow-noise -o here.yaml");
    }
    INFO(calibrated.err);
    REQUIRE(calibrated.exit == 0);
    CHECK(scratch.files() == std::vector<std::string>{"here.yaml", "here.yaml.samples.jsonl"});
    const Machine machine = read_machine("here.yaml");
    CHECK(machine.source == "calibrated");
    CHECK(parse_machine(write_machine(machine), "again", machine.id) == machine);

    CHECK(json_from("predict ping-pong -m here.yaml --protocol buffered --bytes 64")["result"]["value"] > 0);
    CHECK(has(machine, "protocols.active-message"));
    CHECK(has(machine, "paths.receiver-initiated-gateway.gateway.overhead"));

    const auto table = json_from("table gups -m here.yaml --variant routed --network bluegene-l -n 64,512");
    for (const auto& row : table["rows"]) {
        CHECK(row["result"]["low"].get<double>() <= row["result"]["value"].get<double>());
        CHECK(row["result"]["high"].get<double>() >= row["result"]["value"].get<double>());
    }
    for (const auto& each : judged_cases("validate here.yaml --usual --max-ranks 32 --repeats 2", 4)) {
        CHECK(each["fitted"] == false);
    }
    const auto sweep = json_from("predict sweep3d -m here.yaml --ranks 16");
    CHECK(sweep["nodes"] == 1);
    CHECK(sweep["result"]["low"].get<double>() <= sweep["result"]["value"].get<double>());
    for (const auto& each :
         judged_cases("validate here.yaml --workload sweep3d --usual --max-ranks 4 --repeats 1", 6)) {
        CHECK(each["workload"] == "sweep3d");
    }
    judged_cases("validate here.yaml --cases 4 --seed 7 --max-ranks 64 --repeats 1", 4);
    CHECK(json_from("predict gups -m here.yaml --variant routed --ranks 6")["calibrations"] == 1);
    CHECK(run_narrows("validate here.yaml --cases 2 --freeze ./here.yaml").err.find("MACHINE names this file too") !=
          std::string::npos);
    CHECK(run_narrows("validate here.yaml --cases 2 --freeze there.json --format csv").out.find("there.json,") !=
          std::string::npos);
    const std::string example = "validate here.yaml --workload sample-sort --cases 3 --seed 5 --repeats 1";
    const auto all = commands();
    const auto& of_validate = record_called("validate", all, "").examples;
    CHECK(std::ranges::count(of_validate, example) == 1);
    judged_cases(example, 3);
}

TEST_CASE("demo", "[.][measures:demo]") {
    const ScratchDirectory scratch;
    const Ran demo = run_narrows("demo");
    INFO(demo.err);
    if (demo.exit == 1) {  // others had the cores, as it says
        CHECK_THAT(demo.err,
                   Catch::Contains("the time was too short") || Catch::Contains("other programs used the cores"));
        return;
    }
    CHECK(demo.exit == 0);
    CHECK(demo.out.find("on a 400 Gbit/s fat tree") != std::string::npos);
}

}  // namespace
}  // namespace narrows
