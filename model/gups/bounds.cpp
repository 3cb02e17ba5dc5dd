#include "model/gups/bounds.hpp"

#include <algorithm>
#include <utility>

namespace narrows {

Rate processor_bound(double workers, Time per_update) {
    return workers / per_update;
}

Rate cut_bound(const NetworkShare& network, Data per_update) {
    return network.link / per_update * (network.nodes * network.nodes * network.phi);
}

void add_bounds(std::vector<Bound>& bounds, const NetworkShare& network, Data bytes,
                const std::vector<Bound>& servers) {
    constexpr Resource cut = Resource::network;
    if (network.limits()) {
        const Symbol share = network.by_flow
                                 ? Symbol("t", "flow between each two nodes at once, in links", network.phi)
                                 : Symbol("phi", "links of the sparsest cut over the pairs it separates", network.phi);
        bounds.push_back({cut,
                          cut_bound(network, bytes),
                          network.by_flow ? "N^2 * t * C / b" : "N^2 * phi * C / b",
                          network.by_flow ? "garg2006 (2) with the uniform flow t for phi" : "garg2006 (2)",
                          {{"N", "nodes", network.nodes},
                           share,
                           {"C", "bandwidth of a link that the job has (network.link.bandwidth)", network.link},
                           {"b", "bytes of an update on a link", bytes}}});
    }
    for (const Bound& server : servers) {
        const auto known = std::ranges::find(bounds, server.resource, &Bound::resource);
        if (known == bounds.end()) {
            bounds.push_back(server);
        } else if (server.limit < known->limit) {
            *known = server;
        }
    }
}

std::vector<Bound> message_bounds(const MessageGups& inputs, Time per_update, std::string_view formula,
                                  std::string_view source, std::vector<Symbol> symbols) {
    std::vector<Bound> bounds;
    bounds.reserve(2 + inputs.servers.size());
    bounds.push_back(
        {Resource::processor, processor_bound(inputs.workers, per_update), formula, source, std::move(symbols)});
    add_bounds(bounds, inputs.network, inputs.bytes, inputs.servers);
    return bounds;
}

}  // namespace narrows
