#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "topologies/closed_forms.hpp"
#include "topologies/spec.hpp"

namespace narrows {

/// `routers` as `spec` wants it: itself, or with `hosts=p` as p ≥ 1 hosts at each router, which is then a switch.
/// Throws InputError when p is no such number or there are too many hosts.
std::shared_ptr<const ClosedForms> with_hosts(const TopologySpec& spec,
                                              const std::shared_ptr<const ClosedForms>& routers);

/// A network of n routers with `count` = p ≥ 1 hosts on each: N = np hosts, first those of router 0.
///
/// Let A be the routers on one side and S the hosts, s of them, h = p|A|: the least cut of S is min_A C(A) + |s − h|.
///
/// φ = min(1/(N−1), φ_R/p²), with φ_R that of the routers. Both are cuts. With μ the lesser, C ≥ μ(h(N−h) +
/// (N−1)|s−h|), and h(N−h) differs from s(N−s) by |s−h||N−s−h| ≤ |s−h|(N−1), so C ≥ μs(N−s).
/// t = min(1/(N−1), t_R/p²): hosts' links carry N−1 flows each way, a pair of routers p² flows.
/// α = min(1, α_R/p): for h ≤ N/2, C ≥ (α_R/p)h + |s−h| ≥ min(1, α_R/p)s; else the same of the complement's routers,
/// which gives min(1, α_R/p)(N−s).
/// B ≥ α⌊N/2⌋ and ≥ φ⌊N/2⌋⌈N/2⌉; B ≤ ⌊N/2⌋, the links of half the hosts, and ≤ B_R for even n.
/// Where a number of the routers is not known, that of the hosts is not either.
/// Tested against maximum flows over all sets of hosts.
/// `spec` is the canonical text of the whole.
std::shared_ptr<const ClosedForms> with_hosts(const std::shared_ptr<const ClosedForms>& routers, std::int64_t count,
                                              const std::string& spec);

}  // namespace narrows
