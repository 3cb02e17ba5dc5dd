#include <algorithm>
#include <catch2/catch.hpp>

#include "topologies/cut/sparse_spectral_bound.hpp"
#include "topologies/flow/hub_flow.hpp"
#include "topologies/input_error.hpp"
#include "topologies/search/certificate_text.hpp"
#include "topologies/search/verify.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

namespace {

Certificate certified(Network network, double exact_work) {
    Certificate certificate;
    certificate.network = std::move(network);
    AnalysisOptions options{.exact_work = exact_work, .flow_ratio = 1.02, .recognise = false};
    const NetworkNumbers nothing{not_known(), not_known(), not_known(), not_known()};
    const NetworkAnalysis found = analyse(certificate.network, nothing, options);
    certificate.claims = found.numbers;
    certificate.proofs = found.proofs;
    return certificate;
}

Certificate certified(const std::string& spec, double exact_work) {
    return certified(parse_topology(spec).graph(), exact_work);
}

/// The same with a flow that is given by lengths and weights, as that of networks too large for the linear program.
Certificate with_spread_flow(Certificate certificate, const Orbits* orbits = nullptr) {
    UniformFlowGoal goal;
    goal.orbits = orbits;
    goal.ratio = 1.02;
    goal.upper = certificate.claims.phi.upper;
    certificate.proofs.flow = uniform_flow(certificate.network, goal).value();
    certificate.claims.uniform_flow.lower = certificate.proofs.flow->lower;
    certificate.claims.uniform_flow.upper = std::min(goal.upper, certificate.proofs.flow->upper);
    return certificate;
}

bool all_hold(const Certificate& certificate) {
    const auto claims = verify(certificate);
    return std::ranges::all_of(claims, [](const CheckedClaim& claim) { return claim.holds; });
}

bool holds(const Certificate& certificate, const std::string& name) {
    for (const CheckedClaim& claim : verify(certificate)) {
        if (claim.claim == name) return claim.holds;
    }
    throw std::logic_error("no claim " + name);
}

}  // namespace

TEST_CASE("what the search proves is proven again") {
    CHECK(all_hold(certified("random-regular 20 degree=3 seed=1", 1e9)));
    CHECK(all_hold(certified("leaf-spine leaves=4 hosts=4 spines=2", 1e9)));
    const Certificate slim_fly = certified("slim-fly 5", 0);
    CHECK(all_hold(slim_fly));
    CHECK(verify(slim_fly).size() == 8);
}

TEST_CASE("that parts of a network do not reach each other is proven again") {
    Network pairs{4, 0, {}};
    pairs.connect(0, 1);
    pairs.connect(2, 3);
    const Certificate halved = certified(pairs, 1e9);
    CHECK(halved.claims.bisection.upper == 0);
    CHECK(all_hold(halved));
    Network unequal{8, 0, {}};  // 1, 5 and 2 hosts
    for (int host = 1; host < 5; ++host) unequal.connect(host, host + 1);
    unequal.connect(6, 7);
    for (const double exact_work : {0.0, 1e9}) {
        const Certificate certificate = certified(unequal, exact_work);
        CHECK(certificate.claims.bisection.upper == 1);
        CHECK(certificate.claims.phi.upper == 0);
        const Certificate read = read_certificate(certificate_text(certificate), "read");
        for (const CheckedClaim& claim : verify(read)) {
            INFO(claim.claim << ' ' << claim.claimed << ' ' << claim.proven << ' ' << claim.how);
            CHECK(claim.holds);
        }
    }
}

TEST_CASE("where no cut was found that meets the least, the same search proves the upper end too") {
    const Certificate honest = certified("random-regular 20 degree=3 seed=1", 1e9);
    Certificate other = honest;
    std::vector<char> side(20);
    for (int host = 0; host < 20; host += 2) side[host] = 1;
    other.proofs.cuts->bisection = cut_of(other.network, side);
    REQUIRE(other.proofs.cuts->bisection.capacity > other.claims.bisection.upper);
    CHECK_FALSE(holds(other, "B ≤"));
    side = {1};
    side.resize(20);
    other.proofs.cuts->phi = other.proofs.cuts->alpha = cut_of(other.network, side);
    const Certificate read = read_certificate(certificate_text(other), "read");
    CHECK(read.proofs.cuts->bisection.side.empty());
    CHECK(read.proofs.cuts->phi.side.empty());
    CHECK(all_hold(read));
    Certificate wrong = read;
    wrong.claims.bisection.upper -= 1;
    CHECK_FALSE(holds(wrong, "B ≤"));
    wrong = read;
    wrong.claims.phi.upper *= 0.99;
    CHECK_FALSE(holds(wrong, "φ ≤"));
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
    wrong.proofs.cuts->bisection.side[0] ^= 1;
    const std::vector<CheckedClaim> checked = verify(wrong);
    const auto halves = std::ranges::find_if(checked, [](const auto& one) { return one.claim == "B ≤"; });
    REQUIRE(halves != checked.end());
    CHECK_FALSE(halves->holds);
    CHECK(halves->how == "it has no such cut");
    wrong = honest;
    wrong.network.edges.back().capacity = 0.5;
    CHECK_FALSE(all_hold(wrong));
    wrong = honest;
    wrong.network.edges.pop_back();
    CHECK_THROWS_WITH(verify(wrong), Catch::Contains("list of weights has 30 entries instead of 29"));
    wrong = honest;
    wrong.proofs.cuts->alpha.side.pop_back();
    CHECK_THROWS_WITH(verify(wrong), Catch::Contains("cut has 19 entries instead of 20"));
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
    for (const double share : {5e-324, 1e-300, 0.4}) {  // loads that rounding swallows, or too little of the flow
        forged.proofs.flow->parts = {{share, {{}, {}, true}}};
        CHECK_FALSE(holds(forged, "t ≥"));
    }
}

