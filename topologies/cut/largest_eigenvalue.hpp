#pragma once

#include "topologies/eigen.hpp"

#include <functional>

#include "topologies/stop.hpp"

namespace narrows {

/// A symmetric operator on vectors of zero sum.
using SymmetricOperator = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

/// Its largest eigenvalue from below, by Lanczos' method (1950) with full reorthogonalisation: after 100 steps, or when
/// `stop` says so, as near as that comes; 0 without a step. No proof of anything.
double largest_eigenvalue(int size, const SymmetricOperator& apply, const Stop& stop);

}  // namespace narrows
