// HyperX, the flattened butterfly and the complete graph: Cartesian products of complete graphs K_k (Hamming graphs).
// Ahn, Binkert, Davis, McLaren and Schreiber, "HyperX: topology, routing, and packaging of efficient large-scale
// networks", SC 2009; Kim, Dally and Abts, "Flattened butterfly", ISCA 2007. All is exact. Let k be the least size
// above 1 of the dimensions.
//
// φ = t = k/N: φ(G□H) = min(φ(G)/|H|, φ(H)/|G|) as for grids (families/grid.cpp), and φ(K_k) = 1; each pair of a line
// of dimension i carries N/k_i pairs over its own link when messages go dimension by dimension.
//
// B = C(⌊N/2⌋), where C(s) cuts the first s nodes in the order that fills larger dimensions first: no s nodes have more
// links among them (Lindsey, "Assignment of numbers to vertices", American Mathematical Monthly 71 (1964)).
//
// α = ⌈k/2⌉. Half the layers of that dimension cut ⌈k/2⌉ links a node. No set cuts fewer: for even k by φN/2. For odd k
// = 2q₀+1 put that dimension last, let M = N/k and C' be the cut within a layer; Lindsey's set of qM + r nodes, r < M,
// cuts C = q(k−q)M + C'(r) + r(k−1−2q). If q = q₀, then r ≤ M/2, C'(r) ≥ (q₀+1)r by induction and C ≥ (q₀+1)(q₀M+r). If
// q < q₀, then C'(r) ≥ k·r(M−r)/M by φ, and with x = r/M the difference (C − (q₀+1)(qM+r))/M is at least q(q₀−q) +
// kx(1−x) + x(q₀−2q−1), concave in x, and at x = 0 and 1 not negative.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "topologies/families/formulas.hpp"
#include "topologies/families/makers.hpp"
#include "topologies/families/pendant_hosts.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

/// Links among the first `count` nodes in the order that runs through `sizes` (ascending) from the last, fastest.
double links_among_first(std::int64_t count, const std::vector<int>& sizes) {
    std::int64_t layer = shape_nodes(sizes);
    double within = 0;  // a node's links within its layer
    for (const int size : sizes) within += size - 1;
    double before = 0;  // a node's links to the full layers that come before its own
    double total = 0;
    for (const int size : sizes) {
        layer /= size;
        within -= size - 1;
        const std::int64_t layers = count / layer;
        const auto full = static_cast<double>(layers);
        total += full * static_cast<double>(layer) * (within / 2 + before + (full - 1) / 2);
        before += full;
        count %= layer;
    }
    return total;
}

struct HyperX {
    std::vector<int> shape;

    std::int64_t nodes() const { return shape_nodes(shape); }
    double degree() const {
        double total = 0;
        for (const int size : shape) total += size - 1;
        return total;
    }
    std::int64_t links() const { return static_cast<std::int64_t>(static_cast<double>(nodes()) * degree() / 2); }
    int diameter() const {
        return static_cast<int>(std::ranges::count_if(shape, [](int size) { return size > 1; }));
    }
    double mean_distance() const {
        const auto n = static_cast<double>(nodes());
        double apart = 0;
        for (const int size : shape) apart += n - n / size;
        return apart / (n - 1);
    }
    int least_size() const {
        int least = std::numeric_limits<int>::max();
        for (const int size : shape) least = size > 1 ? std::min(least, size) : least;
        return least;
    }
    double bisection() const {
        std::vector<int> sizes = shape;
        std::ranges::sort(sizes);
        const std::int64_t half = nodes() / 2;
        return degree() * static_cast<double>(half) - 2 * links_among_first(half, sizes);
    }
};

Network graph_of(const HyperX& hyperx) {
    Network network = unlinked(hyperx.nodes(), 0, hyperx.links());
    int stride = 1;
    for (const int size : hyperx.shape) {
        for (int node = 0; node < network.hosts; ++node) {
            for (int place = node / stride % size + 1, other = node + stride; place < size; ++place, other += stride) {
                network.connect(node, other);
            }
        }
        stride *= size;
    }
    return network;
}

void fill_cuts(ClosedForms& network, const HyperX& hyperx) {
    if (network.nodes == 1) {
        fill_single_node(network);
        return;
    }
    const std::int64_t k = hyperx.least_size();
    const std::int64_t n = network.nodes;
    const std::int64_t larger = k - k / 2;
    const std::int64_t half = n / 2;
    const double phi = static_cast<double>(k) / static_cast<double>(n);
    const std::string slab = fmt::format(
        "cut of the {} dimension into {} and {} layers: {} links between {} and {} "
        "nodes",
        k, k / 2, k - k / 2, (k / 2) * (k - k / 2) * (n / k), (k / 2) * (n / k), (k - k / 2) * (n / k));
    network.phi = exactly(phi, "closed form", slab + "; the sparsest cut of a Cartesian product is that of a factor");
    network.uniform_flow =
        exactly(phi, "closed form", slab + ", which shortest paths dimension by dimension fill evenly");
    network.alpha = exactly(static_cast<double>(larger), "closed form",
                            slab + "; no set has fewer links than in Lindsey's order (1964)");
    const double bisection = hyperx.bisection();
    network.bisection = exactly(bisection, "closed form",
                                fmt::format("cut of the first {} nodes, larger dimensions first: {} links between {} "
                                            "and {} nodes; no balanced cut is less (Lindsey 1964)",
                                            half, bisection, half, n - half));
}

ClosedForms named(const HyperX& hyperx, std::string spec) {
    const auto nodes = static_cast<double>(hyperx.nodes());
    require_countable(spec, nodes, nodes * hyperx.degree() / 2);
    ClosedForms network = forms_of(hyperx, std::move(spec));
    network.distances = network.nodes == 1 ? Distances{} : Distances{hyperx.diameter(), hyperx.mean_distance()};
    network.shape = hyperx.shape;
    std::int64_t stride = 1;
    for (const std::int64_t size : hyperx.shape) {
        const std::int64_t links = hyperx.nodes() / size * (size / 2) * (size - size / 2);
        if (size > 1) network.halves.push_back({stride, static_cast<int>(size), static_cast<double>(links)});
        stride *= size;
    }
    fill_cuts(network, hyperx);
    return network;
}

std::shared_ptr<const ClosedForms> hyperx_of(const std::string& family, const std::vector<int>& shape) {
    ClosedForms network = named({shape}, family + " " + format_shape(shape));
    network.resized = [=](std::int64_t nodes) {
        return hyperx_of(family, most_cubic_shape(nodes, static_cast<int>(shape.size())));
    };
    return share(std::move(network));
}

}  // namespace

std::shared_ptr<const ClosedForms> make_complete(const TopologySpec& spec) {
    const auto nodes =
        static_cast<int>(parse_count(*spec.size, "the number of nodes", 1, std::numeric_limits<int>::max()));
    return with_hosts(spec, hyperx_of("complete", {nodes}));
}

std::shared_ptr<const ClosedForms> make_hyperx(const TopologySpec& spec) {
    return with_hosts(spec, hyperx_of(spec.family, parse_shape(*spec.size)));
}

}  // namespace narrows
