// PolarFly: Lakhotia, Besta, Monroe, Isham, Iff, Hoefler and Petrini, "PolarFly: a cost-effective and flexible
// low-diameter topology", SC 2022, on the polarity graph of Erdős and Rényi (1962) and Brown (1966). q is a prime
// power; routers are the N = q² + q + 1 points of the projective plane over GF(q), linked when their product is 0. The
// q + 1 points whose product with themselves is 0 would have a loop, which is dropped: they have degree q, the others q
// + 1.
//
// Any two points have exactly one common neighbour (loops counted), so the diameter is 2 and, with A the adjacency
// matrix with loops, A² = J + qI. A loop is nothing to the Laplacian (q+1)I − A, whose eigenvalues are therefore 0 and
// q + 1 ± √q: φ ≥ (q + 1 − √q)/N, C(S) ≥ (q + 1 − √q)|S||S̄|/N.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "topologies/families/finite_field.hpp"
#include "topologies/families/formulas.hpp"
#include "topologies/families/makers.hpp"
#include "topologies/families/pendant_hosts.hpp"
#include "topologies/infinity.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::int64_t largest_polarfly_q = 131071;  // q³/2 links are counted exactly

/// The numbers of all points whose product with (a, b, c) is 0. (1, y, z) has number yq + z, (0, 1, z) q² + z, (0, 0,
/// 1) q² + q.
std::vector<int> polar_line(const FiniteField& field, const std::array<int, 3>& point) {
    const int q = field.size();
    const auto [a, b, c] = point;
    const auto quotient = [&](int numerator, int by) {
        return field.product(field.difference(0, numerator), field.inverse(by));
    };
    std::vector<int> line;
    if (c != 0) {
        for (int y = 0; y < q; ++y) line.push_back(y * q + quotient(field.sum(a, field.product(b, y)), c));
        line.push_back(q * q + quotient(b, c));
        return line;
    }
    const int first = b != 0 ? quotient(a, b) * q : q * q;
    for (int z = 0; z < q; ++z) line.push_back(first + z);
    line.push_back(q * q + q);
    return line;
}

std::array<int, 3> point_of(int number, int q) {
    if (number < q * q) return {1, number / q, number % q};
    return number < q * q + q ? std::array{0, 1, number - q * q} : std::array{0, 0, 1};
}

Network polarfly_graph(int q, std::int64_t links) {
    Network network = unlinked(std::int64_t{q} * q + q + 1, 0, links);
    const FiniteField field(q);
    for (int point = 0; point < network.hosts; ++point) {
        for (const int other : polar_line(field, point_of(point, q))) {
            if (point < other) network.connect(point, other);
        }
    }
    return network;
}

void bound_cuts(ClosedForms& network, double q) {
    const auto n = static_cast<double>(network.nodes);
    const double half = std::floor(n / 2);
    // A little less than the eigenvalue, so that rounding leaves it a bound.
    const double gap = (q + 1 - std::sqrt(q)) * (1 - 1e-14);
    const std::string text =
        fmt::format("no cut is known by formula; the Laplacian's second eigenvalue is {:.6g}", gap);
    network.phi = between(gap / n, infinity, text);
    network.alpha = between(gap * (n - half) / n, infinity, text);
    network.bisection = between(std::ceil(gap * half * (n - half) / n), infinity, text);
    network.uniform_flow = between(0, hop_bound(network.nodes, network.links, network.distances->mean),
                                   "room on all links for flows of the mean distance");
}

std::int64_t parse_q(const TopologySpec& spec) {
    const std::int64_t q = parse_count(*spec.size, "q of a PolarFly", 0, largest_polarfly_q);
    if (prime_power(q)) return q;
    std::int64_t below = std::max<std::int64_t>(q - 1, 2);
    std::int64_t above = std::max<std::int64_t>(q + 1, 3);
    while (!prime_power(below)) --below;
    while (!prime_power(above)) ++above;
    throw InputError(
        fmt::format("there is no PolarFly of q = {}: give a prime power, such as {} or {}", q, below, above));
}

}  // namespace

std::shared_ptr<const ClosedForms> make_polarfly(const TopologySpec& spec) {
    const std::int64_t q = parse_q(spec);
    ClosedForms network;
    network.spec = fmt::format("polarfly {}", q);
    network.nodes = q * q + q + 1;
    network.links = q * (q + 1) * (q + 1) / 2;
    network.degree = static_cast<int>(q + 1);
    network.distances = distances_within_two(network.nodes, network.links);
    network.sizing = "choose another q, of q*q+q+1 routers";
    network.graph = [q, links = network.links] { return polarfly_graph(static_cast<int>(q), links); };
    bound_cuts(network, static_cast<double>(q));
    return with_hosts(spec, share(std::move(network)));
}

}  // namespace narrows
