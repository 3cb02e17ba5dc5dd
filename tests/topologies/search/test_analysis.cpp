#include <catch2/catch.hpp>
#include <cmath>

#include "calibrate/ranks/sanitizer.hpp"
#include "tests/topologies/ground_truth.hpp"
#include "topologies/search/analysis.hpp"
#include "topologies/search/product_numbers.hpp"
#include "topologies/search/verify.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

namespace {

const NetworkNumbers nothing_known{not_known(), not_known(), not_known(), not_known()};

NetworkAnalysis analysed(const Network& network, AnalysisOptions options = {}) {
    options.threads = 2;
    options.flow_ratio = 1.02;
    return analyse(network, nothing_known, options);
}

void check_holds(const Bracket& bracket, const std::optional<double>& truth) {
    if (!truth) return;
    CHECK(bracket.lower <= *truth * (1 + 1e-12));
    CHECK(bracket.upper >= *truth * (1 - 1e-12));
}

}  // namespace

TEST_CASE("the general method reproduces the ground truth from the graph alone") {
    // Under a sanitizer small ones, which go the ways of the larger in a twentieth of the time.
    const int most = NARROWS_THREAD_SANITIZER != 0 ? 8 : sanitized ? 16 : 40;
    const auto is_taken = [most](const testing::GroundTruth& row) {
        return row.nodes <= most || (!sanitized && row.spec == "dragonfly a=4 p=2 h=2");
    };
    for (const testing::GroundTruth& row : testing::ground_truth()) {
        if (!is_taken(row)) continue;
        INFO(row.spec);
        AnalysisOptions options;
        options.recognise = false;
        const NetworkNumbers found = analysed(parse_topology(row.spec).graph(), options).numbers;
        if (row.bisection) CHECK(found.bisection.upper == Approx(*row.bisection).epsilon(1e-12));
        if (row.alpha) CHECK(found.alpha.upper == Approx(*row.alpha).epsilon(1e-12));
        if (row.phi) CHECK(found.phi.upper == Approx(*row.phi).epsilon(1e-12));
        CHECK(found.bisection.exact());
        CHECK(found.alpha.exact());
        CHECK(found.phi.exact());
        CHECK(found.uniform_flow.lower <= found.phi.upper);
    }
}

TEST_CASE("brackets of larger networks hold what is known of them") {
    using Specs = std::vector<const char*>;
    const Specs specs = sanitized
                            ? Specs{"torus 4x4x4", "slim-fly 5", "fat-tree ports=4 levels=3 taper=1:1", "hypercube 6"}
                            : Specs{"torus 8x8x4", "slim-fly 7", "fat-tree ports=8 levels=3 taper=1:1", "hypercube 8"};
    for (const char* spec : specs) {
        INFO(spec);
        const Topology topology = parse_topology(spec);
        AnalysisOptions options{.exact_work = 0, .recognise = false};
        const NetworkAnalysis found = analysed(topology.graph(), options);
        CHECK(found.complete);
        check_holds(found.numbers.phi, topology.phi().exact() ? std::optional(topology.phi().upper) : std::nullopt);
        check_holds(found.numbers.alpha,
                    topology.alpha().exact() ? std::optional(topology.alpha().upper) : std::nullopt);
        CHECK(found.numbers.phi.upper <= found.numbers.phi.lower * 1.001);
        CHECK(found.numbers.uniform_flow.upper <= found.numbers.uniform_flow.lower * 1.02);
    }
}

TEST_CASE("whole capacities close the gap that the spectrum leaves") {
    for (const int q : {7, 11}) {
        INFO(q);
        const NetworkAnalysis found = analysed(parse_topology("slim-fly " + std::to_string(q)).graph());
        CHECK(found.numbers.phi.exact());
        CHECK(found.numbers.phi.upper == Approx(1.0 / (2 * q)).epsilon(1e-14));
    }
    CHECK(cut_floor(0.1, 2, 12, 1) == 2);
    CHECK(cut_floor(0.1000001, 2, 12, 1) == 3);
    CHECK(cut_floor(0.1000001, 2, 12, 0) == Approx(2.000002));
    CHECK(cut_floor(0.1, 3, 10, 0.5) == Approx(2.5));
}

