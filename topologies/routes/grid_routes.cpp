#include "topologies/routes/grid_routes.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace narrows {
namespace {

/// What all nodes of a ring send one way round, a unit to each other node: the load of each of its links.
double ring_hops(int size) {
    const double k = size;
    return size % 2 == 0 ? k * k / 8 : (k * k - 1) / 8;
}

}  // namespace

GridRoutes::GridRoutes(const std::vector<int>& shape, const std::vector<bool>& wraps, bool ties_onwards)
    : ties_onwards_(ties_onwards) {
    for (std::size_t i = 0; i < shape.size(); nodes_ *= shape[i++]) {
        dimensions_.push_back({Line(shape[i], wraps[i]), nodes_});
    }
    load_.resize(2 * dimensions_.size() * static_cast<std::size_t>(nodes_));
}

template <class Visit>
void GridRoutes::walk(int from, int to, Visit visit) const {
    int node = from;
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        const auto& [line, stride] = dimensions_[i];
        const int start = node / stride % line.size, goal = to / stride % line.size;
        const int onwards = (goal - start + line.size) % line.size;
        const bool tie = line.ring && 2 * onwards == line.size;
        const bool forth = tie || (line.ring ? 2 * onwards < line.size : goal > start);
        const bool back = tie ? !ties_onwards_ : !forth;
        for (const int way : {0, 1}) {
            if (way == 0 ? !forth : !back) continue;
            const int steps = line.ring ? (way == 0 ? onwards : line.size - onwards) : std::abs(goal - start);
            for (int step = 0, place = start; step < steps; ++step) {
                visit(index(node + (place - start) * stride, i, way), forth && back ? 0.5 : 1.0);
                place = (place + (way == 0 ? 1 : line.size - 1)) % line.size;
            }
        }
        node += (goal - start) * stride;
    }
}

void GridRoutes::add(int from, int to, double amount) {
    walk(from, to, [&](std::size_t step, double share) { load_[step] += share * amount; });
}

// A line of k nodes carries `each` for N/k pairs of nodes for each of its own.
void GridRoutes::add_uniform(double each) {
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        const auto& [line, stride] = dimensions_[i];
        const int lines = nodes_ / line.size;
        const double pairs = each * lines;
        const double size = line.size, round = ring_hops(line.size);
        const double tie = ties_onwards_ && line.size % 2 == 0 ? size / 4 : 0;  // what the other way does not carry
        for (int node = 0; node < nodes_; ++node) {
            const double place = node / stride % line.size;
            load_[index(node, i, 0)] += pairs * (line.ring ? round + tie : (place + 1) * (size - 1 - place));
            load_[index(node, i, 1)] += pairs * (line.ring ? round - tie : place * (size - place));
        }
    }
}

double GridRoutes::fullest() const {
    return *std::ranges::max_element(load_);
}

double GridRoutes::fullest_of(int from, int to) const {
    double most = 0;
    walk(from, to, [&](std::size_t step, double) { most = std::max(most, load_[step]); });
    return most;
}

std::size_t GridRoutes::step(int from, int to) const {
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        const auto& [line, stride] = dimensions_[i];
        const int place = from / stride % line.size, goal = to / stride % line.size;
        if (from + (goal - place) * stride != to) continue;
        const int ahead = goal - place;
        if (ahead == 1 || (line.ring && ahead == 1 - line.size)) return index(from, i, 0);
        if (ahead == -1 || (line.ring && ahead == line.size - 1)) return index(from, i, 1);
    }
    throw std::logic_error("these nodes are no neighbours of the grid");
}

}  // namespace narrows
