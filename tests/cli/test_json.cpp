#include <catch2/catch.hpp>
#include <map>

#include "run_narrows.hpp"

// The JSON that the design fixes: names, SI units, full precision.
namespace narrows {

TEST_CASE("run of messages: the names of the design, a point a size, and the fit") {
    const nlohmann::json json = json_from("run ping-pong --protocol rendezvous --ranks 4 --bytes 8..1KiB --repeats 2");
    CHECK(json["kernel"] == "ping-pong");
    CHECK(json["protocol"] == "rendezvous");
    CHECK(json["transport"] == "shared");
    CHECK(json["ranks"] == 4);
    CHECK(json["verified"] == true);
    CHECK(json["errors"] == 0);
    CHECK(json["result"]["quantity"] == "half_round_trip");
    CHECK(json["result"]["unit"] == "s");
    REQUIRE(json["points"].size() == 8);
    CHECK(json["points"][0]["bytes"] == 8);
    CHECK(json["points"][7]["bytes"] == 1024);
    CHECK(json["result"]["value"] == json["points"][0]["result"]);
    for (const auto& point : json["points"]) {
        CHECK(point["result"].get<double>() > 0);
        CHECK(point["low"].get<double>() <= point["high"].get<double>());
    }
    CHECK(json["points"][1]["fitted"] == true);
    std::map<std::size_t, bool> fitted;
    for (const auto& point : json["between"]) fitted[point["bytes"].get<std::size_t>()] = point["fitted"].get<bool>();
    REQUIRE(fitted.size() >= 16);  // 24, 40, 48, 56, 80, 96, 112, ... and more where the curve breaks
    CHECK_FALSE(fitted.at(96));
    CHECK(fitted.at(80));
    CHECK(fitted.at(112));
    CHECK_FALSE(json["fit"].empty());
    CHECK(json["summary"]["worst_error"].get<double>() >= json["summary"]["median_error"].get<double>());
}

TEST_CASE("run of matvec: a point for each dimension in whatever order they are given") {
    const nlohmann::json json = json_from("run matvec --dimension 64,32,32 --repeats 2");
    REQUIRE(json["points"].size() == 2);
    CHECK(json["points"][0]["bytes"] == 256);
    CHECK(json["points"][1]["bytes"] == 512);
    CHECK(json["between"].empty());
}

TEST_CASE("run of messages: a stream has a rate, an exchange a bandwidth, an allreduce a time") {
    const auto unit = [](const std::string& kernel) {
        return json_from("run " + kernel + " --bytes 64 --repeats 2")["result"]["unit"].get<std::string>();
    };
    CHECK(unit("stream") == "1/s");
    CHECK(unit("exchange --ranks 3 --neighbours 2") == "B/s");
    CHECK(unit("allreduce --ranks 3 --algorithm tree") == "s");
}

TEST_CASE("run stream: its pattern, and both ways twice the messages") {
    CHECK(json_from("run stream --bytes 8 --repeats 1")["pattern"] == "pairs");
    const nlohmann::json json =
        json_from("run stream --pattern bidirectional --protocol command-queue --bytes 8 --repeats 2");
    CHECK(json["pattern"] == "bidirectional");
    CHECK(json["errors"] == 0);
    CHECK(json["result"]["quantity"] == "message_rate");
    const double seconds = json["fit"][0]["per_message"]["value"];
    CHECK(json["points"][0]["fit"].get<double>() == Approx(2 / seconds));
}

TEST_CASE("run overlap: a ratio without unit for each size and side, and how messages went on") {
    const nlohmann::json json =
        json_from("run overlap --protocol buffered --workers 2 --bytes 8,4KiB --repeats 2 --progress thread");
    CHECK(json["kernel"] == "overlap");
    CHECK(json["progress"] == "thread");
    CHECK(json["errors"] == 0);
    CHECK(json["result"]["quantity"] == "overlap_ratio");
    CHECK(json["result"]["unit"] == "1");
    REQUIRE(json["points"].size() == 4);
    CHECK(json["result"]["value"] == json["points"][0]["result"]);
    CHECK(json["points"][0]["side"] == "send");
    CHECK(json["points"][1]["side"] == "receive");
    CHECK(json["points"][2]["bytes"] == 4096);
    for (const auto& point : json["points"]) {
        CHECK(point["low"].get<double>() <= point["result"].get<double>());
        CHECK(point["result"].get<double>() <= point["high"].get<double>());
        CHECK(point["free_share"].get<double>() >= 0);
        CHECK(point["free_share"].get<double>() <= 1);
    }
}

TEST_CASE("run gups by a protocol: its name, and no errors") {
    const nlohmann::json json = json_from("run gups --domain 4 --ranks 16 --table '64 KiB'");
    CHECK(json["variant"] == "exchanged");
    CHECK(json["protocol"] == "receiver-initiated");
    CHECK(json["errors"] == 0);
    CHECK(json["counters"]["updates"] == 32768);
}

TEST_CASE("run gups by puts: the variant that predict knows, on the command queue") {
    const nlohmann::json json = json_from("run gups --variant shmem --ranks 16 --table '64 KiB'");
    CHECK(json["variant"] == "shmem");
    CHECK(json["protocol"] == "command-queue");
    CHECK(json["ranks"] == 16);
    CHECK(json["errors"] == 0);
    CHECK(json["counters"]["packets"] == 32768);
    CHECK(json["result"]["value"].get<double>() > 0);
}

TEST_CASE("predict: terms sum to processors over the rate, an interval holds the value") {
    const nlohmann::json json = json_from("predict gups -m bluegene-l -n 65536 --variant routed");
    double sum = 0;
    for (const auto& term : json["terms"]) sum += term["value"].get<double>();
    const double rate = json["result"]["value"];
    CHECK(sum == Approx(65536 / rate));
    CHECK(json["result"]["low"].get<double>() < rate);
    CHECK(json["result"]["high"].get<double>() > rate);
    for (const auto& bound : json["bounds"]) CHECK(bound["value"].get<double>() >= rate);
}

TEST_CASE("table: a row is a prediction, with its measurement where there is one") {
    const nlohmann::json json = json_from("table gups -m bluegene-l -n 32,64,..65536");
    REQUIRE(json["rows"].size() == 12);
    CHECK(json["rows"][11] == answer_from("predict gups -m bluegene-l -n 65536"));
    const std::string file = std::string(NARROWS_GOLDEN) + "/files/measured.csv";
    const nlohmann::json measured = json_from("table gups -m bluegene-l -n 32,64 --measured '" + file + "'");
    CHECK(measured["rows"][0]["measured"]["value"] == 0.062e9);
    CHECK(measured["rows"][0]["measured"]["unit"] == "1/s");
    CHECK_FALSE(measured["rows"][1].contains("measured"));
}

TEST_CASE("what-if: before, after and their ratio") {
    const nlohmann::json json = json_from("what-if gups -m bluegene-l -n 65536 --set node.clock=2x");
    const double before = json["before"]["result"]["value"];
    const double after = json["after"]["result"]["value"];
    CHECK(json["before"]["bottleneck"] == "processor");
    CHECK(json["after"]["bottleneck"] == "network");
    CHECK(json["ratio"] == after / before);
    CHECK(after == Approx(1.83795e10).epsilon(1e-5));
}

TEST_CASE("sensitivity: elasticities, largest first, beside the prediction") {
    const nlohmann::json json = json_from("sensitivity gups -m bluegene-l -n 65536");
    CHECK(json["result"]["value"].get<double>() == Approx(1.53585e10).epsilon(1e-5));
    CHECK(json["elasticities"][0]["path"] == "node.clock");
    CHECK(json["elasticities"][0]["elasticity"].get<double>() == Approx(1).margin(1e-3));
}

TEST_CASE("machines and show: what is shipped, in base units") {
    const nlohmann::json machines = json_from("machines");
    REQUIRE(machines["machines"].size() >= 4);
    CHECK(machines["machines"][0]["id"] == "bluegene-l");
    const nlohmann::json show = json_from("show bluegene-l");
    CHECK(show["parameters"][0]["path"] == "node.clock");
    CHECK(show["parameters"][0]["value"] == 700e6);
    CHECK(show["parameters"][0]["unit"] == "1/s");
    for (const auto& parameter : show["parameters"]) {
        if (parameter["path"] != "node.cache.L3.latency") continue;
        CHECK(parameter["low"] == 28);
        CHECK(parameter["high"] == 40);
        CHECK(parameter["unit"] == "cycles");
    }
}

TEST_CASE("run: counters of the real code, verified") {
    const nlohmann::json json =
        json_from("run gups --variant routed --ranks 8 --shape 2x2x2 --table '64 KiB' --updates 20000");
    CHECK(json["kernel"] == "gups");
    CHECK(json["variant"] == "routed");
    CHECK(json["ranks"] == 8);
    CHECK(json["shape"] == "2x2x2");
    CHECK(json["verified"] == true);
    CHECK(json["errors"] == 0);
    CHECK(json["result"]["value"].get<double>() > 0);
    CHECK(json["counters"]["updates"] == 20000);
    CHECK(json["counters"]["hops_per_update"].get<double>() == Approx(1.5).epsilon(0.05));
}

TEST_CASE("run: the table that it has by itself is one of any number of ranks") {
    const std::string ranks = std::to_string(GENERATE(3, 100, 4097, 5000));
    const nlohmann::json json = json_from("run gups --updates 20000 --ranks " + ranks);
    CHECK(json["verified"] == true);
    CHECK(json["counters"]["updates"] == 20000);
}

TEST_CASE("run: one receive buffer for all dimensions deadlocks, and is told of") {
    const Ran ran = run_narrows(
        "run gups --variant routed --ranks 64 --shape 4x4x4 --table '1 MiB' --receive-buffers 1 --in-transit 1");
    CHECK(ran.exit == 1);
    CHECK(ran.out.empty());
    CHECK(ran.err.starts_with("narrows: deadlock: "));
    CHECK(ran.err.find("one receive buffer for each dimension prevents this") != std::string::npos);
}

}  // namespace narrows
