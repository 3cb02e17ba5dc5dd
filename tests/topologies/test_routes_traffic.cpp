#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "calibrate/ranks/sanitizer.hpp"
#include "tests/error_of.hpp"
#include "topologies/input_error.hpp"
#include "topologies/placement.hpp"
#include "topologies/routes/traffic.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

namespace {

/// Where each host's single unit goes; itself where it sends nothing.
std::vector<int> targets(const Traffic& traffic) {
    std::vector<int> target(traffic.hosts);
    for (int host = 0; host < traffic.hosts; ++host) target[host] = host;
    for (const auto& demand : traffic.demands) {
        CHECK(demand.amount == 1);
        CHECK(target[demand.source] == demand.source);
        target[demand.source] = demand.target;
    }
    return target;
}

/// The error that reading `text` for hosts a0, a1 and b0 gives.
std::string reading_error(const std::string& text) {
    return error_of([&] { read_traffic(text, "t.txt", HostFinder(3, {"a0", "a1", "b0"})); });
}

}  // namespace

TEST_CASE("in uniform traffic every host offers one unit") {
    CHECK(uniform_traffic(8).each == Approx(1.0 / 7));
    CHECK(uniform_traffic(8).total() == Approx(8));
    CHECK(uniform_traffic(1).total() == 0);
}

TEST_CASE("nearest neighbours are those of a grid, and on switches the hosts of the same leaf") {
    const Traffic torus = nearest_neighbour_traffic(parse_topology("torus 4x4").graph());
    CHECK(torus.demands.size() == 64);
    CHECK(torus.total() == Approx(16));
    CHECK(torus.demands.front().amount == 0.25);

    const Traffic path = nearest_neighbour_traffic(parse_topology("mesh 3").graph());
    REQUIRE(path.demands.size() == 4);
    CHECK(path.demands[0].amount == 1);
    CHECK(path.demands[1].amount == 0.5);

    const Traffic tree = nearest_neighbour_traffic(parse_topology("fat-tree ports=4 levels=2").graph());
    CHECK(tree.demands.size() == 8);
    for (const auto& demand : tree.demands) CHECK(demand.source / 2 == demand.target / 2);
    CHECK(nearest_neighbour_traffic({1, 1, {{0, 1, 1}}}).demands.empty());
}

TEST_CASE("bit-complement flips every bit of a power of two") {
    const auto target = targets(bit_complement_traffic(16));
    for (int host = 0; host < 16; ++host) CHECK(target[host] == (~host & 15));
    CHECK(targets(bit_complement_traffic(3)) == std::vector<int>{2, 1, 0});
}

TEST_CASE("transpose exchanges the halves of the bits of a power of four") {
    const auto target = targets(transpose_traffic(16));
    for (int host = 0; host < 16; ++host) CHECK(target[host] == (host >> 2 | (host & 3) << 2));
    CHECK(targets(transpose_traffic(9)) == std::vector<int>{0, 3, 6, 1, 4, 7, 2, 5, 8});
    CHECK_THROWS_WITH(transpose_traffic(8),
                      Catch::Contains("square number of hosts, not 8") && Catch::Contains("4 of"));
}

TEST_CASE("tornado goes almost half way round in every dimension") {
    CHECK(targets(tornado_traffic({8})) == std::vector<int>{3, 4, 5, 6, 7, 0, 1, 2});
    CHECK(targets(tornado_traffic({5})) == std::vector<int>{2, 3, 4, 0, 1});
    const auto target = targets(tornado_traffic({5, 4}));
    CHECK(target[0] == 2 + 5 * 1);
    CHECK(target[4 + 5 * 3] == 1 + 5 * 0);
    CHECK_THROWS_WITH(tornado_traffic({2, 2}), Catch::Contains("a dimension of three"));
}

TEST_CASE("a pattern is found by its name") {
    const Network ring = parse_topology("torus 9").graph();
    for (const auto& name : traffic_patterns()) CHECK(traffic_pattern(name, ring, {9}).total() > 0);
    CHECK(targets(traffic_pattern("tornado", ring, {}))[0] == 4);
    CHECK_THROWS_WITH(traffic_pattern("transposed", ring, {9}),
                      "there is no traffic 'transposed', did you mean 'transpose'?");
    CHECK_THROWS_WITH(traffic_pattern("everything", ring, {9}), Catch::Contains("the patterns are uniform"));
}

