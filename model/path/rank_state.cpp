#include "model/path/rank_state.hpp"

#include <algorithm>
#include <stdexcept>

namespace narrows {

Data pairwise_state(std::int64_t ranks, int places, Data record) {
    if (ranks < 1 || places < 1) throw std::logic_error("a queue has a place, and a system a rank");
    return record * static_cast<double>(ranks - 1) * places;
}

Data gateway_state(std::int64_t ranks, std::int64_t local_ranks, Data record) {
    if (ranks < 1 || local_ranks < 1) throw std::logic_error("an address space and a system have a rank");
    const std::int64_t others = std::min(ranks, local_ranks) - 1;
    return record * static_cast<double>(others + (ranks > local_ranks ? 1 : 0));
}

}  // namespace narrows
