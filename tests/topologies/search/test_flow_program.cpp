#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "topologies/flow/explicit_flow.hpp"
#include "topologies/input_error.hpp"
#include "topologies/search/flow_program.hpp"
#include "topologies/search/verify.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

namespace {

Network graph_of(const std::string& spec) {
    return parse_topology(spec).graph();
}

void check_value(const Network& network, double truth) {
    const FlowProgram found = flow_program(network, {}).value();
    CHECK(found.complete);
    CHECK(found.flow.lower <= truth * (1 + 1e-12));
    CHECK(found.flow.upper >= truth * (1 - 1e-12));
    CHECK(found.flow.upper <= found.flow.lower * (1 + 1e-8));
    CHECK(proven_flow(network, found.flow.arcs) >= found.flow.lower * (1 - 1e-11));
    CHECK(dual_of(network, found.flow.length, 1).value() == Approx(found.flow.upper).epsilon(1e-12));
}

/// A tree of random capacities and a few links more; some vertices are switches, some links parallel.
Network random_network(unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&random](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
    Network network{4 + below(9), below(5), {}};
    for (int v = 1; v < network.vertices(); ++v) network.connect(v, below(v), 0.25 * (1 + below(12)));
    for (int more = 4 + below(20); more > 0; --more) {
        const int u = below(network.vertices()), v = below(network.vertices());
        if (u != v) network.connect(u, v, 0.25 * (1 + below(12)));
    }
    return network;
}

/// Two complete graphs of four, joined by a link and by a way over one more host.
Network two_squares() {
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
    return network;
}

Certificate certified(const std::string& spec) {
    Certificate certificate;
    certificate.network = graph_of(spec);
    AnalysisOptions options{.exact_work = 0, .recognise = false};
    const NetworkNumbers nothing{{0, 1e9, "", ""}, {0, 1e9, "", ""}, {0, 1e9, "", ""}, {0, 1e9, "", ""}};
    const NetworkAnalysis found = analyse(certificate.network, nothing, options);
    certificate.claims = found.numbers;
    certificate.proofs = found.proofs;
    return certificate;
}

bool lower_end_holds(const Certificate& certificate) {
    for (const CheckedClaim& claim : verify(certificate)) {
        if (claim.claim == "t ≥") return claim.holds;
    }
    throw std::logic_error("no claim of t");
}

}  // namespace

TEST_CASE("the linear program meets what is known of the flow") {
    check_value(graph_of("complete 6"), 1);
    check_value(graph_of("ring 5"), 1.0 / 3);  // distances 1, 1, 2, 2 from each: 30 over 2·5
    check_value(graph_of("mesh 4x3"), 1.0 / 12);
    check_value(graph_of("star 7"), parse_topology("star 7").uniform_flow().lower);
    check_value(graph_of("leaf-spine leaves=4 hosts=4 spines=2"), 1.0 / 24);
    check_value(graph_of("slim-fly 5"), 1.0 / 13);
    check_value(graph_of("dragonfly a=4 p=2 h=2"), 1.0 / 71);
    // 16 pairs between the squares and 4 of host 8 to either: all that crosses a link and a way of 1 is 2 over 20.
    check_value(two_squares(), 0.1);
    Network slow_link{3, 0, {}};
    slow_link.connect(0, 1, 0.5);
    slow_link.connect(1, 2, 2);
    slow_link.connect(1, 2, 3);
    check_value(slow_link, 0.25);
}

TEST_CASE("the unit of capacity changes nothing") {
    for (const double unit : {2.5e10, 1e-9}) {
        Network network = two_squares();
        for (Edge& edge : network.edges) edge.capacity *= unit;
        check_value(network, 0.1 * unit);
        network = graph_of("random-regular 48 degree=3 seed=1");
        for (Edge& edge : network.edges) edge.capacity *= unit;
        check_value(network, unit / 65);
    }
}

TEST_CASE("the lower end is no more than its flow proves, however far apart capacities are") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        INFO("seed " << seed);
        Network network = random_network(seed);
        std::mt19937 random(seed);
        for (Edge& edge : network.edges) edge.capacity = std::pow(10, static_cast<double>(random() % 11) - 5);
        const auto found = flow_program(network, {});
        if (found) CHECK(proven_flow(network, found->flow.arcs) >= found->flow.lower);
    }
}

TEST_CASE("the linear program closes random networks, within the brackets of the descent") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        INFO("seed " << seed);
        const Network network = random_network(seed);
        UniformFlowGoal goal;
        goal.ratio = 1.05;
        const UniformFlow descent = uniform_flow(network, goal).value();
        FlowProgramLimits limits;
        limits.length = descent.length;
        const FlowProgram found = flow_program(network, limits).value();
        CHECK(found.complete);
        CHECK(found.flow.upper <= found.flow.lower * (1 + 1e-8));
        CHECK(found.flow.upper >= descent.lower * (1 - 1e-12));
        CHECK(found.flow.lower <= descent.upper * (1 + 1e-12));
        CHECK(found.flow.lower >= descent.lower * (1 - 1e-8));
        CHECK(proven_flow(network, found.flow.arcs) >= found.flow.lower * (1 - 1e-11));
    }
}

