#include "topologies/cut/sweep_order.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace narrows {
namespace {

using Neighbours = std::vector<std::vector<int>>;

Neighbours neighbours_of(const Network& network) {
    Neighbours near(network.vertices());
    for (const auto& edge : network.edges) {
        near[edge.u].push_back(edge.v);
        near[edge.v].push_back(edge.u);
    }
    for (auto& list : near) {
        std::ranges::sort(list);
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return near;
}

struct Width {
    int widest = 0;
    double rows = 0;
};

/// Measures orders of the vertices that are not fixed.
class Ruler {
  public:
    Ruler(const Neighbours& near, const std::vector<char>& fixed) : near_(near), fixed_(fixed), place_(near.size()) {}

    Width measure(const std::vector<int>& order) {
        const int steps = static_cast<int>(order.size());
        for (int i = 0; i < steps; ++i) place_[order[i]] = i;
        change_.assign(steps + 1, 0);
        for (int i = 0; i < steps; ++i) {
            int last = i;
            for (const int other : near_[order[i]]) {
                if (!fixed_[other]) last = std::max(last, place_[other]);
            }
            ++change_[i];
            --change_[last];
        }
        Width width;
        for (int i = 0, frontier = 0; i < steps; ++i) {
            frontier += change_[i];
            width.widest = std::max(width.widest, frontier);
            width.rows += std::ldexp(1.0, frontier);
        }
        return width;
    }

  private:
    const Neighbours& near_;
    const std::vector<char>& fixed_;
    std::vector<int> place_;
    std::vector<int> change_;
};

/// Sweeps from `start`, taking each time the vertex that leaves the smallest frontier, of those the one with the most
/// neighbours behind the line.
std::vector<int> greedy_order(const Neighbours& near, const std::vector<char>& fixed, int start) {
    const int n = static_cast<int>(near.size());
    std::vector<char> swept(fixed.begin(), fixed.end());
    std::vector<int> ahead(n), behind(n), order;
    for (int v = 0; v < n; ++v) {
        for (const int other : near[v]) ahead[v] += fixed[other] ? 0 : 1;
    }
    const auto growth = [&](int v) {
        int change = ahead[v] > 0 ? 1 : 0;
        for (const int other : near[v]) {
            if (!fixed[other] && swept[other] && ahead[other] == 1) --change;
        }
        return change;
    };
    for (int next = start; next >= 0;) {
        swept[next] = 1;
        order.push_back(next);
        for (const int other : near[next]) {
            --ahead[other];
            ++behind[other];
        }
        next = -1;
        std::pair<int, int> best;
        for (int v = 0; v < n; ++v) {
            if (swept[v]) continue;
            const std::pair<int, int> price{growth(v), -behind[v]};
            if (next < 0 || price < best) {
                best = price;
                next = v;
            }
        }
    }
    return order;
}

/// Moves single vertices to other places, taking a worse order with a chance that falls to nothing.
void anneal(std::vector<int>& order, Ruler& ruler, int trials, std::mt19937_64& random) {
    if (order.size() < 3) return;
    const auto below = [&random](std::size_t count) { return static_cast<int>(random() % count); };
    const auto unit = [&random] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    std::vector<int> current = order, trial;
    double held = std::log2(ruler.measure(current).rows), best = held;
    for (int i = 0; i < trials; ++i) {
        const double heat = 0.5 * (1 - static_cast<double>(i) / trials) + 1e-3;
        trial = current;
        const int from = below(trial.size());
        const int reach = 1 + below(std::min<std::size_t>(trial.size() - 1, 12));
        const int to = std::clamp(from + (random() % 2 == 0 ? reach : -reach), 0, static_cast<int>(trial.size()) - 1);
        const int vertex = trial[from];
        trial.erase(trial.begin() + from);
        trial.insert(trial.begin() + to, vertex);
        const double price = std::log2(ruler.measure(trial).rows);
        if (price > held && unit() > std::exp2((held - price) / heat)) continue;
        current.swap(trial);
        held = price;
        if (held < best) {
            best = held;
            order = current;
        }
    }
}

std::vector<int> narrow_order(const Neighbours& near, const std::vector<char>& fixed, std::mt19937_64& random) {
    const int n = static_cast<int>(near.size());
    const int most_starts = n <= 256 ? 64 : 2;
    Ruler ruler(near, fixed);
    std::vector<int> best;
    double least = 0;
    for (int start = 0, stride = std::max(1, n / most_starts); start < n; start += stride) {
        if (fixed[start]) continue;
        std::vector<int> order = greedy_order(near, fixed, start);
        const double rows = ruler.measure(order).rows;
        if (best.empty() || rows < least) {
            least = rows;
            best = std::move(order);
        }
    }
    constexpr int work = 1 << 24;
    if (n <= 512) anneal(best, ruler, work / std::max(64, n * 8), random);
    return best;
}

/// The vertex whose fixing leaves the fewest rows in this very order.
int best_to_fix(const Neighbours& near, const std::vector<int>& order, std::vector<char>& fixed) {
    int best = -1;
    double least = 0;
    for (const int vertex : order) {
        fixed[vertex] = 1;
        std::vector<int> rest;
        std::copy_if(order.begin(), order.end(), std::back_inserter(rest), [vertex](int v) { return v != vertex; });
        const double rows = Ruler(near, fixed).measure(rest).rows;
        fixed[vertex] = 0;
        if (best < 0 || rows < least) {
            least = rows;
            best = vertex;
        }
    }
    return best;
}

}  // namespace

SweepOrder sweep_order(const Network& network, int width_limit, std::uint64_t seed, std::vector<int> fixed_first) {
    require_valid(network);
    const Neighbours near = neighbours_of(network);
    std::vector<char> fixed(near.size());
    for (const int vertex : fixed_first) fixed[vertex] = 1;
    std::mt19937_64 random(seed);
    SweepOrder found;
    found.fixed = std::move(fixed_first);
    found.vertices = narrow_order(near, fixed, random);
    for (;;) {
        const Width width = Ruler(near, fixed).measure(found.vertices);
        found.widest = width.widest;
        found.rows = std::ldexp(width.rows, static_cast<int>(found.fixed.size()));
        constexpr int hopeless = 32;  // 2^32 ways to fix vertices are beyond any search
        const bool narrow = found.widest <= width_limit || found.vertices.size() <= 2;
        if (narrow || found.widest > width_limit + hopeless) return found;
        const int vertex = best_to_fix(near, found.vertices, fixed);
        fixed[vertex] = 1;
        found.fixed.push_back(vertex);
        std::erase(found.vertices, vertex);
        Ruler ruler(near, fixed);
        anneal(found.vertices, ruler, 1 << 13, random);
    }
}

}  // namespace narrows
