#pragma once

#include <optional>

#include "topologies/graph.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// The most vertices of a dense matrix that `spectral_bound` factorises: 288 MB, and some 5 to 20 s in all.
inline constexpr int spectral_vertex_limit = 6000;

/// A proven lower bound of φ from the spectrum. With the Laplacian L, the indicator h of the N hosts and the
/// indicator x of a side, C = xᵀLx and |S||S̄| = xᵀMx with M = N·diag(h) − hhᵀ; so φ ≥ μ when L − μM is positive
/// semidefinite. The greatest such μ is λ₂/N of L with the switches eliminated (Fiedler 1973 without switches).
///
/// An eigenvalue solver's λ₂ has an error and is no proof. Here it is only a guess, lowered until a Cholesky
/// factorisation of L − μM + τ11ᵀ − cI runs through in floating point, where c is above the rounding error of the
/// factorisation and of the entries: that proves it (Rump, "Verification of positive definiteness", BIT 46, 2006).
/// Nothing beyond the limit, or when no μ > 0 is proven, as in a disconnected network, or before `stop`, which is asked
/// between factorisations of up to a few seconds each.
/// Tested against closed forms: Slim Fly, tori, fat trees.
std::optional<double> spectral_bound(const Network& network, const Stop& stop = never_stop);

/// Whether φ ≥ `phi` is proven by the factorisation above.
bool proves_sparsity(const Network& network, double phi);

}  // namespace narrows