TEST_CASE("a flow found by symmetry is proven by symmetries that are checked, or without them") {
    Certificate certificate = certified("twisted-torus 8x4 twist=4", 0);
    REQUIRE_FALSE(certificate.proofs.automorphisms.empty());
    const Orbits orbits = orbits_of(certificate.network, certificate.proofs.automorphisms).value();
    certificate = with_spread_flow(certificate, &orbits);
    CHECK(all_hold(certificate));
    Certificate wrong = certificate;
    wrong.proofs.automorphisms.clear();
    CHECK(all_hold(wrong));
    wrong = certificate;
    std::swap(wrong.proofs.automorphisms.front().moved[0].second, wrong.proofs.automorphisms.front().moved[1].second);
    CHECK_THROWS_WITH(verify(wrong), Catch::Contains("a symmetry of the certificate is none of its network"));
    wrong = certificate;
    wrong.proofs.automorphisms.front().moved[0].second = wrong.proofs.automorphisms.front().moved[1].second;
    CHECK_THROWS_WITH(verify(wrong), Catch::Contains("a symmetry of the certificate is none of its network"));
    wrong = certificate;
    wrong.proofs.flow->length.assign(64, 1);
    wrong.proofs.flow->length[5] = 1e6;  // one link of an orbit is longer than the others
    CHECK_FALSE(holds(wrong, "t ≤"));
    wrong.claims.uniform_flow.upper = 1;  // but they prove something, with all hosts' distances
    CHECK(holds(wrong, "t ≤"));
}

TEST_CASE("a flow by way of given nodes is proven") {
    Certificate certificate = certified("random-regular 40 degree=4 seed=1", 0);
    const LoadsOfSome some = uniform_loads_until(certificate.network, Split::by_hop, 1, [] { return true; });
    certificate.proofs.flow.reset();
    certificate.proofs.hubs = some.sources;
    certificate.claims.uniform_flow = {hub_flow(certificate.network, some), certificate.claims.phi.upper, "", ""};
    CHECK(holds(certificate, "t ≥"));
    CHECK(holds(certificate, "t ≤"));
    certificate.claims.uniform_flow.lower *= 1.01;
    CHECK_FALSE(holds(certificate, "t ≥"));
    certificate.proofs.hubs.resize(1);
    CHECK_FALSE(holds(certificate, "t ≥"));
    certificate.proofs.hubs.push_back(40);
    CHECK_THROWS_WITH(verify(certificate), Catch::Contains("a hub of the certificate is not a host"));
}

TEST_CASE("a sparse factorisation is proven in its order") {
    for (const char* spec :
         {"random-regular 60 degree=5 seed=1", "leaf-spine leaves=5 hosts=6 spines=2", "torus 7x6"}) {
        INFO(spec);
        Certificate certificate = certified(spec, 0);
        const SparseSpectralBound bound = sparse_spectral_bound(certificate.network).value();
        certificate.proofs.spectral = bound.phi;
        certificate.proofs.spectral_order = bound.order;
        CHECK(all_hold(certificate));
        CHECK_FALSE(proves_sparsity(certificate.network, {bound.phi * 1.001, bound.order}));
        CHECK_FALSE(proves_sparsity(certificate.network, bound, {1e9, [] { return true; }}));
        certificate.proofs.spectral_order[1] = certificate.proofs.spectral_order[0];
        certificate.proofs.spectral = 1;
        CHECK_THROWS_WITH(verify(certificate), Catch::Contains("every vertex but one, once"));
    }
}

TEST_CASE("spectral proofs hold at any scale of capacities") {
    const Certificate honest = certified("random-regular 60 degree=5 seed=1", 0);
    for (const double scale : {1e-12, 1.0, 1e14}) {
        INFO(scale);
        Certificate certificate = honest;
        for (auto& edge : certificate.network.edges) edge.capacity *= scale;
        for (Bracket* claim : {&certificate.claims.bisection, &certificate.claims.alpha, &certificate.claims.phi,
                               &certificate.claims.uniform_flow}) {
            claim->lower *= scale;
            claim->upper *= scale;
        }
        certificate.proofs.spectral *= scale;
        for (const CheckedClaim& claim : verify(certificate)) {
            INFO(claim.claim << ' ' << claim.claimed << ' ' << claim.proven << ' ' << claim.how);
            CHECK(claim.holds);
        }
    }
}
