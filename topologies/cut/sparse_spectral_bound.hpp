#pragma once

#include <optional>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// A proven lower bound of φ and the order in which to eliminate vertices to prove it again.
struct SparseSpectralBound {
    double phi = 0;
    /// All vertices but one, which is left out as below.
    std::vector<int> order;
};

/// What the factors may cost.
struct FactorLimits {
    /// Multiplications of one factorisation: 1e9 take one to two seconds, and there are three or so.
    double work = 3e9;
    Stop stop = never_stop;
};

/// `spectral_bound` for large networks whose factors stay sparse: those with few vertices but hosts on switches of
/// their own, and trees.
///
/// φ ≥ μ when L − μM is positive semidefinite, M = N·diag(h) − hhᵀ. Neither changes when a constant is added to x, so
/// that one vertex may be held at zero: its row and column are left out. What is left is A + μhhᵀ with A = L −
/// μN·diag(h) sparse, and has as many negative eigenvalues as K = [A, w; wᵀ, −β], w = √(μβ)·h, less the one of −β
/// (Haynsworth 1968). So μ is proven when K has no more than one.
///
/// K − cI is factorised as LDLᵀ without pivoting, which gives D as many negative entries as the product has negative
/// eigenvalues (Sylvester). The product differs from K − cI by at most γ‖|L||D||Lᵀ|‖∞, γ = 4(m+4)·2⁻⁵³ with m entries
/// in the fullest row of L (Higham, "Accuracy and stability of numerical algorithms", 2002, Theorem 9.3): it is
/// computed from the factors, however large they grew. With c no less than that and the rounding of K's own entries, K
/// has no more negative eigenvalues than D (Weyl). The guess of μ (`largest_eigenvalue`) is lowered until this works
/// out.
///
/// Nothing for a network in parts, beyond the limits or when no μ > 0 is proven. Precondition: valid, two hosts or
/// more. Tested against the dense bound and closed forms.
std::optional<SparseSpectralBound> sparse_spectral_bound(const Network& network, const FactorLimits& limits = {});

/// Whether the factorisation above proves φ ≥ `bound.phi` within `limits`. InputError unless the order has every vertex
/// but one, once. Precondition: valid, two hosts or more.
bool proves_sparsity(const Network& network, const SparseSpectralBound& bound, const FactorLimits& limits = {});

}  // namespace narrows
