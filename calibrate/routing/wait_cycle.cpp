#include "calibrate/routing/wait_cycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace narrows {

namespace {

constexpr std::size_t most_told = 12;

// The first circle met when following `blocked_on` from each rank in turn; empty when there is none.
std::vector<int> find_cycle(int ranks, const std::function<WaitEdge(int)>& blocked_on) {
    std::vector<int> visit(static_cast<std::size_t>(ranks), 0);
    for (int start = 0; start < ranks; ++start) {
        std::vector<int> path;
        int rank = start;
        while (rank >= 0 && visit.at(static_cast<std::size_t>(rank)) == 0) {
            visit.at(static_cast<std::size_t>(rank)) = start + 1;
            path.push_back(rank);
            rank = blocked_on(rank).rank;
        }
        if (rank >= 0 && visit.at(static_cast<std::size_t>(rank)) == start + 1) {
            path.erase(path.begin(), std::ranges::find(path, rank));
            return path;
        }
    }
    return {};
}

}  // namespace

std::string explain_wait_cycle(int ranks, const std::function<WaitEdge(int)>& blocked_on, std::string_view remedy) {
    const std::vector<int> cycle = find_cycle(ranks, blocked_on);
    if (cycle.empty()) return fmt::format("the ranks cannot proceed, but there is no circular wait; {}", remedy);
    std::string text = fmt::format("deadlock: {} ranks wait for each other in a circle", cycle.size());
    for (std::size_t i = 0; i < std::min(cycle.size(), most_told); ++i) {
        const WaitEdge edge = blocked_on(cycle[i]);
        text += fmt::format(
            "\n  rank {}: its receive buffer holds an update that must go on along dimension {}, where its "
            "bucket for rank {} is full, and the receive buffer of rank {} is not free",
            cycle[i], edge.dimension + 1, edge.rank, edge.rank);
    }
    if (cycle.size() > most_told) text += fmt::format("\n  and {} more", cycle.size() - most_told);
    return text + fmt::format("\n  and so back to rank {}; {}", cycle.front(), remedy);
}

}  // namespace narrows