TEST_CASE("a traffic matrix is read by names and numbers") {
    const Traffic traffic = read_traffic("# who to whom\n\na0 b0 2.5\r\n 1 0 1e-3 # slow\na1,a1,7\na1 b0 0\n", "t.txt",
                                         HostFinder(3, {"a0", "a1", "b0"}));
    REQUIRE(traffic.demands.size() == 2);
    CHECK(traffic.demands[0].target == 2);
    CHECK(traffic.demands[0].amount == 2.5);
    CHECK(traffic.demands[1].source == 1);
    CHECK(traffic.total() == Approx(2.501));
}

TEST_CASE("every name that narrows gives a host is read back in a traffic matrix") {
    const Network torus = parse_topology("torus 3x4").graph();
    const HostFinder grid(12, {}, {{3, 4}, {}});
    for (int host = 0; host < 12; ++host) {
        for (const std::vector<int>& shape : {std::vector<int>{3, 4}, std::vector<int>{}}) {
            const std::string name = vertex_label(torus, host, {}, shape);
            const int other = (host + 5) % 12;
            for (const char* between : {" ", ",", "\t", " , "}) {
                const std::string line = name + between + vertex_label(torus, other, {}, shape) + between + "2.5";
                CAPTURE(line);
                const Traffic traffic = read_traffic(line, "t.txt", grid);
                REQUIRE(traffic.demands.size() == 1);
                CHECK(traffic.demands[0].source == host);
                CHECK(traffic.demands[0].target == other);
                CHECK(traffic.demands[0].amount == 2.5);
            }
        }
    }
}

TEST_CASE("names with spaces, commas, # and quotes are read in a traffic matrix") {
    const std::vector<std::string> names{"node 1 HCA-1", "a,b", "#3", "\"q\"", "tail#", "5"};
    const HostFinder hosts(6, names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (std::size_t j = 0; j < names.size(); ++j) {
            if (i == j) continue;
            const Traffic traffic = read_traffic(names[i] + " " + names[j] + " 7 # said\n", "t.txt", hosts);
            REQUIRE(traffic.demands.size() == 1);
            CHECK(traffic.demands[0].source == static_cast<int>(i));
            CHECK(traffic.demands[0].target == static_cast<int>(j));
            CHECK(traffic.demands[0].amount == 7);
        }
    }
    CHECK(read_traffic("\"node 1 HCA-1\" \"a,b\" 7", "t.txt", hosts).demands.size() == 1);
}

TEST_CASE("a long traffic matrix takes a few times its size in memory") {
    if (sanitized) return;
    constexpr int lines = 1000000;
    std::string text;
    for (int i = 0; i < lines; ++i) text += "12 34 1.5\n";
    const auto most_bytes = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return 1024.0 * static_cast<double>(usage.ru_maxrss);
    };
    const double before = most_bytes();
    const HostFinder hosts(64, {});
    CHECK(read_traffic(text, "t.txt", hosts).demands.size() == lines);
    CHECK_THROWS_AS(listed_hosts(text, "t.txt", hosts), InputError);  // the first line does
    CHECK(most_bytes() - before < 3.0 * static_cast<double>(text.size()));
}

TEST_CASE("errors in a traffic matrix say where and what to do") {
    CHECK(reading_error("a0 a1 1\na0 a2 1\n") == "t.txt:2:4: there is no host 'a2', did you mean 'a0'?");
    CHECK(reading_error("a0 -1 1\n") == "t.txt:1:4: there is no host '-1', did you mean 'a1'?");
    CHECK(reading_error("a0 a1\n") == "t.txt:1:4: a line of traffic is 'source target demand'");
    CHECK(reading_error("a0 a1 1 2\n") == "t.txt:1:9: a line of traffic ends after its demand: remove the rest");
    for (const auto* amount : {"-1", "nan", "inf", "1x", "much", "1e999"}) {
        CHECK(reading_error(std::string("\n0 1 ") + amount) ==
              std::string("t.txt:2:5: a demand is a number, zero or more, not '") + amount + "'");
    }
    CHECK(reading_error("a0 a0 1\n").substr(0, 50) == "t.txt:1:1: there is no traffic between two hosts: ");
}
