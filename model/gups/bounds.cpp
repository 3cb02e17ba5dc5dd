#include "model/gups/bounds.hpp"

namespace narrows {

Rate processor_bound(double workers, Time per_update) {
    return workers / per_update;
}

Rate cut_bound(const NetworkShare& network, Data per_update) {
    return network.link / per_update * (network.nodes * network.nodes * network.phi);
}

Rate injection_bound(const NetworkShare& network, Data per_hop, double hops) {
    return network.link / per_hop * (network.nodes * network.injection / hops);
}

void add_network_bounds(std::vector<Bound>& bounds, const NetworkShare& network, Data bytes, double hops) {
    if (!network.limits()) return;
    bounds.push_back({"network", cut_bound(network, bytes), network.by_flow ? "N^2 t C / b" : "N^2 phi C / b",
                      network.by_flow ? "garg2006 (2) with the uniform flow t for phi" : "garg2006 (2)"});
    if (network.injection > 0 && hops > 0) {
        bounds.push_back({"injection", injection_bound(network, bytes, hops), "N d C / (h b)", "derived"});
    }
}

}  // namespace narrows
