#pragma once

#include <memory>
#include <string>

#include "topologies/closed_forms.hpp"
#include "topologies/families/leaf_cuts.hpp"
#include "topologies/spec.hpp"

namespace narrows {

/// The switches of a fat tree. A leaf switch has `down` hosts and `up` uplinks, which take all its ports; the others,
/// but for those of the top level, have half of their ports up.
///
/// A pod of level 1 is a leaf switch, one of level i joins up to P/2 pods of level i−1 by u·(P/2)^(i−2) switches.
struct FatTreeSwitches {
    int ports = 0;
    int levels = 0;
    int down = 0;
    int up = 0;

    /// Leaves of a full pod of `level`; all of them at the top. Infinite beyond the range of counts.
    double leaves_of_pod(int level) const;
    /// Switches of `level` that a pod of that level has, which do not depend on how full it is.
    std::int64_t switches_of_pod(int level) const;
    /// Links up of a switch of `level`; none at the top.
    int uplinks(int level) const { return level == levels ? 0 : (level == 1 ? up : ports / 2); }
    double most_hosts() const { return leaves_of_pod(levels) * down; }
};

/// A folded Clos network of L ≥ 2 levels of switches with P ports: leaves with d hosts and u uplinks (d + u = P), above
/// them as many links up as down. The top level joins up to P pods of level L−1 by u·(P/2)^(L−2) switches. Hosts fill
/// leaves in order; leaves and pods without hosts are left out.
///
/// Cuts and flow are those of `LeafCuts`. Its first condition: above the leaves the tree is u planes of one link a
/// leaf, and of a plane the leaves A cost min(|A|, ℓ−|A|) of ℓ. That holds for a switch. With more levels, let x be the
/// pods of level 2 whose switch is with A, not more than half of the m pods; h = P/2 planes above each cost min(|x|,
/// m−|x|) = |x| by induction. A pod with a of its ℓ_p ≤ h leaves in A costs ℓ_p − a + h ≥ a if it is in x, else a:
/// together at least |A|; and with more than half of the pods in x, at least ℓ−|A|. All switches on one side cost no
/// more. Its second: every pair's flow divided evenly over the u uplinks, and above them over the P/2, loads the links
/// of a pod no more than those of its fullest pod below, and so of its fullest leaf.
class FatTree final : public ClosedForms {
  public:
    /// Throws InputError unless `hosts` is in [1, switches.most_hosts()]. Precondition: valid switches with a countable
    /// number of hosts.
    FatTree(FatTreeSwitches switches, std::int64_t hosts);

    std::string family() const override { return "fat-tree"; }
    std::string spec() const override;
    std::int64_t nodes() const override { return hosts_; }
    std::int64_t links() const override;
    int degree() const override;
    std::optional<Distances> distances() const override;
    Bracket bisection() const override { return cuts_.bisection(); }
    Bracket alpha() const override { return cuts_.alpha(); }
    Bracket phi() const override { return cuts_.phi(); }
    Bracket uniform_flow() const override { return cuts_.uniform_flow(); }
    double phi_value() const override { return cuts_.phi_value(); }
    bool switched() const override { return true; }
    std::optional<std::vector<HostBlocks>> blocks() const override;
    Network graph() const override;
    std::shared_ptr<const ClosedForms> with_nodes(std::int64_t nodes) const override;

  private:
    /// Pods of `level` that have hosts; the top is one.
    std::int64_t pods(int level) const;

    FatTreeSwitches switches_;
    std::int64_t hosts_;
    LeafCuts cuts_;
    std::int64_t leaves_;
};

std::shared_ptr<const ClosedForms> make_fat_tree(const TopologySpec& spec);

}  // namespace narrows
