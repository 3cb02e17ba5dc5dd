#pragma once

#include <memory>
#include <string>

#include "topologies/closed_forms.hpp"
#include "topologies/spec.hpp"

namespace narrows {

/// The switches of a fat tree. A leaf switch has `down` hosts and `up` uplinks, which take all its ports.
struct FatTreeSwitches {
    int ports = 0;
    int levels = 0;
    int down = 0;
    int up = 0;

    /// Leaf switches that share their second-level switches: all of them with two levels.
    std::int64_t leaves_of_pod() const { return levels == 2 ? ports : ports / 2; }
    std::int64_t most_leaves() const { return levels == 2 ? ports : static_cast<std::int64_t>(ports) * (ports / 2); }
    std::int64_t most_hosts() const { return most_leaves() * down; }
};

/// A folded Clos network of switches with P ports: leaves with d hosts and u uplinks (d + u = P), above them as many
/// links up as down. With two levels u spine switches join up to P leaves. With three, a pod joins P/2 leaves by u
/// switches with P/2 uplinks each, and u·P/2 core switches join up to P pods. Hosts fill leaves in order; leaves and
/// pods without hosts are left out. All is exact. Let there be L leaves of n_l hosts.
///
/// Cuts. Give the leaves in a set A to one side. Host set S then costs a host link for every host whose leaf is on the
/// other side, and u·min(|A|, L−|A|) above the leaves: a spine costs min(|A|, L−|A|), and so does every plane of a
/// three-level tree, since moving a pod with a of its ℓ leaves in A to the side of A costs ℓ − a + P/2 ≥ a. So C(s) =
/// min_A |s − Σ_A n_l| + u·min(|A|, L−|A|) is the least cut of s hosts.
///
/// α = min(1, u/e), φ = min(1/(N−1), u/(e(N−e))), where e = d (the smaller leaf if there are two, none if there is
/// one): one host or one leaf is cut. For |A| = a ≤ L/2, C ≥ |s − h| + min(1, u/d)·h ≥ min(1, u/d)·s with h = Σ_A n_l ≤
/// a·d, else the same of the complement; for φ, C(s)/(s(N−s)) of a leaves grows with a, and a host moved changes it by
/// less than its link.
///
/// t = φ: every pair's flow divided evenly over the u uplinks, and above them over the P/2, loads the links of a pod no
/// more than those of its fullest leaf, so the host links and the leaf's uplinks decide, and they are the cuts of φ.
///
/// B = C(⌊N/2⌋), which is u·L/2 for an even number of full leaves with u ≤ d.
///
/// Tested against maximum flows over all subsets of hosts.
class FatTree final : public ClosedForms {
  public:
    /// Throws InputError unless `hosts` is in [1, switches.most_hosts()]. Precondition: valid switches.
    FatTree(FatTreeSwitches switches, std::int64_t hosts);

    std::string family() const override { return "fat-tree"; }
    std::string spec() const override;
    std::int64_t nodes() const override { return hosts_; }
    std::int64_t links() const override;
    int degree() const override;
    int diameter() const override;
    double mean_distance() const override;
    Bracket bisection() const override;
    Bracket alpha() const override;
    Bracket phi() const override;
    Bracket uniform_flow() const override;
    double phi_value() const override;
    Network graph() const override;
    std::shared_ptr<const ClosedForms> with_nodes(std::int64_t nodes) const override;

  private:
    std::int64_t cut_leaf() const;
    bool leaf_is_sparsest() const;
    std::string sparsest_cut() const;
    void connect_leaves(Network& network) const;
    void connect_pods(Network& network) const;

    FatTreeSwitches switches_;
    std::int64_t hosts_;
    std::int64_t leaves_;
    std::int64_t pods_;
    /// Hosts of the last leaf.
    std::int64_t last_;
};

std::shared_ptr<const ClosedForms> make_fat_tree(const TopologySpec& spec);

}  // namespace narrows
