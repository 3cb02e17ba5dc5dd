#include <catch2/catch.hpp>

#include "topologies/flow/uniform_flow.hpp"
#include "topologies/routes/link_loads.hpp"
#include "topologies/routes/uniform_loads.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

namespace {

UniformFlow flow_within(const Network& network, double ratio) {
    UniformFlowGoal goal;
    goal.ratio = ratio;
    goal.threads = 2;
    return uniform_flow(network, goal).value();
}

void check_brackets(const std::string& spec, double truth, double ratio) {
    INFO(spec);
    const UniformFlow flow = flow_within(parse_topology(spec).graph(), ratio);
    CHECK(flow.lower <= truth);
    CHECK(flow.upper >= truth);
    CHECK(flow.upper <= flow.lower * ratio);
}

}  // namespace

TEST_CASE("the flow of a Slim Fly of q = 5 is 1/13 although its sparsest cut allows 1/10") {
    check_brackets("slim-fly 5", 1.0 / 13, 1 + 1e-9);
}

TEST_CASE("a flow and lengths close in on the closed forms") {
    check_brackets("complete 6", 1, 1 + 1e-9);
    check_brackets("ring 9", parse_topology("ring 9").uniform_flow().lower, 1.001);
    check_brackets("mesh 4x3", parse_topology("mesh 4x3").uniform_flow().lower, 1.01);
    check_brackets("star 7", parse_topology("star 7").uniform_flow().lower, 1.001);
    check_brackets("leaf-spine leaves=4 hosts=4 spines=2", 1.0 / 24, 1.01);
}

TEST_CASE("longer paths are taken where shortest ones crowd") {
    // Two squares joined by one short and one long way: all shortest paths crowd on the short one.
    Network network{9, 0, {}};
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < i; ++j) {
            network.connect(i, j, 4);
            network.connect(4 + i, 4 + j, 4);
        }
    }
    network.connect(0, 4);
    network.connect(1, 8);
    network.connect(8, 5);
    const UniformFlow flow = flow_within(network, 1.01);
    CHECK(flow.parts.size() > 1);
    CHECK(flow.upper <= flow.lower * 1.01);
    CHECK(flow.upper >= 0.1);  // the cut between the squares: 2 over at most 4·5 pairs
    CHECK(flow.lower <= 2.0 / 20 * (1 + 1e-9));
}

TEST_CASE("even splitting over the shortest paths is where the search starts") {
    const Network network = parse_topology("random-regular 30 degree=4 seed=1").graph();
    const double even = allowed_rate(network, uniform_shortest_loads(network, Split::by_paths).value()) / 29;
    const Spreader spreader(network, 2);
    const SpreadLoads loads = spreader.send({}, [] { return false; }).value();
    double fullest = 0;
    for (const double load : loads.load) fullest = std::max(fullest, load / 2);
    CHECK(1 / fullest >= even * (1 - 1e-12));  // both directions of a link are evened out here
    const UniformFlow flow = flow_within(network, 1.02);
    CHECK(flow.lower >= 1 / fullest);
}

TEST_CASE("the proofs alone give the ends again") {
    const Network network = parse_topology("random-regular 24 degree=3 seed=2").graph();
    const UniformFlow flow = flow_within(network, 1.02);
    CHECK(flow_of(network, flow.parts, 1).value() == Approx(flow.lower).epsilon(1e-9));
    CHECK(dual_of(network, flow.length, 1).value() == Approx(flow.upper).epsilon(1e-9));
}

TEST_CASE("there is no flow where a host cannot be reached or the search is stopped at once") {
    Network network{3, 0, {}};
    network.connect(0, 1);
    CHECK_FALSE(uniform_flow(network, {}));
    UniformFlowGoal stopped;
    stopped.stop = [] { return true; };
    CHECK_FALSE(uniform_flow(parse_topology("ring 5").graph(), stopped));
}

TEST_CASE("long chains and absorbed lengths do not lose flow") {
    // A ring of 30 of capacity 1 with a tail of 330 links of capacity 1000, whose weights would multiply to nothing.
    Network network{360, 0, {}};
    for (int i = 0; i < 30; ++i) network.connect(i, (i + 1) % 30);
    for (int i = 30; i < 360; ++i) network.connect(i == 30 ? 0 : i - 1, i, 1000);
    UniformFlowGoal goal;
    goal.ratio = 1.2;
    int polls = 0;
    goal.stop = [&polls] { return ++polls > 20000; };
    const UniformFlow flow = uniform_flow(network, goal).value();
    CHECK(flow.lower <= flow.upper);
    CHECK(flow.lower <= 2.0 / (15 * 345.0));  // half of the ring against the rest
    Network leaves = parse_topology("random-regular 40 degree=3 seed=1").graph();
    leaves.hosts = 80;
    for (int i = 0; i < 40; ++i) leaves.connect(i, 40 + i, 1e12);
    polls = 0;
    const UniformFlow absorbed = uniform_flow(leaves, goal).value();
    CHECK(absorbed.lower <= absorbed.upper);
}
