// Slim Fly: Besta and Hoefler, "Slim Fly: a cost effective low-diameter network topology", SC 2014, on the graphs of
// McKay, Miller and Širáň (1998) in the form of Hafner, "Geometric realisation of the graphs of McKay-Miller-Širáň",
// J. Combinatorial Theory B 90 (2004). q = 4w + δ is a prime power, δ in {−1, 0, 1}. Routers (0, x, y) and (1, m, c)
// over GF(q): N = 2q². Linked are (0, x, y) and (0, x, y') with y − y' in X, (1, m, c) and (1, m, c') with c − c' in
// X', and (0, x, y) and (1, m, c) with y = mx + c. |X| = |X'| = (q−δ)/2, degree (3q−δ)/2, diameter 2.
//
// φ = 1/(2q). Cut: a of the q groups of either kind on one side, 0 < a < q, cut 2a(q−a)q links between 2aq and 2(q−a)q
// routers. Proof that none is sparser: φ ≥ λ₂/N with λ₂ the second least eigenvalue of the Laplacian, and λ₂ = q:
// functions that are constant on groups give 0, 2q and q (2q − 2 times); all others split by the additive characters
// ψ_b, b ≠ 0, into pairs of adjacency eigenvalues θ = (η+η')/2 ± √(((η−η')/2)² + q), η = Σ_X ψ_b, η' = Σ_X' ψ_b, since
// the matrix ψ_b(mx) between the kinds is √q times a unitary one. They are below degree − q = |X| if
//   (η−η')² + 4q ≤ (q − δ − η − η')² and η + η' ≤ 2|X|,
// which for δ = 1, where η + η' = −1 and η − η' = ±√q, is 5q ≤ q²; for the other δ it is evaluated for every b.
// B and α for even q: a = q/2 attains B = λ₂N/4 and α = λ₂/2. For odd q, (q−1)/2 and (q+1)/2 groups of the two kinds
// halve the routers with q(q²+1)/2 links.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "topologies/families/finite_field.hpp"
#include "topologies/families/formulas.hpp"
#include "topologies/families/makers.hpp"
#include "topologies/families/pendant_hosts.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::int64_t largest_slim_fly_q = 181759;  // of whose links a double counts each
constexpr std::int64_t largest_evaluated_q = 256;    // q² terms, a millisecond

int delta_of(std::int64_t q) {
    return q % 4 == 3 ? -1 : static_cast<int>(q % 4);
}

bool makes_slim_fly(std::int64_t q) {
    return q >= 3 && q % 4 != 2 && prime_power(q).has_value();
}

/// X or X', by its first exponent 0 or 1.
std::vector<int> differences(const FiniteField& field, int first) {
    const int q = field.size();
    const int delta = delta_of(q);
    std::vector<int> found;
    for (int i = 0; i < (delta == -1 ? (q + 1) / 4 : (q - delta) / 2); ++i) {
        const int power = field.power(first + 2 * i);
        found.push_back(power);
        if (delta == -1) found.push_back(field.difference(0, power));
    }
    return found;
}

/// Whether the second least eigenvalue is q, by the sums over X and X'. Whole numbers for even q; else with a margin
/// far above the rounding of the cosines.
bool sums_prove_gap(const FiniteField& field) {
    const int q = field.size();
    const int p = field.characteristic();
    std::vector<double> character(q);
    for (int a = 0; a < q; ++a)
        character[a] = p == 2 ? 1 - 2 * field.trace(a) : std::cos(2 * std::numbers::pi * field.trace(a) / p);
    const std::vector<int> first = differences(field, 0);
    const std::vector<int> second = differences(field, 1);
    const double margin = p == 2 ? 0 : 1e-9 * q * q;
    for (int b = 1; b < q; ++b) {
        const auto sum = [&](const std::vector<int>& set) {
            double total = 0;
            for (const int element : set) total += character[field.product(b, element)];
            return total;
        };
        const double x = sum(first);
        const double y = sum(second);
        const double room = q - delta_of(q) - x - y;
        if (room < 0 || (x - y) * (x - y) + 4 * q + margin > room * room) return false;
    }
    return true;
}

