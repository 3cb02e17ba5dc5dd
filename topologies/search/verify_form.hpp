#pragma once

#include <vector>

#include "topologies/graph.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// Whether L − μM (`spectral_bound`) is positive semidefinite for μ = `phi`, by a dense LDLᵀ with pivoting.
bool form_is_positive(const Network& network, double phi);

/// The same by a sparse LDLᵀ in `order`, as `sparse_spectral_bound` explains, column by column with code of its own.
/// False too when that takes too much memory or `stop` says so. Throws InputError unless `order` has every vertex but
/// one, once.
bool sparse_form_is_positive(const Network& network, double phi, const std::vector<int>& order, const Stop& stop);

}  // namespace narrows
