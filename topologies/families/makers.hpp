#pragma once

#include <memory>

#include "topologies/closed_forms.hpp"
#include "topologies/spec.hpp"

namespace narrows {

// One function a family, for its record in `family_records.cpp`, which says how it is written; what is known by formula
// and why stands in the source named after it. All throw InputError when a value is impossible.

std::shared_ptr<const ClosedForms> make_grid(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_hypercube(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_tofu(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_ring(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_complete(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_hyperx(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_twisted_torus(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_star(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_fat_tree(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_leaf_spine(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_cu_fat_tree(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_dragonfly(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_dragonfly_plus(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_slim_fly(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_polarfly(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_random_regular(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_kautz(const TopologySpec& spec);

}  // namespace narrows