TEST_CASE("a product of other networks has the numbers of its factors") {
    const Topology hyperx = parse_topology("hyperx 5x4");
    const NetworkNumbers found = product_numbers(hyperx.graph(), {}).value().numbers;
    CHECK(found.phi.upper == Approx(hyperx.phi().upper));
    CHECK(found.phi.exact());
    CHECK(found.uniform_flow.lower == Approx(hyperx.uniform_flow().lower));
    check_holds(found.alpha, hyperx.alpha().upper);
    check_holds(found.bisection, hyperx.bisection().upper);
    CHECK_FALSE(product_numbers(parse_topology("slim-fly 5").graph(), {}));
}

TEST_CASE("a grid given by its links gets its formulas") {
    const NetworkAnalysis found = analysed(parse_topology("torus 64x32x32").graph());
    CHECK(found.numbers.bisection.lower == 2048);
    CHECK(found.numbers.bisection.exact());
    CHECK(found.numbers.alpha.exact());
    CHECK(found.numbers.uniform_flow.exact());
    CHECK(found.numbers.phi.method == "recognised as torus 64x32x32, closed form");
}

TEST_CASE("a disconnected network sends nothing, and half of it may be apart") {
    Network network{6, 0, {}};
    network.connect(0, 1);
    network.connect(1, 2);
    network.connect(3, 4);
    network.connect(4, 5);
    const NetworkAnalysis halves = analysed(network);
    CHECK(halves.components == 2);
    CHECK(halves.numbers.bisection.upper == 0);
    CHECK(halves.numbers.phi.upper == 0);
    CHECK(halves.numbers.uniform_flow.exact());
    network.connect(2, 3);
    network.edges.erase(network.edges.begin() + 3);  // now {0…4} and {5}
    const NetworkAnalysis uneven = analysed(network);
    CHECK(uneven.components == 2);
    CHECK(uneven.numbers.bisection.upper == 1);
    CHECK(uneven.numbers.alpha.upper == 0);
}

TEST_CASE("switches that nothing uses change no number, and proofs hold") {
    const Network used = parse_topology("torus 4x4").graph();
    Network with_idle = used;
    with_idle.switches = 3;
    with_idle.connect(17, 18);
    AnalysisOptions options;
    options.recognise = false;
    const NetworkNumbers nothing{not_known(), not_known(), not_known(), not_known()};
    const NetworkAnalysis found = analyse(with_idle, nothing, options);
    const NetworkAnalysis wanted = analyse(used, nothing, options);
    CHECK(found.numbers.bisection.upper == wanted.numbers.bisection.upper);
    CHECK(found.numbers.bisection.lower == wanted.numbers.bisection.lower);
    CHECK(found.numbers.phi.lower == Approx(wanted.numbers.phi.lower));
    CHECK(found.numbers.uniform_flow.lower == Approx(wanted.numbers.uniform_flow.lower).epsilon(1e-3));
    const auto claims = verify({with_idle, found.numbers, found.proofs}, never_stop);
    CHECK(claims.size() >= 5);
    for (const CheckedClaim& one : claims) CHECK(one.holds);
}

TEST_CASE("a large sparse network has a spectral bound, and a flow from few of its nodes") {
    const Topology fabric = parse_topology("leaf-spine leaves=60 hosts=52 spines=8");
    const NetworkAnalysis found = analysed(fabric.graph());
    CHECK(found.proofs.spectral > 0.6 * fabric.phi().upper);
    CHECK(found.proofs.spectral <= fabric.phi().upper);
    CHECK(std::ssize(found.proofs.spectral_order) == 60 * 52 + 60 + 8 - 1);
    CHECK(found.numbers.uniform_flow.lower == Approx(fabric.phi().upper));
    CHECK(found.numbers.uniform_flow.lower_method == "flow over shortest paths, evened out, from one node by symmetry");
    CHECK(found.numbers.phi.method_of_upper() == "cut search");
    CHECK(found.numbers.phi.method_of_lower() == "flow");
}

