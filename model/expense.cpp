#include "model/expense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/demand/placement.hpp"
#include "model/schema.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr std::array<std::string_view, 3> things = {"node", "link", "port"};

// What one buys for another value of a parameter; empty where nobody sells it.
std::string_view thing_of(const Machine& machine, std::string_view path) {
    if (is_below(path, "network.link")) return "link";
    if (is_below(path, "network.router")) return "port";
    for (const char* section : {"node", "compute", "host_interface", "network_interface"}) {
        if (is_below(path, section)) return "node";
    }
    if (!is_below(path, "paths")) return "";
    std::string_view server = path.substr(path.find('.', path.find('.') + 1) + 1);
    server = server.substr(0, server.find('.'));
    if (server == "link") return "link";
    if (server == "router") return "port";
    if (server == "flight" || server == "request" || has(machine, fmt::format("other_networks.{}", server))) return "";
    return "node";
}

}  // namespace

NetworkParts network_parts(const Machine& machine, std::int64_t nodes) {
    if (nodes == 1) return {};
    const Topology network = partition(machine, nodes);
    const bool is_graph = machine.graph != nullptr;
    if (!is_graph && network.links() == 0) {
        throw InputError(fmt::format("machine '{}' does not say which links its network has: choose a network, such as "
                                     "'torus 8x8x8'",
                                     machine.id))
            .of_setting("network");
    }
    NetworkParts parts{nodes, 0, 0};
    parts.links = is_graph ? static_cast<std::int64_t>(machine.graph->network.edges.size()) : network.links();
    std::int64_t at_hosts = network.switched() ? nodes : 0;
    if (is_graph) {
        const Network& graph = machine.graph->network;
        at_hosts = hang_on_switches(graph)
                       ? std::ranges::count_if(
                             graph.edges, [&graph](const Edge& edge) { return std::min(edge.u, edge.v) < graph.hosts; })
                       : 0;
    }
    parts.ports = 2 * parts.links - at_hosts;
    return parts;
}

std::optional<double> Expense::share_of(const Machine& machine, std::string_view path) const {
    const std::string_view thing = thing_of(machine, path);
    for (const Item& item : items) {
        if (item.thing == thing && item.sum() > 0) return item.sum() / sum;
    }
    return std::nullopt;
}

std::string_view name_of(Spent spent) {
    return spent == Spent::price ? "price" : "power";
}

Spent spent_named(std::string_view name) {
    for (const Spent one : {Spent::price, Spent::power}) {
        if (name == name_of(one)) return one;
    }
    throw InputError(fmt::format("'{}'{}: what can be least is price or power", name,
                                 did_you_mean(std::string(name), std::vector<std::string>{"price", "power"})));
}

bool has_expense(const Machine& machine, Spent spent) {
    return has(machine, name_of(spent));
}

Expense expense_of(const Machine& machine, Spent spent, std::int64_t nodes) {
    const auto is_priced = [&](const char* thing) { return has(machine, fmt::format("{}.{}", name_of(spent), thing)); };
    const bool counts_network = is_priced("link") || is_priced("port");
    const NetworkParts parts = counts_network ? network_parts(machine, nodes) : NetworkParts{nodes, 0, 0};
    const std::array counts = {parts.nodes, parts.links, parts.ports};
    Expense found;
    for (std::size_t i = 0; i < things.size(); ++i) {
        Expense::Item& item = found.items[i];
        item.thing = things[i];
        item.count = counts[i];
        const Parameter* each = find(machine, fmt::format("{}.{}", name_of(spent), things[i]));
        if (each == nullptr) continue;
        item.each = each->measure;
        const std::string unit(base_unit(each->measure));
        if (found.unit.empty()) found.unit = unit;
        if (found.unit != unit) {
            throw InputError(
                fmt::format("the prices of machine '{}' are in {} and {}, and none is converted into another: "
                            "give all in one",
                            machine.id, found.unit, unit));
        }
        found.sum += item.sum();
    }
    if (!found.unit.empty()) return found;
    const SchemaRow& row = *schema_row(fmt::format("{}.node", name_of(spent)));
    throw InputError(
        fmt::format("machine '{0}' has no '{1}.node', '{1}.link' or '{1}.port': add those that count to its "
                    "file or set them, each {2}",
                    machine.id, name_of(spent), expectation(row.kind)))
        .of_setting("set");
}

std::vector<std::size_t> frontier(const std::vector<Offer>& offers, bool less_is_better) {
    const auto is_better = [less_is_better](const Offer& a, const Offer& b) {
        return less_is_better ? a.result < b.result : a.result > b.result;
    };
    std::vector<std::size_t> order(offers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        if (offers[a].cost != offers[b].cost) return offers[a].cost < offers[b].cost;
        return is_better(offers[a], offers[b]);
    });
    std::vector<std::size_t> found;
    for (const std::size_t one : order) {
        if (found.empty() || is_better(offers[one], offers[found.back()])) found.push_back(one);
    }
    return found;
}

}  // namespace narrows
