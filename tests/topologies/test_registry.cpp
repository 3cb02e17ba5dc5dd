#include <catch2/catch.hpp>
#include <string>

#include "calibrate/ranks/sanitizer.hpp"
#include "tests/error_cases.hpp"
#include "tests/topologies/graph_checks.hpp"
#include "topologies/input_error.hpp"
#include "topologies/registry.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

TEST_CASE("a wrong SPEC is answered with the remedy") {
    const std::vector<ErrorCase> cases = error_cases(NARROWS_SPEC_ERRORS);
    CHECK(cases.size() > 30);
    for (const ErrorCase& one : cases) {
        const std::string spec = one.text.substr(0, one.text.size() - 1);
        CAPTURE(spec);
        CHECK(testing::complaint(spec) == one.error);
    }
}

TEST_CASE("every family's example parses back from its canonical text") {
    for (const FamilyRecord& family : topology_families()) {
        const Topology topology = parse_topology(family.example);
        CHECK(topology.family() == family.name);
        CHECK(topology.spec() == family.example);
        CHECK(parse_topology(topology.spec()) == topology);
        CHECK_FALSE(family.help.empty());
        CHECK_FALSE(family.source.empty());
    }
}

TEST_CASE("every family's example has the nodes links degree and distances of its graph") {
    for (const FamilyRecord& family : topology_families()) {
        const Topology topology = parse_topology(family.example);
        // Distances are measured from every host: larger members are checked in their families' own tests.
        if (topology.nodes() <= (sanitized ? 512 : 4096)) testing::check_sizes(topology);
    }
}

TEST_CASE("a specification is written canonically") {
    CHECK(parse_topology("  torus   8X4 ").spec() == "torus 8x4");
    CHECK(parse_topology("fat-tree taper=4:2 levels=2 ports=6").spec() == "fat-tree ports=6 levels=2 taper=2:1");
    CHECK(parse_topology("fat-tree ports=4 levels=2 hosts=8").spec() == "fat-tree ports=4 levels=2 taper=1:1");
    CHECK(parse_topology("fat-tree ports=4 levels=2 hosts=5").spec() == "fat-tree ports=4 levels=2 taper=1:1 hosts=5");
    CHECK(parse_topology("hypercube 03").spec() == "hypercube 3");
}

TEST_CASE("the same family with another number of nodes") {
    CHECK(parse_topology("torus 64x32x32").with_nodes(128).spec() == "torus 8x4x4");
    CHECK(parse_topology("torus 64x32x32").with_nodes(65536).spec() == "torus 64x32x32");
    CHECK(parse_topology("mesh 8x2").with_nodes(16).spec() == "mesh 8x2");
    CHECK(parse_topology("mesh 8x2").with_nodes(7).spec() == "mesh 7x1");
    CHECK(parse_topology("hypercube 10").with_nodes(64).spec() == "hypercube 6");
    CHECK(parse_topology("fat-tree ports=4 levels=3").with_nodes(5).spec() ==
          "fat-tree ports=4 levels=3 taper=1:1 hosts=5");
    CHECK(Topology().with_nodes(6).spec() == "mesh 6");
    CHECK_THROWS_WITH(parse_topology("hypercube 3").with_nodes(48),
                      "a hypercube cannot have 48 nodes: give a power of two, at most 1099511627776");
    CHECK_THROWS_AS(parse_topology("hypercube 3").with_nodes(0), InputError);
    CHECK_THROWS_AS(parse_topology("torus 8").with_nodes(-1), InputError);
    CHECK_THROWS_WITH(parse_topology("fat-tree ports=4 levels=2").with_nodes(9),
                      "a fat tree of 2 levels of 4 ports cannot have 9 hosts: give from 1 to 8");
}

TEST_CASE("a wrong word is named with the remedy") {
    CHECK(testing::complaint("") == "a topology's specification is empty: write one like 'torus 64x32x32'");
}

TEST_CASE("the ports that are suggested for a fat tree make one") {
    const auto ports = [](int number, const std::string& rest) {
        return "fat-tree ports=" + std::to_string(number) + " " + rest;
    };
    CHECK(testing::complaint(ports(40, "levels=3 taper=2:1")) == "40 ports do not divide by taper 2:1: give 36 or 42");
    CHECK(testing::complaint(ports(39, "levels=3 taper=2:1")) ==
          "a fat tree of 3 levels cannot have 39 ports: give 36 or 42");
    CHECK(testing::complaint(ports(4, "levels=3 taper=5:1")) == "4 ports do not divide by taper 5:1: give 6");
    CHECK(testing::complaint(ports(65535, "levels=2 taper=2:7")) ==
          "65535 ports do not divide by taper 2:7: give 65529");
    CHECK(testing::complaint(ports(4, "levels=2 taper=65535:2")) ==
          "4 ports do not divide by taper 65535:2: no switch has so many, give a taper of smaller numbers");
    for (const char* rest : {"levels=2 taper=2:1", "levels=3 taper=2:1", "levels=3 taper=4:3", "levels=3"}) {
        for (int number = 2; number < 60; ++number) {
            const std::string said = testing::complaint(ports(number, rest));
            const auto give = said.find("give ");
            if (give == std::string::npos) continue;
            CAPTURE(said);
            CHECK(testing::complaint(ports(std::stoi(said.substr(give + 5)), rest)) == "no error");
            const auto other = said.find(" or ", give);
            if (other != std::string::npos)
                CHECK(testing::complaint(ports(std::stoi(said.substr(other + 4)), rest)) == "no error");
        }
    }
}
