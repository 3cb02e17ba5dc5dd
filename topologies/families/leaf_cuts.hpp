#pragma once

#include <cstdint>
#include <string>

#include "topologies/bracket.hpp"

namespace narrows {

/// The cuts and the uniform flow of hosts on leaf switches: N hosts fill L leaves of d in order, each leaf with uplinks
/// of capacity u, and above the leaves the network is non-blocking, which is to say that (1) giving the leaves of a set
/// A to one side costs u·min(|A|, L−|A|) there, and (2) uniform flow that the leaves' uplinks carry, all above them
/// carries. All is exact. Let leaf l have n_l hosts.
///
/// A host set S costs a host link for every host whose leaf is on the other side, so C(s) = min_A |s − Σ_A n_l| +
/// u·min(|A|, L−|A|) is the least cut of s hosts.
///
/// α = min(1, u/e), φ = min(1/(N−1), u/(e(N−e))), where e = d (the smaller leaf if there are two, none if there is
/// one): one host or one leaf is cut. For |A| = a ≤ L/2, C ≥ |s − h| + min(1, u/d)·h ≥ min(1, u/d)·s with h = Σ_A n_l ≤
/// a·d, else the same of the complement; for φ, C(s)/(s(N−s)) of a leaves grows with a, and a host moved changes it by
/// less than its link.
///
/// t = φ by (2): the host links and the fullest leaf's uplinks decide, and they are the cuts of φ.
///
/// B = C(⌊N/2⌋), which is u·L/2 for an even number of full leaves with u ≤ d.
///
/// Tested against maximum flows over all subsets of hosts.
class LeafCuts {
  public:
    /// Precondition: hosts, down ≥ 1, uplinks ≥ 1 unless there is one leaf.
    LeafCuts(std::int64_t hosts, std::int64_t down, std::int64_t uplinks);

    std::int64_t leaves() const { return leaves_; }
    /// Ordered pairs of distinct hosts of one leaf.
    double pairs_within_leaves() const;

    Bracket bisection() const;
    Bracket alpha() const;
    Bracket phi() const;
    Bracket uniform_flow() const;
    /// φ without text.
    double phi_value() const;

  private:
    std::int64_t cut_leaf() const;
    bool leaf_is_sparsest() const;
    std::string sparsest_cut() const;

    std::int64_t hosts_ = 1;
    std::int64_t down_ = 1;
    std::int64_t up_ = 1;
    std::int64_t leaves_ = 1;
    /// Hosts of the last leaf.
    std::int64_t last_ = 1;
};

/// Ordered pairs of distinct hosts.
double ordered_pairs(std::int64_t hosts);

}  // namespace narrows
