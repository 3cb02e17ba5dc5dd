#include "topologies/cut/cut.hpp"

#include <algorithm>
#include <array>
#include <queue>
#include <stdexcept>
#include <utility>

#include "topologies/infinity.hpp"

namespace narrows {
namespace {

enum VertexRole { outside_host, inside_host, any_switch, vertex_roles };

/// Hosts inside after a vertex of `kind` has moved.
int inside_after(int inside, VertexRole kind) {
    return inside + (kind == outside_host ? 1 : 0) - (kind == inside_host ? 1 : 0);
}

/// The least capacity with `size` hosts inside.
struct LeastOfSize {
    int size;

    /// What a cut is worth, less being better; infinite for one that does not count.
    double worth(double capacity, int inside) const {
        if (inside != size) return infinity;
        return capacity;
    }
    bool may_move(VertexRole kind, int inside) const {
        return kind == any_switch || (kind == outside_host ? inside <= size : inside >= size);
    }
    /// Of the moves that may be made, the one that leads to the least of this is made.
    double preference(double capacity, int /*inside*/) const { return capacity; }
};

/// The least of a measure, whatever the size.
struct LeastMeasure {
    const CutMeasure& measure;
    double hosts;

    double worth(double capacity, int inside) const { return measure(capacity, inside, hosts); }
    bool may_move(VertexRole /*kind*/, int /*inside*/) const { return true; }
    double preference(double capacity, int inside) const { return worth(capacity, inside); }
};

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

CutImprover::CutImprover(const Network& network, Stop stop)
    : network_(network), stop_(std::move(stop)), arcs_(network) {}

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
    Pass(const CutImprover& improver, Cut& cut) : of_(improver), cut_(cut), moved_(cut.side.size()) {
        gain_.resize(cut.side.size());
        for (int v = 0; v < of_.network_.vertices(); ++v) {
            gain_[v] = of_.gain(cut_.side, v);
            heaps_[kind(v)].push({gain_[v], v});
        }
    }

    /// The vertex of this kind that takes most from the cut when moved, or −1.
    int best(VertexRole kind) {
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
    VertexRole kind(int vertex) const {
        if (vertex >= of_.network_.hosts) return any_switch;
        return cut_.side[vertex] != 0 ? inside_host : outside_host;
    }

    const CutImprover& of_;
    Cut& cut_;
    std::vector<char> moved_;
    std::vector<double> gain_;
    std::array<std::priority_queue<std::pair<double, int>>, vertex_roles> heaps_;
    std::vector<int> log_;
};

template <class Goal>
Cut CutImprover::descend(const Cut& cut, const Goal& goal) const {
    constexpr std::size_t moves_between_polls = 4096;
    Cut best = cut;
    double least = goal.worth(cut.capacity, cut.inside);
    const int patience = std::max(64, std::min(network_.vertices(), 1 << 14));
    while (!stop_()) {
        Cut trial = best;
        Pass pass(*this, trial);
        std::size_t kept = 0;
        double found = least;
        double worth = least;
        for (int idle = 0; idle < patience || worth == infinity; ++idle) {
            if ((pass.moves() + 1) % moves_between_polls == 0 && stop_()) break;
            int vertex = -1;
            double preferred = infinity;
            for (const auto kind : {any_switch, outside_host, inside_host}) {
                const int v = goal.may_move(kind, trial.inside) ? pass.best(kind) : -1;
                if (v < 0) continue;
                const double preference =
                    goal.preference(trial.capacity - pass.gain_of(v), inside_after(trial.inside, kind));
                if (vertex >= 0 && !(preference < preferred)) continue;
                vertex = v;
                preferred = preference;
            }
            if (vertex < 0) break;
            pass.move(vertex);
            worth = goal.worth(trial.capacity, trial.inside);
            if (!(worth < found * (1 - 1e-12))) continue;
            found = worth;
            kept = pass.moves();
            idle = 0;
        }
        if (!(found < least)) return best;
        pass.undo_beyond(kept);
        Cut counted = cut_of(network_, std::move(trial.side));  // the kept sum may have lost digits
        const double counted_worth = goal.worth(counted.capacity, counted.inside);
        if (!(counted_worth < least)) return best;
        best = std::move(counted);
        least = counted_worth;
    }
    return best;
}

Cut CutImprover::to_size(const Cut& cut, int size) const {
    return descend(cut, LeastOfSize{size});
}

Cut CutImprover::to_measure(const Cut& cut, const CutMeasure& measure) const {
    return descend(cut, LeastMeasure{measure, static_cast<double>(network_.hosts)});
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
