#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <map>

#include "cli/repertoire.hpp"
#include "cli/variable.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "data/workload_file.hpp"
#include "model/explore/reigns.hpp"
#include "model/explore/target.hpp"
#include "model/uncertainty.hpp"
#include "run_narrows.hpp"
#include "topologies/input_error.hpp"

// solve, sweep and crossover.
namespace narrows {
namespace {

// A workload with options that serve on any machine.
struct Case {
    Workload workload;
    OptionWords words;
};

std::vector<Case> cases_of(const Machine& machine) {
    std::vector<Workload> all = repertoire().workloads;
    for (const std::string& name : workload_file_names()) all.push_back(file_workload(name));
    std::vector<Case> cases;
    for (const Workload& workload : all) {
        Case one{workload, {}};
        one.words.workload = workload.name;
        CLI::App app;
        one.words.add_options(app, workload.options);
        one.words["--nodes"] = workload.name == "ping-pong" ? "" : "8";
        if (workload.name == "sweep3d") one.words["--cells-per-rank"] = "5x5x40";
        if (workload.name == "halo-exchange") one.words["--neighbours"] = "4";
        try {
            workload.answer(one.words, machine, chosen_nodes(one.words, machine), {});
            cases.push_back(one);
        } catch (const InputError&) {  // this machine lacks what the workload needs
        }
    }
    return cases;
}

// Whether results jump up and down along it: bytes are sent in whole packets and granules.
bool jumps(const std::string& path) {
    return path.ends_with(".packet") || path.ends_with(".granule") || path.ends_with(".piece");
}

}  // namespace

TEST_CASE("solve finds every planted value of every number of every shipped machine and workload", "[long]") {
    int found = 0, same = 0;
    for (const std::string& id : machine_ids()) {
        const Machine machine = load_machine(id);
        for (const Case& one : cases_of(machine)) {
            Machine watched = machine;
            watched.seen = std::make_shared<std::vector<char>>(machine.parameters.size());
            one.workload.answer(one.words, watched, chosen_nodes(one.words, watched), {});
            for (std::size_t i = 0; i < machine.parameters.size(); ++i) {
                const Parameter& parameter = machine.parameters[i];
                if (watched.seen->at(i) == 0 || !is_cost(parameter) || parameter.measure.value <= 0) continue;
                CAPTURE(id, one.workload.name, parameter.path);
                const double now = parameter.measure.value;
                const double planted = now * (parameter.path.ends_with(".code") ? 1.3 : 0.7);
                const VariedPrediction prediction(one.workload, one.words, machine,
                                                  Variable(one.workload, one.words, machine, parameter.path));
                const double target = prediction.at(planted).value;
                const double before = prediction.at(now).value;
                if (std::abs(target / before - 1) < 1e-9) {
                    ++same;
                    continue;
                }
                const bool upwards = target > before;
                const auto solution = just_holding({now, now / 2, now * 2}, [&](double value) -> std::optional<bool> {
                    const double result = prediction.at(value).value;
                    return upwards ? result >= target : result <= target;
                });
                REQUIRE(solution);
                ++found;
                const double reached = prediction.at(*solution).value;
                CHECK((upwards ? reached >= target : reached <= target));
                if (jumps(parameter.path)) continue;
                if (std::abs(*solution / planted - 1) < 1e-6) continue;
                // Another value is nearer: many have this result, or results go up and down on the way.
                const double between = prediction.at(std::sqrt(*solution * planted)).value;
                const bool is_reached = upwards ? between >= target : between <= target;
                CHECK((!is_reached || between == Approx(target).epsilon(1e-12)));
            }
        }
    }
    CHECK(found > 300);
    CHECK(same > 0);
}

TEST_CASE("solve and crossover find node counts as a look at each of them does, on every shipped machine and workload",
          "[long]") {
    constexpr double least = 2, most = 24;
    int solved = 0, reigning = 0;
    for (const std::string& id : machine_ids()) {
        const Machine machine = load_machine(id);
        for (const Case& one : cases_of(machine)) {
            if (!one.workload.has_option("--nodes") || one.workload.name == "ping-pong") continue;
            CAPTURE(id, one.workload.name);
            OptionWords words = one.words;
            words["--nodes"] = "";
            const VariedPrediction prediction(one.workload, words, machine,
                                              Variable(one.workload, words, machine, "nodes"));
            std::map<double, Outcome> all;
            for (double nodes = least; nodes <= most; ++nodes) {
                try {
                    all.emplace(nodes, prediction.at(nodes));
                } catch (const InputError&) {  // not every count has a prediction
                }
            }
            if (all.size() < 2) continue;
            const OutcomeAt at = [&prediction](double nodes) { return prediction.at(nodes); };
            for (const auto& [planted, outcome] : all) {
                const Target target{outcome.value, !one.workload.is_rate};
                const bool holds = target.is_reached_by(all.begin()->second.value);
                const auto changed = std::ranges::find_if(
                    all, [&](const auto& each) { return target.is_reached_by(each.second.value) != holds; });
                const auto found = solved_value(at, {all.begin()->first, least, most, true}, target);
                REQUIRE(found.has_value() == (changed != all.end()));
                if (!found) continue;
                ++solved;
                CAPTURE(planted);
                CHECK(*found == (holds ? std::prev(changed)->first : changed->first));
            }
            for (const Reign& reign : reigns_along({{id, at}}, one.workload.is_rate, {least, most, true},
                                                   [](double nodes) { return nodes; })) {
                for (const auto& [nodes, outcome] : all) {
                    if (nodes < reign.from || nodes > reign.to) continue;
                    ++reigning;
                    CHECK(outcome.bottleneck == reign.what);
                }
            }
        }
    }
    CHECK(solved > 300);
    CHECK(reigning > 300);
}

TEST_CASE("sensitivities agree with finite differences on every shipped machine and workload") {
    int compared = 0, at_edges = 0;
    for (const std::string& id : machine_ids()) {
        const Machine machine = load_machine(id);
        for (const Case& one : cases_of(machine)) {
            const OutcomeOf outcome = one.workload.outcome(one.words, machine, chosen_nodes(one.words, machine));
            const NumberOf number = [&outcome](const Machine& changed) { return outcome(changed).value; };
            for (const Sensitivity& found : sensitivities(machine, number)) {
                const Parameter& parameter = *find(machine, found.path);
                if (!is_cost(parameter) || parameter.measure.value == 0 || jumps(found.path)) continue;
                const auto difference = [&](double step) {
                    const auto at = [&](double share) {
                        Machine changed = machine;
                        VariedParameters(changed, found.path).scale(std::exp(share), changed);
                        return std::log(number(changed));
                    };
                    return (at(step) - at(-step)) / (2 * step);
                };
                const double coarse = difference(0.005), fine = difference(0.001);
                CAPTURE(id, one.workload.name, found.path, coarse, fine, found.elasticity);
                if (found.at_step || std::abs(coarse - fine) > 2e-5) {  // a step, or another term becomes the largest
                    ++at_edges;
                    continue;
                }
                ++compared;
                CHECK(found.elasticity == Approx(fine).margin(1e-4).epsilon(1e-4));
            }
        }
    }
    CHECK(compared > 300);
    CHECK(20 * at_edges < compared);
}

TEST_CASE("solve finds planted options and node counts, and ends of the interval", "[long]") {
    const nlohmann::json nodes = json_from("solve gups -m bluegene-l -n 1024 --target '5 GUPS' --vary n");
    const auto count = nodes["solution"]["value"].get<int>();
    CHECK(nodes["solution"]["path"] == "nodes");
    const auto rate = [](int n) {
        return json_from(fmt::format("predict gups -m bluegene-l -n {}", n))["result"]["value"].get<double>();
    };
    CHECK(rate(count) >= 5e9);
    CHECK(rate(count - 1) < 5e9);
    const nlohmann::json bytes = json_from("solve ping-pong -m bluegene-p --target '100 us' --vary bytes");
    CHECK(bytes["after"]["bytes"] == bytes["solution"]["value"]);
    CHECK(bytes["solution"]["unit"] == "B");
    const nlohmann::json points =
        json_from("solve fft-pencils -m cluster-400g -n 64 --target '35 ms' --vary n=64..4096");
    CHECK(points["after"]["options"]["n"] == points["solution"]["value"]);
    CHECK(points["after"]["result"]["value"].get<double>() <= 0.035);
}

TEST_CASE("solve with two variables: the trade-off as rows") {
    const nlohmann::json json = json_from(
        "solve gups -m bluegene-l -n 65536 --target '16 GUPS' --vary node.clock=1x,2x,4x --vary "
        "network.link.bandwidth");
    REQUIRE(json["trade_off"].size() == 3);
    CHECK(json["trade_off"][0]["network.link.bandwidth"].is_null());  // the processor forbids it
    for (const int row : {1, 2}) {
        const auto found = json_from(fmt::format(
            "predict gups -m bluegene-l -n 65536 --set node.clock={}x --set network.link.bandwidth='{} B/s'", 2 * row,
            json["trade_off"][row]["network.link.bandwidth"].get<double>()));
        CHECK(found["result"]["value"].get<double>() == Approx(16e9).epsilon(1e-9));
    }
}

TEST_CASE("sweep: every point is what predict says, the same on one thread and two, in files too") {
    const std::string grid =
        "sweep gups -m bluegene-l -n 64,512 --set node.clock=1x,2x --set network.link.bandwidth='0.1 GB/s..0.4 "
        "GB/s*2' ";
    const Ran one = run_narrows(grid + "--format csv --threads 1");
    CHECK(one.exit == 0);
    CHECK(one.out == run_narrows(grid + "--format csv --threads 2").out);
    CHECK(one.out.starts_with(
        "nodes,node.clock,network.link.bandwidth,result,low,high,unit,bottleneck\n64,1,100000000,"));
    const ScratchDirectory scratch;
    run_narrows(grid + "-o rows.csv");
    CHECK(scratch.files() == std::vector<std::string>{"rows.csv"});
    const nlohmann::json rows = json_from(grid)["rows"];
    REQUIRE(rows.size() == 12);
    for (const nlohmann::json& row : rows) {
        const nlohmann::json predicted = json_from(fmt::format(
            "predict gups -m bluegene-l -n {} --set node.clock={}x --set network.link.bandwidth='{} B/s'",
            row["nodes"].get<int>(), row["node.clock"].get<double>(), row["network.link.bandwidth"].get<double>()));
        CHECK(row["result"] == predicted["result"]["value"]);
        CHECK(row["bottleneck"] == predicted["bottleneck"]);
    }
}

TEST_CASE("sweep: a workload's options, texts, and what a count changes in where ranks lie") {
    for (const auto& [swept, asked] :
         {std::pair("sweep allreduce -m cluster-400g -n 64 --bytes 8,4KiB --algorithm ring",
                    "predict allreduce -m cluster-400g -n 64 --bytes 4096 --algorithm ring"),
          std::pair("sweep fft-pencils -m cluster-400g -n 16 --n 512,1024",
                    "predict fft-pencils -m cluster-400g -n 16 --n 1024"),
          std::pair("sweep gups -m cluster-400g -n 64 --set 'network.topology=torus 4x4x4,torus 8x8x1'",
                    "predict gups -m cluster-400g -n 64 --set 'network.topology=torus 8x8x1'"),
          std::pair("sweep fft-pencils -m cluster-400g -n 16 --set node.processors=16,64",
                    "predict fft-pencils -m cluster-400g -n 16 --set node.processors=64")}) {
        CAPTURE(swept);
        CHECK(json_from(swept)["rows"].back()["result"] == json_from(asked)["result"]["value"]);
    }
}

TEST_CASE("crossover: the last size of one bottleneck and the first of the next") {
    const nlohmann::json reigns = json_from("crossover gups -m bluegene-l -n 32..65536")["reigns"];
    REQUIRE(reigns.size() > 1);
    const auto bottleneck = [](int nodes) {
        return json_from(fmt::format("predict gups -m bluegene-l -n {}", nodes))["bottleneck"];
    };
    for (std::size_t i = 0; i < reigns.size(); i += 1 + reigns.size() / 50) {
        const nlohmann::json& reign = reigns[i];
        CHECK(bottleneck(reign["from"].get<int>()) == reign["what"]);
        CHECK(bottleneck(reign["to"].get<int>()) == reign["what"]);
    }
}

TEST_CASE("crossover: machines of one name in two folders are two") {
    const ScratchDirectory here;
    std::string machine = write_machine(load_machine("bluegene-l"));
    for (const std::string folder : {"monday", "tuesday"}) {
        std::filesystem::create_directory(folder);
        write_whole_file(folder + "/here.yaml", machine);
        if (folder == "monday") machine.replace(machine.find("700 MHz"), 7, "500 MHz");
    }
    const nlohmann::json found =
        json_from("crossover gups -m monday/here.yaml --against tuesday/here.yaml -n 32..1024");
    CHECK(found["compared"] == nlohmann::json{"monday/here.yaml", "tuesday/here.yaml"});
    CHECK(run_narrows("crossover gups -m monday/here.yaml --against ./monday/here.yaml -n 32..1024").exit == 2);
}

TEST_CASE("crossover: a long table is cut for readers, and an end without a prediction is told") {
    const std::string asked = "crossover gups -m bluegene-l -n 32..1024";
    const Ran ran = run_narrows(asked);
    const auto rows = [](const std::string& text) { return std::ranges::count(text, '\n'); };
    CHECK(rows(ran.out) < 130);
    CHECK(ran.out.find("the table has the first 100 of") != std::string::npos);
    CHECK(rows(run_narrows(asked + " --format csv").out) == 1 + std::ssize(json_from(asked)["reigns"]));
    CHECK(run_narrows("crossover gups -m bluegene-l --variant routed -n 60000..70000")
              .out.find("no prediction at nodes = 70000") != std::string::npos);
}

TEST_CASE("crossover: says at which setting it begins, and of how many values there is no prediction") {
    const std::string asked =
        "crossover reduce-scatter -m cluster-400g --network 'hypercube 6' -n 2..64 --bytes 1000 --algorithm "
        "pairwise,ring";
    const nlohmann::json json = json_from(asked);
    CHECK(json["first"]["nodes"] == 2);
    CHECK(json["first"]["bytes"] == 1000);
    CHECK(json["remarks"].dump().find("57 values, such as 3, have no prediction") != std::string::npos);
    CHECK(run_narrows(asked).out.find("first: 2 nodes, 1000 B") != std::string::npos);
    const Ran several = run_narrows("crossover gups -m bluegene-l --network torus-pod,cluster-400g -n 64..512");
    CHECK(several.out.starts_with("gups: the fastest by nodes"));
}

TEST_CASE("another machine beside the predictions is refused where it would not be shown") {
    const std::string words = " sweep3d -m roadrunner -n 1 --cells-per-rank 5x5x400 --beside roadrunner-opterons";
    for (const std::string command : {"sensitivity" + words, "what-if" + words + " --set node.clock=2x",
                                      "solve" + words + " --target '1 s' --vary node.clock=1x..2x",
                                      "crossover" + words + " --vary node.clock=1x..2x"}) {
        CHECK(refusal_of(command).find("--beside: only predict and table show") != std::string::npos);
    }
}

TEST_CASE("sensitivity: of sizes of pieces it is that of their number, which is whole") {
    const ScratchDirectory here;
    write_whole_file("p.yaml",
                     "name: P\nsource: x\nnetwork: {link: {bandwidth: 10 GB/s, latency: 100 ns}, topology: torus 4x4}\n"
                     "host_interface: {bandwidth: 8 GB/s}\n"
                     "paths: {w: {send: {overhead: 100 ns}, host_interface: {overhead: 50 ns, piece: 1 KiB}, "
                     "link: {piece: 1 KiB}, receive: {overhead: 100 ns}}}\nprotocols: {q: {w: 1}}\n");
    for (const double piece : {512.0, 1024.0, 4096.0}) {
        const std::string asked =
            fmt::format(" ping-pong -m p.yaml --bytes 1000000 --set paths.w.host_interface.piece={}B", piece);
        const double time = json_from("predict" + asked)["result"]["value"];
        for (const nlohmann::json& one : json_from("sensitivity" + asked)["elasticities"]) {
            if (one["path"] != "paths.w.host_interface.piece") continue;
            CAPTURE(piece);
            CHECK(one["elasticity"].get<double>() == Approx(-1e6 / piece * 50e-9 / time).epsilon(0.05));
            CHECK_FALSE(one.contains("at_step"));
        }
    }
}

TEST_CASE("what-if: a server that the machine did not limit is a row with one side") {
    const Ran ran = run_narrows("what-if gups -m bluegene-l --set node.memory.bandwidth='1 GB/s' --format csv");
    CHECK(ran.out.find("memory bound,,512,") != std::string::npos);
}

TEST_CASE("what-if: a machine that is changed has its own size") {
    const nlohmann::json json = json_from("what-if gups -m bluegene-l --set network.topology='torus 8x8x8'");
    CHECK(json["before"]["nodes"] == 65536);
    CHECK(json["after"]["nodes"] == 512);
    const nlohmann::json small = json_from("predict gups -m bluegene-l -n 512 --set network.topology='torus 8x8x8'");
    CHECK(json["after"]["result"]["value"] == small["result"]["value"]);
}

TEST_CASE("on another machine's network every command says that this is not validated") {
    for (const char* asked : {"tune gups -m bluegene-l --network torus-pod -n 64",
                              "compare bluegene-l --workload gups --network torus-pod,cluster-400g -n 64",
                              "crossover gups -m bluegene-l --network torus-pod,cluster-400g --vary nodes=64..512",
                              "report bluegene-l --workload gups --network torus-pod -n 64"}) {
        CAPTURE(asked);
        const nlohmann::json json = json_from(asked);
        REQUIRE(json.contains("remarks"));
        CHECK(json["remarks"].dump().find("composed, not validated on hardware") != std::string::npos);
    }
}

TEST_CASE("table: what was measured at other sizes is told") {
    const ScratchDirectory here;
    write_whole_file("measured.csv", "nodes,gups\n32,0.062\n33,0.06\n");
    const Ran ran = run_narrows("table gups -m bluegene-l -n 32,64 --measured measured.csv");
    CHECK(ran.out.find("measured too, but no row: nodes = 33") != std::string::npos);
}

TEST_CASE("crossover of algorithms agrees with tune, and of a parameter with both sides") {
    const nlohmann::json reigns = json_from(
        "crossover allreduce -m cluster-400g -n 64 --bytes 1..64MiB --algorithm "
        "recursive-doubling,ring,rabenseifner")["reigns"];
    const nlohmann::json tuned = json_from("tune allreduce -m cluster-400g -n 64")["algorithms"];
    REQUIRE(reigns.size() == tuned.size());
    for (std::size_t i = 0; i < reigns.size(); ++i) CHECK(reigns[i]["from"] == tuned[i]["from"]);
    const nlohmann::json clock =
        json_from("crossover gups -m bluegene-l -n 65536 --vary node.clock=0.5x..8x")["reigns"];
    REQUIRE(clock.size() == 2);
    CHECK(clock[0]["to"].get<double>() == Approx(clock[1]["from"].get<double>()).epsilon(1e-9));
    CHECK(clock[0]["what"] != clock[1]["what"]);
}

}  // namespace narrows
