#include <algorithm>
#include <catch2/catch.hpp>

#include "topologies/input_error.hpp"
#include "topologies/search/verify.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

namespace {

Certificate certified(const std::string& spec, double exact_work) {
    Certificate certificate;
    certificate.network = parse_topology(spec).graph();
    AnalysisOptions options;
    options.recognise = false;
    options.flow_ratio = 1.02;
    options.exact_work = exact_work;
    const NetworkNumbers nothing{not_known(), not_known(), not_known(), not_known()};
    const NetworkAnalysis found = analyse(certificate.network, nothing, options);
    certificate.claims = found.numbers;
    certificate.proofs = found.proofs;
    return certificate;
}

/// The same with a flow that is given by lengths and weights, as that of networks too large for the linear program.
Certificate with_spread_flow(Certificate certificate) {
    UniformFlowGoal goal;
    goal.ratio = 1.02;
    goal.upper = certificate.claims.phi.upper;
    certificate.proofs.flow = uniform_flow(certificate.network, goal).value();
    certificate.claims.uniform_flow.lower = certificate.proofs.flow->lower;
    certificate.claims.uniform_flow.upper = std::min(goal.upper, certificate.proofs.flow->upper);
    return certificate;
}

bool all_hold(const Certificate& certificate) {
    const auto claims = verify(certificate, 2);
    return std::all_of(claims.begin(), claims.end(), [](const CheckedClaim& claim) { return claim.holds; });
}

bool holds(const Certificate& certificate, const std::string& name) {
    for (const CheckedClaim& claim : verify(certificate, 2)) {
        if (claim.claim == name) return claim.holds;
    }
    throw std::logic_error("no claim " + name);
}

}  // namespace

TEST_CASE("what the search proves is proven again") {
    CHECK(all_hold(certified("random-regular 20 degree=3 seed=1", 1e9)));
    CHECK(all_hold(certified("random-regular 60 degree=5 seed=1", 0)));
    CHECK(all_hold(certified("slim-fly 5", 0)));
    CHECK(all_hold(certified("leaf-spine leaves=4 hosts=4 spines=2", 1e9)));
    CHECK(verify(certified("slim-fly 5", 0), 1).size() == 8);
}

TEST_CASE("a claim that is sharper than its proof does not hold") {
    const Certificate honest = certified("random-regular 40 degree=4 seed=1", 0);
    Certificate wrong = honest;
    wrong.claims.phi.upper *= 0.999;
    CHECK_FALSE(holds(wrong, "φ ≤"));
    wrong = honest;
    wrong.claims.phi.lower *= 1.05;
    CHECK_FALSE(holds(wrong, "φ ≥"));
    wrong = honest;
    wrong.claims.uniform_flow.lower *= 1.001;
    CHECK_FALSE(holds(wrong, "t ≥"));
    wrong = honest;
    wrong.claims.uniform_flow.upper *= 0.99;
    CHECK_FALSE(holds(wrong, "t ≤"));
    wrong = honest;
    wrong.claims.bisection.upper -= 1;
    CHECK_FALSE(holds(wrong, "B ≤"));
    wrong = honest;
    wrong.claims.bisection.lower += 1;
    CHECK_FALSE(holds(wrong, "B ≥"));
}

TEST_CASE("a changed proof or network is found out") {
    const Certificate honest = with_spread_flow(certified("random-regular 20 degree=3 seed=2", 1e9));
    REQUIRE(all_hold(honest));
    Certificate wrong = honest;
    wrong.proofs.cuts->phi.side[0] ^= 1;
    CHECK_FALSE(all_hold(wrong));
    wrong = honest;
    wrong.network.edges.back().capacity = 0.5;
    CHECK_FALSE(all_hold(wrong));
    wrong = honest;
    wrong.network.edges.pop_back();
    CHECK_THROWS_WITH(verify(wrong, 1), Catch::Contains("list of weights has 30 entries instead of 29"));
    wrong = honest;
    wrong.proofs.cuts->alpha.side.pop_back();
    CHECK_THROWS_WITH(verify(wrong, 1), Catch::Contains("cut has 19 entries instead of 20"));
    wrong = honest;
    auto& weights = wrong.proofs.flow->parts.front().spread.weight;
    for (std::size_t e = 0; e < weights.size(); e += 2) weights[e] *= 50;  // crowds every other link
    CHECK_FALSE(holds(wrong, "t ≥"));
    wrong = certified("slim-fly 5", 0);
    wrong.proofs.spectral *= 1.1;  // no longer below the least cut: the form is not positive
    CHECK_FALSE(holds(wrong, "φ ≥"));
}

TEST_CASE("a forged certificate proves nothing") {
    Certificate forged = certified("torus 5x3", 0);
    forged.proofs.flow = UniformFlow{};
    for (const double weight : {1e200, 1e308}) {
        forged.proofs.flow->parts = {{1, {{}, std::vector<double>(30, weight), false}}};
        forged.claims.uniform_flow.lower = 1e6;
        forged.claims.bisection.lower = 1e6;
        CHECK_FALSE(holds(forged, "t ≥"));
        CHECK_FALSE(holds(forged, "B ≥"));
    }
    forged.proofs.flow->parts = {{1, {std::vector<double>(30, 1e308), {}, false}}};
    CHECK_FALSE(holds(forged, "t ≥"));
    forged.proofs.flow->parts.clear();
    CHECK_FALSE(holds(forged, "t ≥"));
}

TEST_CASE("spectral proofs hold at any scale of capacities") {
    for (const double scale : {1e-12, 1.0, 1e14}) {
        INFO(scale);
        Certificate certificate = certified("random-regular 60 degree=5 seed=1", 0);
        for (auto& edge : certificate.network.edges) edge.capacity *= scale;
        for (Bracket* claim : {&certificate.claims.bisection, &certificate.claims.alpha, &certificate.claims.phi,
                               &certificate.claims.uniform_flow}) {
            claim->lower *= scale;
            claim->upper *= scale;
        }
        certificate.proofs.spectral *= scale;
        for (const CheckedClaim& claim : verify(certificate, 1)) {
            INFO(claim.claim << ' ' << claim.claimed << ' ' << claim.proven << ' ' << claim.how);
            CHECK(claim.holds);
        }
    }
}
