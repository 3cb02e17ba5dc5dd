#pragma once

#include <memory>
#include <string>
#include <vector>

#include "topologies/closed_forms.hpp"
#include "topologies/families/line.hpp"
#include "topologies/spec.hpp"

namespace narrows {

/// A ring is a torus of one dimension; a Tofu network is a torus whose last three dimensions are 2x3x2.
enum class GridKind { mesh, torus, hypercube, ring, tofu };

/// Cartesian product of paths (mesh, hypercube) or of rings (torus; a dimension of two is a path). All is exact.
///
/// Let dimension i have k_i nodes, f_i = ⌊k_i/2⌋, c_i = ⌈k_i/2⌉ and w_i links across a cut of its line: 1 for a path, 2
/// for a ring. N = Π k_i.
///
/// φ = min_i w_i k_i / (f_i c_i N). φ(G□H) = min(φ(G)/|H|, φ(H)/|G|): a set S separates the ordered pair ((g,h),
/// (g',h')) only if it separates (g,h) from (g',h) or (g',h) from (g',h'), so |S||S̄| ≤ |H| C_G/φ(G) + |G| C_H/φ(H),
/// where C_G + C_H = C(S); slabs attain it.
///
/// t = φ. Routed dimension by dimension, opposite nodes of an even ring both ways alike, a line of dimension i carries
/// N/k_i pairs for each pair of its nodes, so t = min_i t_i k_i/N, and shortest paths give t_i = φ_i; never is t > φ.
///
/// B = Σ_{i=1}^{a} w_i Π_{j>i} k_j, with the dimensions sorted by k, largest first, and a the first even one, or the
/// last if none is: halve the first; if it is odd, halve its middle slab along the next, and so on. No cut is less:
/// Arjona Aroca and Fernández Anta, "Bisection (Band)Width of Product Networks with Application to Data Centers",
/// IEEE TPDS 25 (2014), for products of paths and for products of rings.
///
/// α = min_i w_i / f_i. Azizoğlu and Eğecioğlu, "Extremal sets minimizing dimension-normalized boundary in Hamming
/// graphs", SIAM J. Discrete Math. 17 (2003): Σ_i w_i E_i/(f_i c_i), E_i the pairs that S separates within a line of i,
/// is least for the first |S| nodes with the largest dimension slowest, when all w are equal, and never above C(S).
/// Between full slabs of that order the sum is at least its linear interpolation, and within the middle slab it grows
/// by at least α of the smaller dimensions, so the slab of f_1 layers has the least ratio.
///
/// A torus mixes both kinds when it has dimensions of two. Put rings of four in their place, and halves of them where S
/// had a node: set and cut both double, so B ≥ B'/2 and α ≥ α' of that product of rings, and the same cuts attain them.
/// In the sum for B a dimension of two therefore sorts as a ring of four.
class Grid final : public ClosedForms {
  public:
    /// Precondition: a valid shape; of twos only for a hypercube, of one dimension for a ring, XxYxZx2x3x2 for Tofu.
    Grid(GridKind kind, std::vector<int> shape);

    std::string family() const override;
    std::string spec() const override;
    std::int64_t nodes() const override { return nodes_; }
    std::int64_t links() const override;
    int degree() const override;
    std::optional<Distances> distances() const override;
    Bracket bisection() const override;
    Bracket alpha() const override;
    Bracket phi() const override;
    Bracket uniform_flow() const override;
    double phi_value() const override;
    std::vector<int> shape() const override { return shape_; }
    Network graph() const override;
    std::shared_ptr<const ClosedForms> with_nodes(std::int64_t nodes) const override;

  private:
    bool wraps() const { return kind_ != GridKind::mesh && kind_ != GridKind::hypercube; }
    Line line(int size) const { return {size, wraps()}; }
    int diameter() const;
    double mean_distance() const;
    template <class Measure>
    Line line_of_least(Measure measure) const;
    Line sparsest_line() const;
    std::vector<Line> halving_lines() const;
    std::string slab(const Line& cut) const;

    GridKind kind_;
    std::vector<int> shape_;
    std::int64_t nodes_;
};

std::shared_ptr<const ClosedForms> make_mesh(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_torus(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_hypercube(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_ring(const TopologySpec& spec);
std::shared_ptr<const ClosedForms> make_tofu(const TopologySpec& spec);

}  // namespace narrows
