#include "topologies/topology.hpp"

#include <utility>

#include "topologies/registry.hpp"

namespace narrows {
namespace {

/// Hosts times links that breadth-first searches from every host visit within a third of a second.
constexpr double affordable_visits = 2e7;

}  // namespace

Topology::Topology() : Topology(parse_topology("mesh 1")) {}

Topology::Topology(std::shared_ptr<const ClosedForms> forms)
    : forms_(std::move(forms)), nodes_(forms_->nodes()), phi_(forms_->phi_value()) {}

std::optional<Distances> Topology::distances(const Stop& stop) const {
    if (std::optional<Distances> known = forms_->distances()) return known;
    if (static_cast<double>(nodes_) * static_cast<double>(links()) > affordable_visits) return std::nullopt;
    return host_distances(graph(), stop);
}

bool Topology::flow_limits() const {
    constexpr double rounding = 1e-12;
    return phi_ < forms_->phi().upper * (1 - rounding);
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
    return nodes == nodes_ ? *this : Topology(forms_->with_nodes(nodes));
}

Topology parse_topology(std::string_view text) {
    const TopologySpec spec = split_spec(text);
    const FamilyRecord& record = topology_family(spec.family);
    require_words(record, spec);
    return Topology(record.make(spec));
}

}  // namespace narrows
