// Brings small test-beds up, where this machine lets it.

#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>

#include "tests/cluster/counters.hpp"
#include "tests/cluster/job.hpp"
#include "tests/cluster/namespaces.hpp"
#include "topologies/input_error.hpp"

namespace narrows::cluster {
namespace {

/// CTest takes such a line for a test that was skipped.
bool refused() {
    try {
        require_namespaces();
        return false;
    } catch (const Refused& reason) {
        std::cout << "skipped: " << reason.what() << '\n';
        return true;
    }
}

/// Tests of other processes may run at the same time.
Bed planned(const std::string& spec, const std::string& name) {
    BedWords words;
    words.network.network = spec;
    words.name = fmt::format("test-{}-{}", name, getpid());
    return plan_bed(words);
}

int namespaces_of(const Bed& bed) {
    int found = 0;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/run/netns", none)) {
        found += entry.path().filename().string().starts_with(Bed::namespace_prefix(bed.words.name)) ? 1 : 0;
    }
    return found;
}

std::vector<RankEnd> run(const Bed& bed, std::vector<std::string> command) {
    Job job;
    job.command = std::move(command);
    job.ranks = bed.hosts();
    job.seconds = 300;
    return run_job(bed, job);
}

}  // namespace

TEST_CASE("test-bed: links carry what uniform traffic is predicted to load them with") {
    if (refused()) return;
    const std::string spec = GENERATE("torus 3x3", "leaf-spine leaves=2 hosts=2 spines=2");
    CAPTURE(spec);
    const Bed bed = planned(spec, "loads");
    const ScopedBed up(bed);
    const LinkLoads before = link_counters(bed);
    const auto ends =
        run(bed, {NARROWS_CLUSTER_TESTBED, "traffic", "--name", bed.words.name, "--rank", "{rank}", "--bytes", "1MB"});
    for (const RankEnd& end : ends) {
        INFO(end.err);
        REQUIRE(end.exit == 0);
    }
    const Comparison seen = compare(bed, bed.traffic("uniform"), 1e6, sent_between(before, link_counters(bed)));
    // Headers are 66 B of 1514 and half as many acknowledgements: 6.8 % more than is sent.
    CHECK(seen.scale > 1.05);
    CHECK(seen.scale < 1.15);
    CHECK(seen.worst < 0.07);
}

TEST_CASE("test-bed: ranks of narrows find each other over TCP") {
    if (refused()) return;
    const Bed bed = planned("mesh 2", "ranks");
    const ScopedBed up(bed);
    const auto ends = run(bed, {NARROWS_PROGRAM, "run", "ping-pong", "--transport", "tcp", "{job}", "--bytes", "8",
                                "--repeats", "1", "--format", "json"});
    for (const RankEnd& end : ends) {
        INFO(end.err);
        CHECK(end.exit == 0);
    }
    CHECK(ends.front().out.find("\"errors\": 0") != std::string::npos);
}

TEST_CASE("test-bed: a host has a name and an address of its own, and other hosts' names") {
    if (refused()) return;
    const Bed bed = planned("mesh 2", "names");
    const ScopedBed up(bed);
    const auto ends = run(bed, {"sh", "-c", "hostname; getent hosts h1 | tr -s ' '; ls /sys/class/net | tr '\\n' ' '"});
    CHECK(ends[0].out == "h0\n10.77.1.2 h1\ne0 lo ");
    CHECK(ends[1].out == "h1\n10.77.1.2 h1\ne0 lo ");
}

TEST_CASE("test-bed: a link that is down carries nothing, and what it did once it is up again") {
    if (refused()) return;
    const Bed bed = planned("mesh 3", "links");
    const ScopedBed up(bed);
    const std::vector<std::string> reach{"ip", "route", "get", host_address(2)};
    set_link(bed, "h1", "h2", false);
    CHECK(run(bed, reach)[1].exit != 0);
    set_link(bed, "h2", "h1", true);
    CHECK(run(bed, reach)[1].exit == 0);
    CHECK_THROWS_AS(set_link(bed, "h0", "h2", false), InputError);
}

TEST_CASE("test-bed: nothing is left behind, also of processes and of a bed that fails") {
    if (refused()) return;
    const Bed bed = planned("mesh 2", "ends");
    {
        const ScopedBed up(bed);
        CHECK(namespaces_of(bed) == 2);
        CHECK_THROWS_AS(bring_up(bed), InputError);  // a second one of that name
        CHECK(namespaces_of(bed) == 2);
        const auto ends = run(bed, {"sh", "-c", "setsid sleep 1000 > /dev/null 2>&1 & exit 3"});
        CHECK(ends[0].exit == 3);
    }
    CHECK(namespaces_of(bed) == 0);
    CHECK_FALSE(std::filesystem::exists(bed_folder(bed.words.name)));
    Bed wrong = bed;
    wrong.bytes_a_second = 0;  // tc refuses it
    CHECK_THROWS_AS(bring_up(wrong), std::runtime_error);
    CHECK(namespaces_of(wrong) == 0);
}

}  // namespace narrows::cluster