TEST_CASE("irregular networks on which the descent stops early are closed") {
    for (const char* spec : {"random-regular 48 degree=3 seed=1", "random-regular 64 degree=4 seed=1"}) {
        INFO(spec);
        const Certificate certificate = certified(spec);
        const Bracket& flow = certificate.claims.uniform_flow;
        CHECK(flow.upper <= flow.lower * (1 + 1e-8));
        CHECK(flow.method == "linear program, re-checked");
        CHECK(certificate.proofs.flow->parts.empty());
        for (const CheckedClaim& claim : verify(certificate)) {
            INFO(claim.claim);
            CHECK(claim.holds);
        }
    }
}

TEST_CASE("a damaged flow is found out") {
    const Certificate honest = certified("random-regular 20 degree=3 seed=2");
    REQUIRE_FALSE(honest.proofs.flow->arcs.empty());
    CHECK(lower_end_holds(honest));
    Certificate wrong = honest;
    wrong.proofs.flow->arcs.pop_back();
    CHECK_FALSE(lower_end_holds(wrong));
    wrong = honest;
    wrong.proofs.flow->arcs[7].amount *= 1.001;
    CHECK_FALSE(lower_end_holds(wrong));
    wrong = honest;
    wrong.proofs.flow->arcs[7].amount *= -1;
    CHECK_FALSE(lower_end_holds(wrong));
    wrong = honest;
    for (FlowArc& arc : wrong.proofs.flow->arcs) arc.amount *= 0.5;  // half as much on every link, but not delivered
    CHECK_FALSE(lower_end_holds(wrong));
    wrong = honest;
    wrong.network.edges[3].capacity *= 0.5;
    CHECK_FALSE(lower_end_holds(wrong));
    wrong = honest;
    wrong.claims.uniform_flow.lower *= 1 + 1e-6;
    CHECK_FALSE(lower_end_holds(wrong));
    wrong = honest;
    wrong.proofs.flow->arcs[0].edge = 30;
    CHECK_THROWS_WITH(verify(wrong), Catch::Contains("from host 0 over link 30 is not of this network"));
    wrong.proofs.flow->arcs[0] = {20, 0, 1};
    CHECK_THROWS_AS(verify(wrong), InputError);
}

TEST_CASE("a flow that does not reach a host proves nothing") {
    Network network{3, 0, {}};
    network.connect(0, 1);
    network.connect(1, 2);
    const std::vector<FlowArc> flow{{0, 0, 2}, {0, 1, 1}, {1, 0, -1}, {1, 1, 1}, {2, 1, -2}, {2, 0, -1}};
    CHECK(proven_flow(network, flow) == Approx(0.5));
    CHECK(proven_flow(network, {flow.begin(), flow.end() - 1}) == 0);
    CHECK(proven_flow(network, {}) == 0);
}

TEST_CASE("no program where it is too large, stopped at once or a host is out of reach") {
    FlowProgramLimits limits;
    limits.variables = 100;
    CHECK_FALSE(flow_program(graph_of("ring 9"), limits));
    CHECK(flow_program_variables(graph_of("ring 9")) == 162);
    limits = {};
    limits.stop = [] { return true; };
    CHECK_FALSE(flow_program(graph_of("random-regular 30 degree=3 seed=1"), limits));
    Network network{3, 0, {}};
    network.connect(0, 1);
    CHECK_FALSE(flow_program(network, {}));
}

TEST_CASE("a program that is stopped, or out of steps, keeps what it has proven") {
    const Network network = graph_of("random-regular 48 degree=3 seed=1");
    const FlowProgram whole = flow_program(network, {}).value();
    FlowProgramLimits limits;
    int polls = 0;
    limits.stop = [&] { return ++polls > whole.pivots * 3 / 4; };
    const FlowProgram stopped = flow_program(network, limits).value();
    CHECK_FALSE(stopped.complete);
    CHECK(stopped.flow.lower <= whole.flow.upper);
    CHECK(stopped.flow.upper >= whole.flow.lower);
    CHECK(stopped.flow.lower > 0);
    limits = {};
    limits.pivots = whole.pivots / 2;
    const FlowProgram early = flow_program(network, limits).value();
    CHECK_FALSE(early.complete);
    CHECK(early.pivots <= limits.pivots + 1);
    CHECK(proven_flow(network, early.flow.arcs) >= early.flow.lower * (1 - 1e-11));
}
