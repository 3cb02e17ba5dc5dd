// Kautz graphs: Kautz, "Bounds on directed (d, k) graphs" (1968). N = d^D + d^(D−1) nodes, numbered as in Imase and
// Itoh, "A design for directed graphs with minimum diameter", IEEE Transactions on Computers 32 (1983): an arc leads
// from i to −di − j mod N for j = 1 … d, and for this N none leads from a node to itself. Every arc is a link usable
// both ways, so two nodes with an arc each way have two links.
#include <fmt/format.h>

#include "topologies/families/formulas.hpp"
#include "topologies/families/makers.hpp"
#include "topologies/families/pendant_hosts.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_degree = 4096;
constexpr std::int64_t most_diameter = 25;

Network kautz_graph(std::int64_t nodes, std::int64_t degree) {
    Network network = unlinked(nodes, 0, nodes * degree);
    for (std::int64_t node = 0; node < nodes; ++node) {
        for (std::int64_t j = 1; j <= degree; ++j) {
            const std::int64_t other = nodes - 1 - (degree * node + j - 1) % nodes;
            network.connect(static_cast<int>(node), static_cast<int>(other));
        }
    }
    return network;
}

}  // namespace

std::shared_ptr<const ClosedForms> make_kautz(const TopologySpec& spec) {
    const std::int64_t degree = spec.count("degree", 1, most_degree, 1);
    const std::int64_t diameter = spec.count("diameter", 1, most_diameter, 1);
    ClosedForms network;
    network.spec = fmt::format("kautz degree={} diameter={}", degree, diameter);
    double size = static_cast<double>(degree) + 1;
    for (std::int64_t i = 1; i < diameter; ++i) size *= static_cast<double>(degree);
    require_graph(network.spec, size, size * static_cast<double>(degree));
    network.nodes = static_cast<std::int64_t>(size);
    network.links = network.nodes * degree;
    network.degree = static_cast<int>(2 * degree);
    network.sizing = "choose degree d and diameter k, of d^k + d^(k-1) nodes";
    network.graph = [nodes = network.nodes, degree] { return kautz_graph(nodes, degree); };
    return with_hosts(spec, share(std::move(network)));
}

}  // namespace narrows
