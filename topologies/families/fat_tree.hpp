#pragma once

#include <memory>
#include <string>

#include "topologies/closed_forms.hpp"
#include "topologies/families/leaf_cuts.hpp"
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
/// pods without hosts are left out.
///
/// Cuts and flow are those of `LeafCuts`. Its first condition holds since a spine costs min(|A|, L−|A|), and so does
/// every plane of a three-level tree: moving a pod with a of its ℓ leaves in A to the side of A costs ℓ − a + P/2 ≥ a.
/// Its second: every pair's flow divided evenly over the u uplinks, and above them over the P/2, loads the links of a
/// pod no more than those of its fullest leaf.
class FatTree final : public ClosedForms {
  public:
    /// Throws InputError unless `hosts` is in [1, switches.most_hosts()]. Precondition: valid switches.
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
    Network graph() const override;
    std::shared_ptr<const ClosedForms> with_nodes(std::int64_t nodes) const override;

  private:
    void connect_leaves(Network& network) const;
    void connect_pods(Network& network) const;

    FatTreeSwitches switches_;
    std::int64_t hosts_;
    LeafCuts cuts_;
    std::int64_t leaves_;
    std::int64_t pods_;
};

std::shared_ptr<const ClosedForms> make_fat_tree(const TopologySpec& spec);

}  // namespace narrows
