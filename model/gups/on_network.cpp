#include <algorithm>

#include "model/gups/workload.hpp"

namespace narrows {
namespace {

void drop(Machine& machine, std::string_view path) {
    std::erase_if(machine.parameters, [path](const Parameter& p) {
        return p.path == path || (p.path.starts_with(path) && p.path[path.size()] == '.');
    });
}

// The layer whose framing stands for the network's: the one asked for, else the first with a framing.
std::string framing_layer(const Machine& network, std::string_view messaging) {
    const auto layers = names_below(network, "messaging");
    if (std::find(layers.begin(), layers.end(), messaging) != layers.end()) return std::string(messaging);
    for (const std::string& layer : layers) {
        if (has(network, "messaging." + layer + ".framing")) return layer;
    }
    return "";
}

}  // namespace

Machine on_network(const Machine& machine, const Machine& network, std::string_view messaging) {
    Machine composed = machine;
    composed.id = machine.id + " on " + network.id;
    drop(composed, "network");
    const std::string framing = "messaging." + framing_layer(network, messaging) + ".framing";
    for (Parameter parameter : network.parameters) {
        if (parameter.path.starts_with("network.")) {
            composed.parameters.push_back(parameter);
        } else if (parameter.path.starts_with(framing + ".") && !has(network, "network.framing")) {
            parameter.path = "network.framing" + parameter.path.substr(framing.size());
            composed.parameters.push_back(parameter);
        }
    }
    return composed;
}

Machine on_network(const Machine& machine, const Topology& network) {
    Machine composed = machine;
    composed.id = machine.id + " on " + network.spec();
    drop(composed, "network.partitions");
    drop(composed, "network.topology");
    Parameter topology;
    topology.path = "network.topology";
    topology.text = network.spec();
    topology.source = "chosen with --network";
    composed.parameters.push_back(topology);
    return composed;
}

}  // namespace narrows
