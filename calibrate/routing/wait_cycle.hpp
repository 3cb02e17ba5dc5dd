#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace narrows {

/// What a rank that cannot go on waits for: room at `rank`, for its full bucket along `dimension`. -1: for nothing.
struct WaitEdge {
    int rank = -1;
    int dimension = -1;
};

/// Says which ranks wait for each other in a circle, with each rank's reason, at most a dozen in full, and `remedy`:
/// what prevents it. `blocked_on` gives what a rank waits for. Says so when there is no circle.
/// Throws std::logic_error when a rank waits for one that does not exist.
std::string explain_wait_cycle(int ranks, const std::function<WaitEdge(int rank)>& blocked_on, std::string_view remedy);

}  // namespace narrows
