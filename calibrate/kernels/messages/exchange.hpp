#pragma once

#include "calibrate/kernels/messages/plan.hpp"
#include "calibrate/messaging/member.hpp"

namespace narrows {

/// Most neighbours of `exchange`: both directions of three dimensions.
inline constexpr int most_neighbours = 6;

/// Near-neighbour exchange (kumar2008, Figures 5 and 6) on a ring of all ranks: neighbour 2d is the rank 1 + d places
/// on, neighbour 2d + 1 the one as far back. Every rank sends a message to its first `neighbours` neighbours and
/// receives as many, so that an odd last one sends on and receives from behind. The seconds of a sample are those of
/// one exchange; before them comes one that is not timed, in which what each neighbour sent is checked.
void exchange(Member& member, int neighbours, const SamplePlan& plan, RankRecord& record);

}  // namespace narrows
