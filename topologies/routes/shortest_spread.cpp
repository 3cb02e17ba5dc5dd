#include "topologies/routes/shortest_spread.hpp"

#include <algorithm>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr std::uint8_t unreached = 255;
constexpr double most_paths = 1e300;

std::uint8_t level_after(std::uint8_t level) {
    return (level + 1) & 3;
}

std::uint8_t level_before(std::uint8_t level) {
    return (level + 3) & 3;
}

}  // namespace

ShortestSpread::ShortestSpread(const Adjacency& arcs, Split split)
    : arcs_(arcs),
      split_(split),
      order_(arcs.vertices() + 1),
      level_(arcs.vertices()),
      paths_(split == Split::by_paths ? arcs.vertices() : 0),
      needed_(arcs.vertices()),
      load_(arcs.target.size()) {
    int most = 0;
    for (int v = 0; v < arcs.vertices(); ++v) most = std::max(most, arcs.degree(v));
    inverse_.resize(most + 1);
    for (int i = 1; i <= most; ++i) inverse_[i] = 1.0 / i;
}

bool ShortestSpread::send(int source, const std::vector<double>& demand) {
    search(source);
    if (reached_ < arcs_.vertices() && !all_reached(demand)) return false;
    if (split_ == Split::by_paths) count_paths();
    std::copy(demand.begin(), demand.end(), needed_.begin());
    split_ == Split::by_paths ? send_back_by_paths() : send_back_by_hop();
    return true;
}

bool ShortestSpread::all_reached(const std::vector<double>& demand) const {
    for (std::size_t v = 0; v < demand.size(); ++v) {
        if (demand[v] > 0 && level_[v] == unreached) return false;
    }
    return true;
}

/// Breadth first. Whether a neighbour is new is as unpredictable as a coin, so nothing branches on it: every neighbour
/// is written behind the queue, which grows only when it is new.
void ShortestSpread::search(int source) {
    std::fill(level_.begin(), level_.end(), unreached);
    const int* const first = arcs_.first.data();
    const int* const target = arcs_.target.data();
    std::uint8_t* const level = level_.data();
    int* const order = order_.data();
    order[0] = source;
    level[source] = 0;
    int reached = 1;
    for (int i = 0; i < reached; ++i) {
        const int v = order[i];
        const std::uint8_t next = level_after(level[v]);
        for (int arc = first[v], end = first[v + 1]; arc < end; ++arc) {
            const int to = target[arc];
            const std::uint8_t found = level[to];
            order[reached] = to;
            reached += found == unreached ? 1 : 0;
            level[to] = found == unreached ? next : found;
        }
    }
    reached_ = reached;
}

void ShortestSpread::count_paths() {
    paths_[order_[0]] = 1;
    for (int i = 1; i < reached_; ++i) {
        const int v = order_[i];
        const std::uint8_t before = level_before(level_[v]);
        double paths = 0;
        for (int arc = arcs_.first[v]; arc < arcs_.first[v + 1]; ++arc) {
            const int from = arcs_.target[arc];
            if (level_[from] == before) paths += paths_[from];
        }
        if (paths > most_paths) {
            throw InputError("two hosts are joined by too many shortest paths to count: divide traffic hop by hop");
        }
        paths_[v] = paths;
    }
}

void ShortestSpread::send_back_by_paths() {
    for (int i = reached_; i-- > 1;) {
        const int v = order_[i];
        const std::uint8_t before = level_before(level_[v]);
        const double share = needed_[v] / paths_[v];
        for (int arc = arcs_.first[v]; arc < arcs_.first[v + 1]; ++arc) {
            const int from = arcs_.target[arc];
            const double part = level_[from] == before ? share * paths_[from] : 0;
            needed_[from] += part;
            load_[arc] += part;
        }
    }
}

/// Without branches for the same reason as `search`.
void ShortestSpread::send_back_by_hop() {
    const int* const first = arcs_.first.data();
    const int* const target = arcs_.target.data();
    const std::uint8_t* const level = level_.data();
    double* const needed = needed_.data();
    double* const load = load_.data();
    for (int i = reached_; i-- > 1;) {
        const int v = order_[i];
        const std::uint8_t before = level_before(level[v]);
        const int end = first[v + 1];
        int last_links = 0;
        for (int arc = first[v]; arc < end; ++arc) last_links += level[target[arc]] == before ? 1 : 0;
        const double share = needed[v] * inverse_[last_links];
        for (int arc = first[v]; arc < end; ++arc) {
            const int from = target[arc];
            const double part = level[from] == before ? share : 0;
            needed[from] += part;
            load[arc] += part;
        }
    }
}

}  // namespace narrows
