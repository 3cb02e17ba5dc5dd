#include <fmt/format.h>

#include <cmath>

#include "topologies/exporters/writers.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

struct Neighbour {
    int vertex;
    double capacity;
};

void require_whole(const LabelledNetwork& named) {
    constexpr double most = 1e15;
    for (const auto& [u, v, capacity] : named.network.edges) {
        if (capacity == std::floor(capacity) && capacity < most) continue;
        throw InputError(
            fmt::format("METIS takes whole numbers only, and the link between '{}' and '{}' has capacity {}: "
                        "choose another unit or another format",
                        named.names[u], named.names[v], capacity));
    }
}

}  // namespace

std::vector<std::string> changed_by_metis(const LabelledNetwork& named) {
    std::vector<std::string> changed;
    bool numbered = true;
    for (std::size_t v = 0; v < named.names.size(); ++v) numbered = numbered && named.names[v] == std::to_string(v);
    if (!numbered) changed.emplace_back("METIS has no names: vertices are numbers from 1 on");
    if (!named.capacity_unit.empty() && named.capacity_unit != "links") {
        changed.push_back(
            fmt::format("METIS has no units: that of the capacities, {}, is left out", named.capacity_unit));
    }
    return changed;
}

std::string write_metis(const LabelledNetwork& named) {
    const Network& network = named.network;
    require_whole(named);
    const bool weighted = has_capacities(named);
    std::vector<std::vector<Neighbour>> neighbours(named.names.size());
    for (const auto& [u, v, capacity] : network.edges) {
        neighbours[u].push_back({v, capacity});
        neighbours[v].push_back({u, capacity});
    }
    std::string text = fmt::format("{} {} 0{}{}\n", network.vertices(), network.edges.size(),
                                   network.switches > 0 ? 1 : 0, weighted ? 1 : 0);
    for (int vertex = 0; vertex < network.vertices(); ++vertex) {
        std::string line = network.switches > 0 ? fmt::format("{}", vertex < network.hosts ? 1 : 0) : "";
        for (const auto& [other, capacity] : neighbours[vertex]) {
            if (!line.empty()) line += ' ';
            line += weighted ? fmt::format("{} {:.0f}", other + 1, capacity) : fmt::format("{}", other + 1);
        }
        text += line + '\n';
    }
    return text;
}

}  // namespace narrows
