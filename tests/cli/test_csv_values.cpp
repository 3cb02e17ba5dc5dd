#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <set>

#include "data/csv.hpp"
#include "run_narrows.hpp"

// CSV for programs: one value a column, in full, its unit in the header.
namespace narrows {
namespace {

CsvTable csv_from(const std::string& command_line) {
    CAPTURE(command_line);
    const Ran ran = run_narrows(command_line + " --format csv");
    CAPTURE(ran.err);
    REQUIRE(ran.exit == 0);
    return parse_csv(ran.out, "printed");
}

bool is_number(const std::string& text) {
    char* end = nullptr;
    return std::isfinite(std::strtod(text.c_str(), &end)) && end != text.c_str() && *end == '\0';
}

// A cell that begins like a number is one, but in columns of texts.
std::string cell_that_is_no_value(const CsvTable& csv) {
    static const std::set<std::string> texts = {"topology", "grid",   "shape",       "note",       "source", "meaning",
                                                "row",      "column", "certificate", "what it is", "unit"};
    for (const auto& row : csv.rows) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            const bool begun =
                !row[column].empty() && std::string("+-0123456789").find(row[column][0]) != std::string::npos;
            if (begun && !texts.contains(csv.columns[column]) && !is_number(row[column])) {
                return csv.columns[column] + ": " + row[column];
            }
        }
    }
    return "";
}

}  // namespace

TEST_CASE("csv: every command prints one value a column", "[long]") {
    for (const char* command :
         {"predict gups -m bluegene-l -n 16384 --variant routed",
          "predict ping-pong -m cell-blade",
          "table gups -m bluegene-l --variant routed -n 32,65536",
          "table sweep3d -m roadrunner -n 1,2 --cells-per-rank 5x5x400 --beside roadrunner-opterons",
          "table halo-exchange -m bluegene-p -n 512 --protocol mpi-eager --bytes 1MiB --neighbours 1,2",
          "what-if gups -m bluegene-l -n 65536 --set node.clock=2x",
          "sensitivity gups -m bluegene-l -n 65536",
          "tune sweep3d -m roadrunner -n 1 --cells-per-rank 5x5x40",
          "tune gups -m bluegene-l -n 16",
          "tune allreduce -m cluster-400g -n 4 --ranks-per-node 2 --bytes 1KiB",
          "sensitivity gups -m bluegene-l -n 64 --set price.link='150 USD'",
          "solve gups -m bluegene-l --set power.node='20 W' --target '0.1 GUPS' --minimise power --vary nodes=512,1024",
          "machines",
          "show bluegene-l",
          "show bluegene-l --paths",
          "topology 'torus 4x4'",
          "topology 'torus 4x4' --traffic bit-complement --hottest 3",
          "topology --families",
          "reproduce garg2006",
          "reproduce underwood2008",
          "run gups --ranks 4 --table 64KiB",
          "run sweep3d --iterations 2",
          "run sweep3d --skip-compute",
          "run ping-pong --bytes 8,64 --repeats 2",
          "run overlap --bytes 8 --repeats 2",
          "run gups --virtual-clock -m bluegene-l --ranks 64 --updates 262144 --table '512 KiB'",
          "run sweep3d --virtual-clock -m roadrunner -n 1 --cells-per-rank 2x2x20 --iterations 1 --skip-compute"}) {
        CAPTURE(command);
        const CsvTable csv = csv_from(command);
        CHECK_FALSE(csv.rows.empty());
        CAPTURE(cell_that_is_no_value(csv));
        CHECK(cell_that_is_no_value(csv).empty());
        CHECK(std::set<std::string>(csv.columns.begin(), csv.columns.end()).size() == csv.columns.size());
        for (const std::string& name : csv.columns) CHECK(name.find("interval") == std::string::npos);
    }
}

TEST_CASE("csv of predict: the prediction with its interval, then its bounds, as the JSON has them") {
    const std::string command = "predict gups -m bluegene-l -n 65536 --variant routed";
    const CsvTable csv = csv_from(command);
    const nlohmann::json json = json_from(command);
    REQUIRE(csv.rows.size() == 1 + json["bounds"].size());
    CHECK(csv.cell(0, "result") == "predicted");
    CHECK(*csv.number(0, "GUPS") == Approx(json["result"]["value"].get<double>() / 1e9).epsilon(1e-14));
    CHECK(*csv.number(0, "low GUPS") == Approx(json["result"]["low"].get<double>() / 1e9).epsilon(1e-14));
    CHECK(*csv.number(0, "high GUPS") == Approx(json["result"]["high"].get<double>() / 1e9).epsilon(1e-14));
    CHECK(csv.cell(1, "result") == json["bounds"][0]["resource"].get<std::string>());
    CHECK(csv.cell(1, "bottleneck") == (json["bottleneck"] == json["bounds"][0]["resource"] ? "true" : "false"));
}

TEST_CASE("csv of a run: its result with its counters") {
    const CsvTable gups = csv_from("run gups --ranks 4 --table 64KiB");
    CHECK(gups.cell(0, "counter") == "update_rate");
    CHECK(*gups.number(0, "value") > 0);
    CHECK(gups.cell(0, "unit") == "1/s");
    const CsvTable sweep = csv_from("run sweep3d --iterations 2");
    CHECK(sweep.cell(0, "counter") == "iteration_time");
    CHECK(sweep.cell(sweep.rows.size() - 1, "iteration") == "2");
}

TEST_CASE("csv of show: base units, and the ends of an interval in columns of their own") {
    const CsvTable csv = csv_from("show bluegene-l");
    for (std::size_t row = 0; row < csv.rows.size(); ++row) {
        if (csv.cell(row, "path") != "node.cache.L3.latency") continue;
        CHECK(csv.cell(row, "unit") == "cycles");
        CHECK(*csv.number(row, "low") == 28);
        CHECK(*csv.number(row, "high") == 40);
    }
}

TEST_CASE("csv of a network's traffic: the hottest links as rows below the four numbers") {
    const std::string command = "topology 'ring 8' --traffic tornado --hottest 3";
    const CsvTable csv = csv_from(command);
    const nlohmann::json json = json_from(command);
    REQUIRE(csv.rows.size() == 4 + 3);
    CHECK(*csv.number(0, "low links") == json["bisection"]["lower"].get<double>());
    CHECK(csv.cell(0, "from").empty());
    CHECK(csv.cell(4, "number") == "hottest link");
    CHECK(csv.cell(4, "low links").empty());
    CHECK(csv.cell(4, "from") == json["loads"]["hottest"][0]["from"].get<std::string>());
    CHECK(*csv.number(4, "load") == json["loads"]["hottest"][0]["load"].get<double>());
    CHECK(*csv.number(4, "share of capacity") == json["loads"]["hottest"][0]["share"].get<double>());
}

TEST_CASE("csv of reproduce: all papers in one table") {
    const CsvTable csv = csv_from("reproduce underwood2008");
    CHECK(csv.columns.front() == "paper");
    CHECK(csv.cell(0, "paper") == "underwood2008");
}

}  // namespace narrows
