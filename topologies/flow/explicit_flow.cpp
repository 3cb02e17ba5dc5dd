#include "topologies/flow/explicit_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

void require_arc(const Network& network, const FlowArc& arc) {
    const bool inside = arc.source >= 0 && arc.source < network.hosts && arc.edge >= 0 &&
                        arc.edge < static_cast<int>(network.edges.size()) && std::isfinite(arc.amount);
    if (inside) return;
    throw InputError(fmt::format("the certificate's flow of {} from host {} over link {} is not of this network",
                                 arc.amount, arc.source, arc.edge));
}

}  // namespace

double proven_flow(const Network& network, const std::vector<FlowArc>& arcs) {
    const auto vertices = static_cast<std::size_t>(network.vertices());
    const auto hosts = static_cast<std::size_t>(network.hosts);
    std::vector<double> load(network.edges.size()), received(hosts * vertices);
    for (const FlowArc& arc : arcs) {
        require_arc(network, arc);
        const Edge& edge = network.edges[arc.edge];
        load[arc.edge] += std::abs(arc.amount);
        received[static_cast<std::size_t>(arc.source) * vertices + edge.v] += arc.amount;
        received[static_cast<std::size_t>(arc.source) * vertices + edge.u] -= arc.amount;
    }
    double unbalanced = 0;
    for (std::size_t source = 0; source < hosts; ++source) {
        double of_source = 0;
        for (std::size_t v = 0; v < vertices; ++v) {
            if (v == source) continue;
            of_source += std::abs(received[source * vertices + v] - (v < hosts ? 1 : 0));
        }
        if (of_source >= 1) return 0;  // perhaps no path leads to that host at all
        unbalanced += of_source;
    }
    double fullest = 0;
    for (std::size_t e = load.size(); e-- > 0;) {
        fullest = std::max(fullest, (load[e] + unbalanced) / (2 * network.edges[e].capacity));
    }
    return 1 / fullest;
}

}  // namespace narrows
