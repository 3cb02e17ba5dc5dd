#include "model/demand/grid_routes.hpp"

#include <algorithm>
#include <cstdlib>

#include "topologies/shape.hpp"

namespace narrows {

GridRoutes::GridRoutes(const std::vector<int>& shape, const std::vector<bool>& wraps, bool ties_onwards)
    : shape_(shape),
      wraps_(wraps),
      ties_onwards_(ties_onwards),
      load_(2 * shape.size() * static_cast<std::size_t>(shape_nodes(shape)), 0.0) {}

template <class Visit>
void GridRoutes::walk(int from, int to, Visit visit) const {
    int node = from, stride = 1;
    for (std::size_t i = 0; i < shape_.size(); stride *= shape_[i++]) {
        const int size = shape_[i];
        const int start = node / stride % size, goal = to / stride % size;
        const int onwards = (goal - start + size) % size;
        const bool ring = wraps_[i] && size > 2;
        const bool tie = ring && 2 * onwards == size;
        const bool forth = tie || (ring ? 2 * onwards < size : goal > start);
        const bool back = tie ? !ties_onwards_ : !forth;
        for (const int way : {0, 1}) {
            if (way == 0 ? !forth : !back) continue;
            const int steps = ring ? (way == 0 ? onwards : size - onwards) : std::abs(goal - start);
            for (int step = 0, place = start; step < steps; ++step) {
                const int at = node + (place - start) * stride;
                visit((2 * i + way) + 2 * shape_.size() * static_cast<std::size_t>(at), forth && back ? 0.5 : 1.0);
                place = (place + (way == 0 ? 1 : size - 1)) % size;
            }
        }
        node += (goal - start) * stride;
    }
}

void GridRoutes::add(int from, int to, double messages) {
    walk(from, to, [&](std::size_t link, double share) { load_[link] += share * messages; });
}

double GridRoutes::fullest() const {
    return *std::max_element(load_.begin(), load_.end());
}

double GridRoutes::fullest_of(int from, int to) const {
    double most = 0;
    walk(from, to, [&](std::size_t link, double) { most = std::max(most, load_[link]); });
    return most;
}

}  // namespace narrows
