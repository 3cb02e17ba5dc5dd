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
    composed.id = fmt::format("{}{}", machine.id, composed_on) + network.id;
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
    composed.id = fmt::format("{}{}", machine.id, composed_on) + network.spec();
    drop(composed, "network.partitions");
    drop(composed, "network.topology");
    Parameter topology;
    topology.path = "network.topology";
    topology.text = network.spec();
    topology.source = "chosen with --network";
    composed.parameters.push_back(topology);
    return composed;
}

Machine on_network(const Machine& machine, const SearchedNetwork& network) {
    Machine composed = network.topology ? on_network(machine, *network.topology) : machine;
    composed.id = fmt::format("{}{}", machine.id, composed_on) + network.name;
    drop(composed, "network.partitions");
    drop(composed, "network.cut");
    if (!network.topology) drop(composed, "network.topology");
    const auto add = [&](const char* path, const Measure& measure, const std::string& source) {
        drop(composed, path);
        Parameter parameter;
        parameter.path = path;
        parameter.measure = measure;
        parameter.source = source;
        composed.parameters.push_back(parameter);
    };
    const std::string chosen = network.name + ", chosen with --network";
    add("network.cut.nodes", {static_cast<double>(network.nodes), Dimension::number, ""}, chosen);
    add("network.cut.pair_flow", {network.pair_flow, Dimension::number, ""}, network.proof);
    if (network.switched) add("network.cut.injection", {1, Dimension::number, ""}, chosen);
    if (network.link) add("network.link.bandwidth", {network.link->si(), Dimension::bandwidth, "B/s"}, chosen);
    return composed;
}

}  // namespace narrows
