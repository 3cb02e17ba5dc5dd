#include <catch2/catch.hpp>
#include <set>

#include "calibrate/ranks/sanitizer.hpp"
#include "tests/topologies/ground_truth.hpp"
#include "tests/topologies/least_numbers.hpp"
#include "topologies/topology.hpp"

using namespace narrows;
using testing::GroundTruth;

namespace {

Approx as(double value) {
    return Approx(value).epsilon(1e-14);
}

/// Whether the bracket allows the number, and gives it where the row says so.
void check_bracket(const Bracket& bracket, const std::optional<double>& truth, bool exact) {
    if (!truth) return;
    CHECK(bracket.lower <= *truth * (1 + 1e-14));
    CHECK(bracket.upper >= *truth * (1 - 1e-14));
    if (exact) CHECK(bracket.exact());
    if (bracket.exact()) CHECK(bracket.lower == as(*truth));
}

}  // namespace

TEST_CASE("the ground truth has forty rows or more and the rows of the published examples") {
    std::set<std::string> specs;
    for (const GroundTruth& row : testing::ground_truth()) {
        INFO(row.spec);
        CHECK(specs.insert(row.spec).second);
        CHECK(row.phi);
        CHECK_FALSE(row.source.empty());
    }
    CHECK(specs.size() >= 40);
    for (const char* spec : {"torus 5x5", "torus 3x5", "mesh 3x3x3", "hyperx 5x5", "dragonfly a=4 p=2 h=2",
                             "slim-fly 3", "slim-fly 5", "leaf-spine leaves=4 hosts=4 spines=2"}) {
        CHECK(specs.count(spec) == 1);
    }
}

TEST_CASE("closed forms reproduce the ground truth and contradict it nowhere") {
    for (const GroundTruth& row : testing::ground_truth()) {
        INFO(row.spec);
        const Topology topology = parse_topology(row.spec);
        CHECK(topology.spec() == row.spec);
        CHECK(topology.nodes() == row.nodes);
        check_bracket(topology.bisection(), row.bisection, row.closed);
        check_bracket(topology.alpha(), row.alpha, row.closed);
        check_bracket(topology.phi(), row.phi, row.closed);
        CHECK(topology.uniform_flow().lower <= *row.phi * (1 + 1e-14));
    }
}

TEST_CASE("search reproduces the ground truth within its limits") {
    for (const GroundTruth& row : testing::ground_truth()) {
        if (!row.searched || (sanitized && row.nodes > 20)) continue;
        INFO(row.spec);
        const auto cuts = testing::least_numbers(parse_topology(row.spec).graph());
        CHECK(cuts.bisection == row.bisection.value());
        CHECK(cuts.alpha == as(row.alpha.value()));
        CHECK(cuts.phi == as(row.phi.value()));
    }
}

TEST_CASE("a fraction is read as the quotient of its numbers") {
    CHECK(testing::parse_fraction("1/15") == 1.0 / 15);
    CHECK(testing::parse_fraction("2.5") == 2.5);
    CHECK_THROWS_WITH(testing::parse_fraction("1/x"), "'1/x' is not a number or a fraction");
    CHECK_THROWS_WITH(testing::parse_fraction("1/2/3"), "'1/2/3' is not a number or a fraction");
}
