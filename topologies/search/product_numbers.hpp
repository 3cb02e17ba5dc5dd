#pragma once

#include <optional>
#include <string>

#include "topologies/search/analysis.hpp"

namespace narrows {

/// What the factors of a product tell of it.
struct ProductNumbers {
    NetworkNumbers numbers;
    /// SPEC of the grid that it is, such as "torus 8x8"; empty for other products.
    std::string grid;
};

/// The numbers of a network that is a Cartesian product, from those of its factors; nothing for other networks. A grid
/// gets its closed forms. Of N nodes in factors of k_i:
///
/// φ = min φ_i k_i / N and t = min t_i k_i / N. Parting pairs coordinate by coordinate, |S||S̄| ≤ Σ_i (N/k_i) Σ over
/// layers |S_l||S̄_l| ≤ Σ_i (N/k_i) C_i/φ_i ≤ max_i (N/(k_i φ_i)) · C; a slab meets it. The same with flows, coordinate
/// by coordinate, against the lengths of the narrowest factor alone. N φ/2 ≤ α ≤ min α_i, a slab; B ≥ φ ⌊N/2⌋⌈N/2⌉.
/// Tested against exhaustive search on products of small random networks.
std::optional<ProductNumbers> product_numbers(const Network& network, const AnalysisOptions& options);

}  // namespace narrows