TEST_CASE("least cuts by symmetry are those of all divisions") {
    AnalysisOptions with, without;
    without.symmetry = false;
    with.recognise = without.recognise = false;
    const Network network = parse_topology("twisted-torus 8x4 twist=4").graph();
    const NetworkNumbers found = analysed(network, with).numbers, all = analysed(network, without).numbers;
    CHECK(found.phi.method.find("one node on a given side by symmetry") != std::string::npos);
    CHECK(all.phi.method.find("symmetry") == std::string::npos);
    CHECK(found.bisection.upper == all.bisection.upper);
    CHECK(found.alpha.upper == all.alpha.upper);
    CHECK(found.phi.upper == all.phi.upper);
}

TEST_CASE("a search that is stopped says so and keeps what is proven") {
    AnalysisOptions options;
    int polls = 0;
    options.stop = [&polls] { return ++polls > 1; };
    options.recognise = false;
    const NetworkAnalysis found = analysed(parse_topology("random-regular 200 degree=5 seed=1").graph(), options);
    CHECK_FALSE(found.complete);
    CHECK(std::isfinite(found.numbers.bisection.upper));
    CHECK(found.numbers.phi.lower > 0);  // by one round of a flow
    CHECK(found.numbers.uniform_flow.lower > 0);
    CHECK(found.numbers.phi.lower <= found.numbers.phi.upper);
}

TEST_CASE("a large search that is stopped at once still has a flow by way of a few nodes") {
    AnalysisOptions options;
    options.stop = [] { return true; };
    options.recognise = false;
    const NetworkAnalysis found = analysed(parse_topology("random-regular 12000 degree=5 seed=1").graph(), options);
    CHECK_FALSE(found.complete);
    CHECK_FALSE(found.proofs.hubs.empty());
    CHECK(found.numbers.uniform_flow.lower > 0);
    CHECK(found.numbers.phi.lower > 0);
    CHECK(found.numbers.phi.lower <= found.numbers.phi.upper);
}

TEST_CASE("a matrix that memory does not hold is left out", "[long]") {
    AnalysisOptions options;
    options.recognise = options.symmetry = false;
    options.memory = std::size_t{800} * 800 * sizeof(double) - 1;
    const Network network = parse_topology("random-regular 800 degree=6 seed=1").graph();
    CHECK(analysed(network, options).proofs.spectral == 0);
    ++options.memory;
    CHECK(analysed(network, options).proofs.spectral > 0);
}

TEST_CASE("two brackets of one number are as sharp as the sharper ends of both") {
    const Bracket both = sharper({1, 5, "a", "x"}, {2, 4, "b", "y"});
    CHECK(both.lower == 2);
    CHECK(both.upper == 4);
    CHECK(both.certificate == "y");
    CHECK(sharper({3, 3, "a", "x"}, {1, 9, "b", "y"}).method == "a");
}

TEST_CASE("the analysis is the same for the same seed") {
    const Network network = parse_topology("random-regular 60 degree=4 seed=3").graph();
    AnalysisOptions options;
    options.exact_work = 0;
    const auto once = analysed(network, options).numbers, again = analysed(network, options).numbers;
    CHECK(once.bisection.upper == again.bisection.upper);
    CHECK(once.phi.lower == again.phi.lower);
    CHECK(once.uniform_flow.lower == again.uniform_flow.lower);
    CHECK(once.phi.certificate == again.phi.certificate);
}

TEST_CASE("analysis: no flow is evened out when the budget was spent before") {
    AnalysisOptions options;
    options.stop = [] { return true; };
    const Network network = parse_topology("jellyfish 64 degree=4 seed=1").graph();
    const NetworkAnalysis found = analyse(network, {not_known(), not_known(), not_known(), not_known()}, options);
    CHECK_FALSE(found.complete);
    CHECK_FALSE(found.proofs.flow);
    CHECK_FALSE(found.proofs.hubs.empty());
    CHECK(found.numbers.uniform_flow.lower > 0);
    CHECK(std::isfinite(found.numbers.bisection.upper));
}
