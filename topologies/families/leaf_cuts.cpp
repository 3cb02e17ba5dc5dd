#include "topologies/families/leaf_cuts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "topologies/families/formulas.hpp"

#include "topologies/infinity.hpp"

namespace narrows {
namespace {

/// Hosts parted from the others along leaf switches: `leaves` on one side, some hosts' own links cut besides.
struct Parting {
    std::int64_t leaves = 0;
    std::int64_t uplinks = 0;
    std::int64_t host_links = 0;

    std::int64_t capacity() const { return uplinks + host_links; }
};

}  // namespace

double ordered_pairs(std::int64_t hosts) {
    return static_cast<double>(hosts) * (static_cast<double>(hosts) - 1);
}

LeafCuts::LeafCuts(std::int64_t hosts, std::int64_t down, std::int64_t uplinks)
    : hosts_(hosts),
      down_(down),
      up_(uplinks),
      leaves_((hosts + down - 1) / down),
      last_(hosts - (leaves_ - 1) * down) {}

double LeafCuts::pairs_within_leaves() const {
    return static_cast<double>(leaves_ - 1) * ordered_pairs(down_) + ordered_pairs(last_);
}

/// Hosts of the leaf that the sparsest cut may take: a full one, or the smaller of two.
std::int64_t LeafCuts::cut_leaf() const {
    return leaves_ == 2 ? last_ : down_;
}

bool LeafCuts::leaf_is_sparsest() const {
    const auto e = static_cast<double>(cut_leaf());
    return leaves_ > 1 &&
           static_cast<double>(up_) * (static_cast<double>(hosts_) - 1) < e * (static_cast<double>(hosts_) - e);
}

double LeafCuts::phi_value() const {
    if (hosts_ == 1) return infinity;
    const auto n = static_cast<double>(hosts_);
    const auto e = static_cast<double>(cut_leaf());
    return leaf_is_sparsest() ? static_cast<double>(up_) / (e * (n - e)) : 1 / (n - 1);
}

std::string LeafCuts::sparsest_cut() const {
    if (!leaf_is_sparsest()) return fmt::format("cut of one host's link: 1 link between 1 and {} hosts", hosts_ - 1);
    return fmt::format("cut of one leaf switch's uplinks: {} links between {} and {} hosts", up_, cut_leaf(),
                       hosts_ - cut_leaf());
}

Bracket LeafCuts::phi() const {
    if (hosts_ == 1) return nothing_to_cut(infinity);
    return exactly(phi_value(), "closed form",
                   sparsest_cut() + "; the levels above the leaves are non-blocking, so no cut is sparser");
}

Bracket LeafCuts::uniform_flow() const {
    if (hosts_ == 1) return nothing_to_cut(infinity);
    return exactly(phi_value(), "closed form",
                   sparsest_cut() + ", filled when all flows divide evenly over the uplinks");
}

Bracket LeafCuts::alpha() const {
    if (hosts_ == 1) return nothing_to_cut(infinity);
    const std::int64_t leaf = cut_leaf();
    if (leaves_ == 1 || up_ >= leaf) {
        return exactly(1, "closed form",
                       "cut of one host's link; leaf switches have an uplink for every host of the set");
    }
    return exactly(
        static_cast<double>(up_) / static_cast<double>(leaf), "closed form",
        fmt::format("cut of one leaf switch's uplinks: {} links between {} and {} hosts; the levels above are "
                    "non-blocking",
                    up_, leaf, hosts_ - leaf));
}

Bracket LeafCuts::bisection() const {
    if (hosts_ == 1) return nothing_to_cut(0);
    const std::int64_t half = hosts_ / 2;
    Parting best{0, 0, half};
    // |half − hosts of the leaves| + uplinks, over the number of leaves full of hosts: piecewise linear, so least at an
    // end or beside its one convex kink, with the last leaf on either side.
    for (const std::int64_t last : {0, 1}) {
        const std::int64_t kink = (half - last * last_) / down_;
        for (const std::int64_t full : {std::int64_t{0}, kink, kink + 1, leaves_ - 1}) {
            if (full < 0 || full >= leaves_) continue;
            const std::int64_t leaves = full + last;
            const std::int64_t inside = full * down_ + last * last_;
            const Parting cut{leaves, up_ * std::min(leaves, leaves_ - leaves), std::abs(half - inside)};
            if (cut.capacity() < best.capacity()) best = cut;
        }
    }
    return exactly(static_cast<double>(best.capacity()), "closed form",
                   fmt::format("cut of {} of {} leaf switches: {} uplinks and {} hosts' links between {} and {} hosts; "
                               "the levels above the leaves are non-blocking, so no balanced cut is less",
                               best.leaves, leaves_, best.uplinks, best.host_links, half, hosts_ - half));
}

}  // namespace narrows
