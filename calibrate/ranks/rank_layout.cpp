#include "calibrate/ranks/rank_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "calibrate/ranks/cores.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

int RankLayout::first_rank(int worker) const {
    return static_cast<int>((static_cast<std::int64_t>(worker) * ranks + workers - 1) / workers);
}

int RankLayout::worker_of(int rank) const {
    return static_cast<int>(static_cast<std::int64_t>(rank) * workers / ranks);
}

RankLayout rank_layout(int ranks, int workers) {
    if (ranks < 1) throw InputError(fmt::format("{} ranks cannot run: give 1 or more", ranks));
    if (workers < 0) {
        throw InputError(fmt::format("{} worker threads cannot run: give 1 or more, or 0 for one a core", workers));
    }
    return {ranks, std::min(ranks, workers == 0 ? Cores().count() : workers)};
}

}  // namespace narrows