bool gap_is_proven(std::int64_t q) {
    if (delta_of(q) == 1) return q >= 5;
    return q <= largest_evaluated_q && sums_prove_gap(FiniteField(static_cast<int>(q)));
}

Network slim_fly_graph(int q, std::int64_t links) {
    Network network = unlinked(std::int64_t{2} * q * q, 0, links);
    const FiniteField field(q);
    for (const int kind : {0, 1}) {
        for (const int difference : differences(field, kind)) {
            for (int group = 0; group < q; ++group) {
                for (int y = 0; y < q; ++y) {
                    const int other = field.sum(y, difference);
                    const int first = (kind * q + group) * q;
                    if (y < other) network.connect(first + y, first + other);
                }
            }
        }
    }
    for (int x = 0; x < q; ++x) {
        for (int m = 0; m < q; ++m) {
            const int product = field.product(m, x);
            for (int c = 0; c < q; ++c) network.connect(x * q + field.sum(product, c), (q + m) * q + c);
        }
    }
    return network;
}

void fill_cuts(ClosedForms& network, std::int64_t whole_q) {
    const auto q = static_cast<double>(whole_q);
    const bool proven = gap_is_proven(whole_q);
    const std::string groups = fmt::format("cut of one group of either kind: {} links between {} and {} routers",
                                           2 * (q - 1) * q, 2 * q, 2 * q * (q - 1));
    const std::string gap = proven ? fmt::format("; the Laplacian's second eigenvalue is {}", q) : "";
    network.phi = between(proven ? 1 / (2 * q) : 0, 1 / (2 * q), groups + gap);
    const double hops = hop_bound(network.nodes, network.links, network.distances->mean);
    network.uniform_flow = hops < network.phi.upper
                               ? between(0, hops, "room on all links for flows of the mean distance")
                               : between(0, network.phi.upper, groups);
    const bool even = whole_q % 2 == 0;
    const double links = even ? q * q * q / 2 : q * (q * q + 1) / 2;
    const std::string half =
        fmt::format("cut of {} groups: {} links between {} and {} routers", q, links, q * q, q * q);
    double least = std::ceil(q * q * q / 2);
    // The links cut have the parity of degree times routers on a side.
    if (!even && std::fmod(least, 2) != static_cast<double>(network.degree % 2)) ++least;
    network.bisection = between(proven ? least : 0, links, half + gap);
    network.alpha = between(proven ? q / 2 : 0, links / (q * q), half + gap);
}

}  // namespace

std::shared_ptr<const ClosedForms> make_slim_fly(const TopologySpec& spec) {
    const std::int64_t q = parse_count(*spec.size, "q of a Slim Fly", 3, largest_slim_fly_q);
    if (!makes_slim_fly(q)) {  // and so between two that do
        std::int64_t below = q - 1;
        std::int64_t above = q + 1;
        while (!makes_slim_fly(below)) --below;
        while (!makes_slim_fly(above)) ++above;
        throw InputError(
            fmt::format("there is no Slim Fly of q = {}: give a prime power that leaves 0, 1 or 3 when "
                        "divided by 4, such as {} or {}",
                        q, below, above));
    }
    ClosedForms network;
    network.spec = fmt::format("slim-fly {}", q);
    network.nodes = 2 * q * q;
    network.degree = (3 * q - delta_of(q)) / 2;
    require_countable(network.spec, static_cast<double>(network.nodes),
                      static_cast<double>(network.nodes) * static_cast<double>(network.degree) / 2);
    network.links = q * q * network.degree;
    network.distances = distances_within_two(network.nodes, network.links);
    network.sizing = "choose another q, of 2*q*q routers";
    network.graph = [q, links = network.links] { return slim_fly_graph(static_cast<int>(q), links); };
    fill_cuts(network, q);
    return with_hosts(spec, share(std::move(network)));
}

}  // namespace narrows
