#include "topologies/cut/cut.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <stdexcept>
#include <utility>

namespace narrows {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

Cut cut_of(const Network& network, std::vector<char> side) {
    if (std::ssize(side) != network.vertices()) throw std::logic_error("cut_of: not one side a vertex");
    Cut cut;
    for (const auto& edge : network.edges) {
        if (side[edge.u] != side[edge.v]) cut.capacity += edge.capacity;
    }
    cut.inside = static_cast<int>(std::count(side.begin(), side.begin() + network.hosts, 1));
    cut.side = std::move(side);
    return cut;
}

double expansion_of(double capacity, double inside, double hosts) {
    const double smaller = std::min(inside, hosts - inside);
    return smaller < 1 ? infinity : capacity / smaller;
}

double sparsity_of(double capacity, double inside, double hosts) {
    return inside < 1 || inside > hosts - 1 ? infinity : capacity / (inside * (hosts - inside));
}

CutImprover::CutImprover(const Network& network) : network_(network), arcs_(network) {}

/// What moving `vertex` to the other side takes from the capacity of the cut.
double CutImprover::gain(const std::vector<char>& side, int vertex) const {
    double sum = 0;
    for (int arc = arcs_.first[vertex]; arc < arcs_.first[vertex + 1]; ++arc) {
        const double capacity = network_.edges[arcs_.edge[arc]].capacity;
        sum += side[arcs_.target[arc]] != side[vertex] ? capacity : -capacity;
    }
    return sum;
}

/// One pass: which vertices may still move, by what each move would bring.
class CutImprover::Pass {
  public:
    enum Kind { outside_host, inside_host, any_switch, kinds };

    Pass(const CutImprover& improver, Cut& cut) : of_(improver), cut_(cut), moved_(cut.side.size()) {
        gain_.resize(cut.side.size());
        for (int v = 0; v < of_.network_.vertices(); ++v) {
            gain_[v] = of_.gain(cut_.side, v);
            heaps_[kind(v)].push({gain_[v], v});
        }
    }

    /// The vertex of this kind that takes most from the cut when moved, or −1.
    int best(Kind kind) {
        auto& heap = heaps_[kind];
        while (!heap.empty()) {
            const auto [gain, vertex] = heap.top();
            if (moved_[vertex] == 0 && gain == gain_[vertex]) return vertex;
            heap.pop();
        }
        return -1;
    }
    double gain_of(int vertex) const { return gain_[vertex]; }

    void move(int vertex) {
        const bool host = vertex < of_.network_.hosts;
        cut_.capacity -= gain_[vertex];
        cut_.inside += host ? (cut_.side[vertex] != 0 ? -1 : 1) : 0;
        cut_.side[vertex] = cut_.side[vertex] != 0 ? 0 : 1;
        moved_[vertex] = 1;
        log_.push_back(vertex);
        for (int arc = of_.arcs_.first[vertex]; arc < of_.arcs_.first[vertex + 1]; ++arc) {
            const int other = of_.arcs_.target[arc];
            if (moved_[other] != 0) continue;
            const double capacity = of_.network_.edges[of_.arcs_.edge[arc]].capacity;
            gain_[other] += (cut_.side[other] == cut_.side[vertex] ? -2.0 : 2.0) * capacity;
            heaps_[kind(other)].push({gain_[other], other});
        }
    }

    /// Moves back all but the first `kept` moves.
    void undo_beyond(std::size_t kept) {
        while (log_.size() > kept) {
            cut_.side[log_.back()] ^= 1;
            log_.pop_back();
        }
    }
    std::size_t moves() const { return log_.size(); }

  private:
    Kind kind(int vertex) const {
        if (vertex >= of_.network_.hosts) return any_switch;
        return cut_.side[vertex] != 0 ? inside_host : outside_host;
    }

    const CutImprover& of_;
    Cut& cut_;
    std::vector<char> moved_;
    std::vector<double> gain_;
    std::array<std::priority_queue<std::pair<double, int>>, kinds> heaps_;
    std::vector<int> log_;
};

Cut CutImprover::to_size(const Cut& cut, int size) const {
    Cut best = cut;
    double least = cut.inside == size ? cut.capacity : infinity;
    const int patience = std::max(64, std::min(network_.vertices(), 1 << 14));
    for (;;) {
        Cut trial = best;
        Pass pass(*this, trial);
        std::size_t kept = 0;
        double found = least;
        for (int idle = 0; idle < patience || trial.inside != size; ++idle) {
            std::array<int, 3> candidates{pass.best(Pass::any_switch), -1, -1};
            if (trial.inside <= size) candidates[1] = pass.best(Pass::outside_host);
            if (trial.inside >= size) candidates[2] = pass.best(Pass::inside_host);
            int vertex = -1;
            for (const int v : candidates) {
                if (v >= 0 && (vertex < 0 || pass.gain_of(v) > pass.gain_of(vertex))) vertex = v;
            }
            if (vertex < 0) break;
            pass.move(vertex);
            if (trial.inside != size || trial.capacity >= found - 1e-12 * (1 + found)) continue;
            found = trial.capacity;
            kept = pass.moves();
            idle = 0;
        }
        if (!(found < least)) return best;
        pass.undo_beyond(kept);
        Cut counted = cut_of(network_, std::move(trial.side));  // the kept sum may have lost digits
        if (!(counted.capacity < least)) return best;
        best = std::move(counted);
        least = best.capacity;
    }
}

Cut CutImprover::to_measure(const Cut& cut, const CutMeasure& measure) const {
    const double hosts = network_.hosts;
    Cut best = cut;
    double least = measure(cut.capacity, cut.inside, hosts);
    const int patience = std::max(64, std::min(network_.vertices(), 1 << 14));
    for (;;) {
        Cut trial = best;
        Pass pass(*this, trial);
        std::size_t kept = 0;
        double found = least;
        for (int idle = 0; idle < patience; ++idle) {
            int vertex = -1;
            double value = infinity;
            for (const auto kind : {Pass::any_switch, Pass::outside_host, Pass::inside_host}) {
                const int v = pass.best(kind);
                if (v < 0) continue;
                const int inside = trial.inside + (kind == Pass::outside_host) - (kind == Pass::inside_host);
                const double moved = measure(trial.capacity - pass.gain_of(v), inside, hosts);
                if (vertex < 0 || moved < value) {
                    vertex = v;
                    value = moved;
                }
            }
            if (vertex < 0) break;
            pass.move(vertex);
            if (!(value < found * (1 - 1e-12))) continue;
            found = value;
            kept = pass.moves();
            idle = 0;
        }
        if (!(found < least)) return best;
        pass.undo_beyond(kept);
        Cut counted = cut_of(network_, std::move(trial.side));
        const double value = measure(counted.capacity, counted.inside, hosts);
        if (!(value < least)) return best;
        best = std::move(counted);
        least = value;
    }
}

Cut CutImprover::ball(int vertex, int size) const {
    std::vector<char> side(network_.vertices());
    std::vector<char> seen(network_.vertices());
    std::vector<int> queue{vertex};
    seen[vertex] = 1;
    int inside = 0;
    for (std::size_t head = 0; head < queue.size() && inside < size; ++head) {
        const int v = queue[head];
        side[v] = 1;
        inside += v < network_.hosts ? 1 : 0;
        for (int arc = arcs_.first[v]; arc < arcs_.first[v + 1]; ++arc) {
            const int other = arcs_.target[arc];
            if (seen[other] == 0) {
                seen[other] = 1;
                queue.push_back(other);
            }
        }
    }
    return cut_of(network_, std::move(side));
}

}  // namespace narrows
