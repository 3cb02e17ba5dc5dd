// A torus whose last dimension wraps around shifted along the first: the link past its end leads from x to x + twist.
// Cámara, Moretó, Vallejo, Beivide, Miguel-Alonso, Martínez and Navaridas, "Twisted torus topologies for enhanced
// interconnection networks", IEEE TPDS 21 (2010). By formula: its size, and upper ends from cuts in halves. The layers
// of any dimension but the first are cut as in a torus; half the layers of the first, h = ⌊k/2⌋, cut besides its rings
// also the shifted links that leave the half, 2·min(twist, k − twist, h) in every line of the last.
#include <fmt/format.h>

#include <algorithm>

#include "topologies/families/formulas.hpp"
#include "topologies/families/line.hpp"
#include "topologies/families/makers.hpp"
#include "topologies/families/pendant_hosts.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

struct TwistedTorus {
    std::vector<int> shape;
    std::int64_t twist = 0;

    std::int64_t nodes() const { return shape_nodes(shape); }
    /// A last dimension of two is doubled by its shifted link, unless that is the same link.
    Line line(std::size_t dimension) const { return {shape[dimension], true}; }
    bool last_is_ring() const { return shape.back() > 2 || twist != 0; }
    std::int64_t links_of(std::size_t dimension) const {
        if (dimension + 1 == shape.size() && last_is_ring()) return nodes();
        return nodes() / shape[dimension] * line(dimension).links();
    }
    std::int64_t links() const {
        std::int64_t total = 0;
        for (std::size_t i = 0; i < shape.size(); ++i) total += links_of(i);
        return total;
    }
    int degree() const {
        int total = 0;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            total += i + 1 == shape.size() && last_is_ring() ? 2 : line(i).degree();
        }
        return total;
    }
    /// Links from half the layers of a dimension to the others.
    std::int64_t half_cut(std::size_t dimension) const {
        const std::int64_t layer = nodes() / shape[dimension];
        if (dimension + 1 == shape.size()) return layer * (last_is_ring() ? 2 : 1);
        const std::int64_t crossing = layer * line(dimension).crossing();
        const std::int64_t k = shape[dimension];
        const std::int64_t lines = nodes() / k / shape.back();
        return dimension != 0 ? crossing : crossing + 2 * lines * std::min({twist, k - twist, k / 2});
    }
};

Network graph_of(const TwistedTorus& torus) {
    Network network = unlinked(torus.nodes(), 0, torus.links());
    int stride = 1;
    for (std::size_t i = 0; i < torus.shape.size(); ++i) {
        const int size = torus.shape[i];
        const bool last = i + 1 == torus.shape.size();
        for (int node = 0; node < network.hosts; ++node) {
            const int place = node / stride % size;
            if (place + 1 < size) network.connect(node, node + stride);
            if (place + 1 < size || !(last ? torus.last_is_ring() : torus.line(i).ring)) continue;
            const int x = node % torus.shape.front();
            const int shifted = last ? (x + static_cast<int>(torus.twist)) % torus.shape.front() : x;
            network.connect(node, node - place * stride + shifted - x);
        }
        stride *= size;
    }
    return network;
}

/// Upper ends, from the halves of each dimension.
void bound_cuts(ClosedForms& network, const TwistedTorus& torus) {
    const auto n = static_cast<double>(network.nodes);
    for (std::size_t i = 0; i < torus.shape.size(); ++i) {
        if (torus.shape[i] < 2) continue;
        const auto cut = static_cast<double>(torus.half_cut(i));
        const double smaller = n / torus.shape[i] * (torus.shape[i] / 2);  // NOLINT(bugprone-integer-division)
        improve_by_cut(network, fmt::format("dimension {} of {} into halves", i + 1, format_shape(torus.shape)), cut,
                       smaller, "nodes");
    }
    network.uniform_flow = network.phi;
}

TwistedTorus parse_twisted_torus(const TopologySpec& spec) {
    TwistedTorus torus{parse_shape(*spec.size), 0};
    const std::size_t dimensions = torus.shape.size();
    if (dimensions < 2 || dimensions > 3 || torus.shape.front() < 2 || torus.shape.back() < 2) {
        throw InputError(
            fmt::format("a twisted torus cannot be {}: give two or three dimensions like 8x4, the first "
                        "and the last of at least 2",
                        *spec.size));
    }
    torus.twist = spec.count("twist", 0, torus.shape.front() - 1, 0);
    return torus;
}

}  // namespace

std::shared_ptr<const ClosedForms> make_twisted_torus(const TopologySpec& spec) {
    const TwistedTorus torus = parse_twisted_torus(spec);
    ClosedForms network =
        forms_of(torus, fmt::format("twisted-torus {} twist={}", format_shape(torus.shape), torus.twist));
    network.sizing = "write another shape and its twist, like 'twisted-torus 16x8 twist=8'";
    bound_cuts(network, torus);
    return with_hosts(spec, share(std::move(network)));
}

}  // namespace narrows
