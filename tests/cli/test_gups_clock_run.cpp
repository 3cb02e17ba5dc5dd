#include <catch2/catch.hpp>
#include <fstream>

#include "data/library.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

using Catch::Matchers::WithinRel;

}  // namespace

TEST_CASE("the clock of gups says where the time of an update goes, beside what was measured") {
    const auto run =
        json_from("run gups --virtual-clock -m bluegene-l --ranks 512 --bucket 4 --updates 262144 --table '512 KiB'");
    CHECK(run["machine"] == "bluegene-l");
    CHECK(run["virtual_clock"] == true);
    CHECK(run["shape"] == "8x8x8");
    CHECK(run["verified"] == true);
    CHECK(run["errors"] == 0);
    CHECK(run["predicted"]["value"].get<double>() > 0);
    CHECK(run["bounds"].size() >= 2);
    for (const auto& bound : run["bounds"]) CHECK(bound["value"] >= run["predicted"]["value"]);
    CHECK(run["published"]["update_rate"].is_null());  // others ran with packets as full as they can be
    double sum = 0;
    for (const auto& term : run["terms"]) sum += term["value"].get<double>();
    CHECK_THAT(512 / sum, WithinRel(run["result"]["value"].get<double>(), 1e-6));
    const auto& counters = run["counters"];
    CHECK(counters["processor_utilisation"].get<double>() <= 1);
    CHECK(counters["link_utilisation"]["mean"].size() == 3);
    // Every update goes h packets, of which each passes two links of a ring of eight on average, and one more end a
    // peer.
    CHECK(counters["packet_links"].get<double>() > 2 * counters["packets"].get<double>());
}

TEST_CASE("gups by the clock stands beside what was measured only where it runs as that did") {
    const auto published = [](const std::string& machine, const std::string& more) {
        return json_from("run gups --virtual-clock --updates 2048 --table '512 KiB' -m " + machine + more)["published"];
    };
    CHECK_THAT(published("bluegene-l", " --ranks 512")["update_rate"].get<double>(), WithinRel(0.844e9, 1e-9));
    CHECK_THAT(published("bluegene-l", " --shape 8x8x8 --bucket 29")["update_rate"].get<double>(),
               WithinRel(0.844e9, 1e-9));
    CHECK(published("bluegene-l", " --ranks 512")["send_blocking_factor"].is_null());
    CHECK(published("bluegene-l", " --ranks 512 --bucket 25")["update_rate"].is_null());
    CHECK(published("bluegene-l", " --shape 4x8x16")["update_rate"].is_null());
    const std::string file = (data_directory() / "machines" / "bluegene-l.yaml").string();
    CHECK(published(file, " --ranks 512")["update_rate"].is_null());  // it may have been changed
}

TEST_CASE("gups by the clock: of a run too short to be steady the whole counts, and its terms sum to its result") {
    for (const char* updates : {"2", "64", "1000", "5000"}) {
        CAPTURE(updates);
        const auto run = json_from(
            "run gups --virtual-clock -m bluegene-l --ranks 64 --bucket 1 --table '512 KiB' "
            "--updates " +
            std::string(updates));
        const auto& counters = run["counters"];
        CHECK(run["result"]["value"] == counters["rate_with_start_and_end"]);
        CHECK_THAT(run["result"]["value"].get<double>() * run["seconds"].get<double>(),
                   WithinRel(std::stod(updates), 1e-9));
        double sum = 0;
        for (const auto& term : run["terms"]) sum += term["value"].get<double>();
        CHECK_THAT(64 / sum, WithinRel(run["result"]["value"].get<double>(), 1e-6));
        for (const char* unknown :
             {"send_blocking_factor", "applied_per_formed", "processor_utilisation", "link_utilisation"}) {
            CHECK(counters[unknown].is_null());
        }
    }
}

TEST_CASE("gups by the clock says where it has other buffers than the machine's file") {
    const ScratchDirectory scratch;
    const std::string machine = read_whole_file(data_directory() / "machines" / "bluegene-l.yaml");
    const auto remarks = [&](const std::string& link, const std::string& other) {
        std::string text = machine;
        const auto give = [&text](const std::string& old, const std::string& now) {
            const auto at = text.find(old);
            REQUIRE(at != std::string::npos);
            text.replace(at, old.size(), now);
        };
        give("latency: 100 ns}", "latency: 100 ns, buffer: " + link + "}");
        give("value: 1 KiB", "value: " + other);
        give("value: 1 KiB", "value: " + other);
        std::ofstream("small.yaml") << text;
        const Ran ran =
            run_narrows("run gups --virtual-clock -m small.yaml --ranks 32 --bucket 1 --updates 64 --table '8 KiB'");
        CHECK(ran.exit == 0);
        return ran.out;
    };
    CHECK_THAT(
        remarks("64 B", "100 B"),
        Catch::Contains("buffers: 2 packets at a link, 3 packets of a rank for a direction, 6 packets received a "
                        "dimension\n") &&
            !Catch::Contains("the clock has"));
    const std::string small = remarks("63 B", "31 B");
    CHECK_THAT(small, Catch::Contains("buffers: 2 packets at a link, 1 packets of a rank for a direction, 1 packets "
                                      "received a dimension\n"));
    CHECK_THAT(small,
               Catch::Contains("buffers: network.link.buffer of 63 B holds 1 packets of 32 B, the clock has 2\n"));
    CHECK_THAT(small,
               Catch::Contains("buffers: network.injection.buffer of 31 B holds 0 packets of 32 B, the clock has 1\n"));
    CHECK_THAT(small, Catch::Contains("buffers: network.reception.buffer of 31 B holds 0 packets of 32 B a dimension, "
                                      "the clock has 1\n"));
    CHECK_THAT(remarks("64 B", "4096 B"),
               Catch::Contains("buffers: network.reception.buffer of 4 KiB holds 256 packets of 32 B a dimension, the "
                               "clock has 255\n"));
}

TEST_CASE("gups by the clock agrees with the model where its links are far from full") {
    const std::string asked = " -m torus-pod --ranks 64 --bucket 8";
    const auto run = json_from("run gups --virtual-clock --updates 640448 --table '512 KiB'" + asked);
    const auto predicted =
        json_from("predict gups --variant routed -m torus-pod -n 64 --ranks-per-node 1 --bucket 8 --table '512 KiB'");
    double processor = 0;
    for (const auto& bound : predicted["bounds"]) {
        if (bound["resource"] == "processor") processor = bound["value"].get<double>();
    }
    CHECK(run["errors"] == 0);
    CHECK_THAT(run["result"]["value"].get<double>(), WithinRel(processor, 0.05));
}

}  // namespace narrows
