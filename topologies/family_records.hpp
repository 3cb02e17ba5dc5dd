#pragma once

#include <vector>

#include "topologies/registry.hpp"

namespace narrows {

/// The records of all families, in the order in which help lists them.
std::vector<FamilyRecord> family_records();

}  // namespace narrows
