#include <fmt/format.h>

#include <algorithm>

#include "model/gups/workload.hpp"

namespace narrows {
namespace {

void drop(Machine& machine, std::string_view path) {
    std::erase_if(machine.parameters, [path](const Parameter& p) {
        return p.path == path || (p.path.starts_with(path) && p.path[path.size()] == '.');
    });
}

// Where the framing of the network's packets stands: of the layer asked for, else of the first layer that has one, else
// that of the link.
std::string framing_path(const Machine& network, std::string_view messaging) {
    std::string asked = fmt::format("messaging.{}.framing", messaging);
    if (!messaging.empty() && has(network, asked)) return asked;
    for (const std::string& layer : names_below(network, "messaging")) {
        std::string path = fmt::format("messaging.{}.framing", layer);
        if (has(network, path)) return path;
    }
    return "network.link.framing";
}

}  // namespace

Machine on_network(const Machine& machine, const Machine& network, std::string_view messaging) {
    Machine composed = machine;
    composed.id = machine.id + " on " + network.id;
    drop(composed, "network");
    const std::string framing = framing_path(network, messaging);
    for (Parameter parameter : network.parameters) {
        if (parameter.path.starts_with(framing + ".") && !has(network, "network.framing")) {
            parameter.path = "network.framing" + parameter.path.substr(framing.size());
            composed.parameters.push_back(parameter);
        } else if (parameter.path.starts_with("network.")) {
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
