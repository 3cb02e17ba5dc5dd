#include "topologies/topology.hpp"

#include <algorithm>
#include <utility>

#include "topologies/families/formulas.hpp"
#include "topologies/registry.hpp"

namespace narrows {
namespace {

/// Hosts times links that breadth-first searches from every host visit within a third of a second.
constexpr double affordable_visits = 2e7;

}  // namespace

Topology::Topology() : Topology(parse_topology("mesh 1")) {}

Topology::Topology(std::shared_ptr<const ClosedForms> forms)
    : forms_(std::move(forms)), phi_(std::min(forms_->phi.upper, forms_->uniform_flow.upper)) {}

std::optional<Distances> Topology::distances(const Stop& stop) const {
    if (forms_->distances) return forms_->distances;
    if (static_cast<double>(nodes()) * static_cast<double>(links()) > affordable_visits) return std::nullopt;
    return host_distances(graph(), stop);
}

bool Topology::flow_limits() const {
    constexpr double rounding = 1e-12;
    return phi_ < forms_->phi.upper * (1 - rounding);
}

std::vector<bool> Topology::grid_wraps() const {
    const std::string name = family();
    const bool line = name == "mesh" || name == "hypercube";
    const bool ring = name == "torus" || name == "ring" || name == "tofu";
    if (switched() || (!line && !ring)) return {};
    std::vector<bool> wraps;
    for (const int size : shape()) wraps.push_back(ring && size > 2);
    return wraps;
}

Topology Topology::with_nodes(std::int64_t nodes) const {
    return nodes == forms_->nodes ? *this : Topology(resized(*forms_, nodes));
}

Topology parse_topology(std::string_view text) {
    const TopologySpec spec = split_spec(text);
    const FamilyRecord& record = topology_family(spec.family);
    require_words(record, spec);
    return Topology(record.make(spec));
}

}  // namespace narrows
