#pragma once

#include <string>
#include <vector>

#include "topologies/bracket.hpp"
#include "topologies/cut/cut.hpp"

namespace narrows {

/// Relative difference beyond which a lower end above an upper end is no rounding.
inline constexpr double contradiction = 1e-9;

/// The least C(S) that φ ≥ `phi` allows of a cut with `inside` hosts: phi·s(N−s), rounded up to a whole multiple of
/// `unit` (0: not rounded).
double cut_floor(double phi, double inside, double hosts, double unit);

/// `known` with both ends moved to those of `found` where they are sharper; the words are those of the sharper.
Bracket sharper(const Bracket& known, const Bracket& found);

/// Moves the lower end of `number` up to `lower`, found by `method`, unless it is there already.
void raise_lower_end(Bracket& number, double lower, const std::string& method);

/// A cut in words, its hosts by `names` or number where they are few.
std::string describe_cut(const Cut& cut, int hosts, const std::vector<std::string>& names);

}  // namespace narrows
