#include <fmt/format.h>

#include <algorithm>

#include "model/demand/placement.hpp"
#include "model/gups/workload.hpp"
#include "model/path/protocol.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

void drop(Machine& machine, std::string_view section) {
    std::erase_if(machine.parameters, [section](const Parameter& p) { return is_within(p.path, section); });
}

// Of a network that is no whole grid, where there is no order of dimensions.
void drop_order_of_dimensions(Machine& machine) {
    const auto routing = routing_of(machine);
    if (!routing || routing->kind != Routing::Kind::dimension_order) return;
    machine.remarks.push_back(
        fmt::format("network.routing, '{}', is left out on {}, whose cuts are not those of a whole grid: messages take "
                    "any routes",
                    text_at(machine, "network.routing"), machine.network_name));
    drop(machine, "network.routing");
}

Parameter number(const std::string& path, const Measure& measure, const std::string& source) {
    Parameter parameter;
    parameter.path = path;
    parameter.measure = measure;
    parameter.source = source;
    return parameter;
}

// Whether a section says what messages between nodes cost, in time, money or power: the network's machine brings it.
bool is_of_network(std::string_view path) {
    constexpr std::string_view sections[] = {
        "network",   "host_interface", "network_interface",     "messaging",  "paths",      "protocols",
        "reach",     "other_networks", "compute.gups.protocol", "price.link", "price.port", "power.link",
        "power.port"};
    return std::any_of(std::begin(sections), std::end(sections),
                       [path](std::string_view section) { return is_within(path, section); });
}

std::string with_prefix(const std::string& path, std::string_view section) {
    return fmt::format("{}.{}{}", section, inside_prefix, path.substr(section.size() + 1));
}

// The parameter of a message as one of a message inside a node; nothing of what only messages between nodes have.
std::optional<Parameter> as_inside(Parameter parameter) {
    if (is_within(parameter.path, "paths")) {
        parameter.path = with_prefix(parameter.path, "paths");
        if (is_within(parameter.correlated_with, "paths")) {
            parameter.correlated_with = with_prefix(parameter.correlated_with, "paths");
        }
        return parameter;
    }
    for (const char* section : {"protocols", "reach"}) {  // both words of these are names
        if (!is_within(parameter.path, section)) continue;
        const std::string path = with_prefix(parameter.path, section);
        const auto dot = path.rfind('.');
        parameter.path = fmt::format("{}.{}{}", path.substr(0, dot), inside_prefix, path.substr(dot + 1));
        return parameter;
    }
    return std::nullopt;
}

void require_messages_between_nodes(const Machine& machine) {
    const auto names = protocol_names(machine);
    if (std::ranges::any_of(names, [&](const auto& name) { return crosses_link(machine, name); })) return;
    throw InputError(fmt::format(
        "machine '{}' describes no message between nodes: add 'network.link', a path with a 'link' below 'paths' and a "
        "protocol that takes it below 'protocols' to its file, or choose a machine that has them",
        machine.id));
}

// Cycles are those of the machine that the file is of: its messages take as long on other nodes.
void in_time(const Machine& machine, Parameter& parameter) {
    Measure& measure = parameter.measure;
    const bool cycles = measure.dimension == Dimension::cycles;
    if (!cycles && measure.dimension != Dimension::cycles_per_byte) return;
    const double clock = rate_at(machine, "node.clock").si();
    measure = {measure.value / clock, cycles ? Dimension::time : Dimension::time_per_byte, cycles ? "ns" : "ns/B"};
    if (parameter.interval)
        parameter.interval = Interval{parameter.interval->low / clock, parameter.interval->high / clock};
}

// A packet of software routing on this machine's network, where the file has its whole cost: half of it at each end.
void add_packets(Machine& composed, const Machine& network) {
    const char* whole = "compute.gups.route.per_packet";
    const Parameter* cost = find(network, whole);
    if (cost == nullptr) return;
    std::string leanest;
    for (const std::string& name : protocol_names(network)) {
        if (crosses_link(network, name) && !is_reached(network, name)) leanest = name;
    }
    const std::string source = fmt::format("{} of {}, half at each end", whole, network.id);
    const Measure half{time_at(network, whole).si() / 2, Dimension::time, "ns"};
    auto& all = composed.parameters;
    // The leanest protocol's way with these calls.
    all.push_back(number("paths.packets.send.overhead", half, source));
    for (const std::string& path : names_below(network, "protocols." + leanest)) {
        for (Parameter stage : network.parameters) {
            const std::string stages = "paths." + path;
            if (!is_within(stage.path, stages)) continue;
            const std::string server = stage.path.substr(stages.size() + 1);
            const std::string_view name = std::string_view(server).substr(0, server.find('.'));
            if (site_of(network, name) == Site::processor) continue;
            stage.path = "paths.packets." + server;
            all.push_back(std::move(stage));
        }
    }
    all.push_back(number("paths.packets.receive.overhead", half, source));
    all.push_back(number("protocols.packets.packets", {1, Dimension::number, ""}, source));
}

// `node.links.bus` of what is within it.
std::string link_of_node(const std::string& path) {
    return path.substr(0, path.find('.', std::string_view("node.links.").size()));
}

// What a stage has from a part of the network machine's nodes, such as their memory, where these nodes do not say it:
// its cost then stands at the stage itself.
void keep_costs_of_nodes(Machine& composed, const Machine& network) {
    const Parameter* const controllers = find(network, "node.memory.controllers");
    if (controllers != nullptr && find(composed, "node.memory.bandwidth") == nullptr &&
        find(composed, controllers->path) == nullptr) {
        composed.parameters.push_back(*controllers);
    }
    for (const std::string& path : names_below(network, "paths")) {
        for (const std::string& server : names_below(network, "paths." + path)) {
            const std::string own = fmt::format("paths.{}.{}", path, server);
            const std::string place = "node." + without_end(server);
            for (Parameter part : network.parameters) {
                const bool costs = is_within(part.path, place + ".latency") ||
                                   is_within(part.path, place + ".bandwidth") ||
                                   is_within(part.path, place + ".framing");
                const std::string key = costs ? part.path.substr(place.size()) : "";
                if (!costs || find(composed, part.path) != nullptr || find(network, own + key) != nullptr) continue;
                in_time(network, part);
                part.path = own + key;
                composed.parameters.push_back(std::move(part));
            }
        }
    }
}

// Beside parameters of another file the default source of a file is none.
Machine with_own_sources(Machine machine) {
    const std::string source = machine.source.empty() ? machine.id : machine.source;
    for (Parameter& parameter : machine.parameters) {
        if (parameter.source.empty()) parameter.source = source;
    }
    return machine;
}

}  // namespace

Machine on_network(const Machine& machine, const Machine& from) {
    require_messages_between_nodes(from);
    const Machine network = with_own_sources(from);
    Machine composed = machine;
    name_on_network(composed, network.id);
    composed.graph = network.graph;
    composed.composed = true;
    std::erase_if(composed.parameters, [](const Parameter& p) { return is_of_network(p.path); });
    for (Parameter parameter : network.parameters) {
        in_time(network, parameter);
        const bool own_link = is_within(parameter.path, "node.links") && !has(machine, link_of_node(parameter.path));
        if (is_of_network(parameter.path) || own_link) composed.parameters.push_back(std::move(parameter));
    }
    keep_costs_of_nodes(composed, network);
    add_packets(composed, network);
    for (const Parameter& parameter : machine.parameters) {
        if (auto kept = as_inside(parameter)) composed.parameters.push_back(std::move(*kept));
    }
    for (Parameter& parameter : composed.parameters) {
        if (is_within(parameter.path, "levels") && !parameter.text.empty()) {
            parameter.text = std::string(inside_prefix) + parameter.text;
        }
    }
    return composed;
}

Machine on_network(const Machine& machine, const Topology& network) {
    require_messages_between_nodes(machine);
    Machine composed = machine;
    name_on_network(composed, network.spec());
    composed.graph = nullptr;
    drop(composed, "network.partitions");
    drop(composed, "network.cut");
    drop(composed, "network.topology");
    Parameter topology = number("network.topology", {}, "chosen for these nodes");
    topology.text = network.spec();
    composed.parameters.push_back(topology);
    if (network.grid_wraps().empty()) drop_order_of_dimensions(composed);
    return composed;
}

Machine on_network(const Machine& machine, const SearchedNetwork& network) {
    Machine composed = network.topology ? on_network(machine, *network.topology) : machine;
    if (network.link) {  // it may be the link that the machine's own messages lack
        drop(composed, "network.link.bandwidth");
        composed.parameters.push_back(number("network.link.bandwidth",
                                             {network.link->si(), Dimension::bandwidth, "B/s"},
                                             network.name + ", chosen for these nodes"));
    }
    require_messages_between_nodes(composed);
    name_on_network(composed, network.name);
    composed.graph = network.graph;
    drop_order_of_dimensions(composed);
    drop(composed, "network.partitions");
    drop(composed, "network.cut");
    if (!network.topology) drop(composed, "network.topology");
    const auto add = [&](const char* path, double value, const std::string& source) {
        composed.parameters.push_back(number(path, {value, Dimension::number, ""}, source));
    };
    const std::string chosen = network.name + ", chosen for these nodes";
    add("network.cut.nodes", static_cast<double>(network.nodes), chosen);
    add(network.by_flow ? "network.cut.uniform_flow" : "network.cut.pair_flow", network.pair_flow, network.proof);
    if (network.switched) add("network.cut.injection", 1, chosen);
    return composed;
}

}  // namespace narrows
