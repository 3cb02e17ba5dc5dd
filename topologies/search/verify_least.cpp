#include "topologies/search/verify_least.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "topologies/cut/exhaustive.hpp"
#include "topologies/cut/sweep_order.hpp"
#include "topologies/infinity.hpp"

namespace narrows {
namespace {

constexpr int most_at_hand = 22;
constexpr int most_fixed = 20;

/// Least cuts for given sides of some fixed vertices, in units.
template <class Cost>
class Table {
  public:
    Table(const Network& network, const SweepOrder& order, double unit)
        : hosts_(network.hosts),
          half_(network.hosts / 2),
          order_(order),
          links_(network.vertices()),
          side_(network.vertices(), open) {
        for (const auto& [u, v, capacity] : network.edges) {
            const auto units = static_cast<Cost>(capacity / unit);
            links_[u].emplace_back(v, units);
            links_[v].emplace_back(u, units);
        }
    }

    /// The least of all sides, for each number of hosts from 0; empty when stopped.
    std::vector<Cost> least(const Stop& stop) {
        std::vector<Cost> all(half_ + 1, unreachable);
        const std::uint32_t combinations = std::uint32_t{1} << order_.fixed.size();
        for (std::uint32_t sides = 0; sides < combinations; ++sides) {
            fix(sides);
            for (const int vertex : order_.vertices) {
                if (stop()) return {};
                introduce(vertex);
                for (std::size_t i = at_hand_.size(); i-- > 0;) {
                    if (is_done(at_hand_[i])) forget(i);
                }
            }
            for (int k = 0; k <= half_; ++k) all[k] = std::min(all[k], cost_[k]);
        }
        return all;
    }

  private:
    enum Side : std::uint8_t { outside, inside, open, past };
    static constexpr Cost unreachable = std::numeric_limits<Cost>::max();

    static Cost sum(Cost a, Cost b) { return static_cast<Cost>(a + b); }
    std::size_t row() const { return static_cast<std::size_t>(half_) + 1; }

    void fix(std::uint32_t sides) {
        std::fill(side_.begin(), side_.end(), open);
        at_hand_.clear();
        int counted = 0;
        for (std::size_t i = 0; i < order_.fixed.size(); ++i) {
            side_[order_.fixed[i]] = (sides >> i & 1U) != 0 ? inside : outside;
            if (order_.fixed[i] < hosts_ && side_[order_.fixed[i]] == inside) ++counted;
        }
        Cost among = 0;
        for (const int v : order_.fixed) {
            for (const auto& [other, units] : links_[v]) {
                if (v < other && side_[other] <= inside && side_[other] != side_[v]) among = sum(among, units);
            }
        }
        cost_.assign(row(), unreachable);
        if (counted <= half_) cost_[counted] = among;
    }

    /// Doubles the table: the new vertex is outside in the first half and inside in the second.
    void introduce(int vertex) {
        Cost fixed_inside = 0, fixed_outside = 0;
        std::vector<Cost> to(at_hand_.size());
        for (const auto& [other, units] : links_[vertex]) {
            if (side_[other] == inside) fixed_inside = sum(fixed_inside, units);
            if (side_[other] == outside) fixed_outside = sum(fixed_outside, units);
            const auto found = std::find(at_hand_.begin(), at_hand_.end(), other);
            if (found == at_hand_.end()) continue;
            Cost& one = to[static_cast<std::size_t>(found - at_hand_.begin())];
            one = sum(one, units);
        }
        const std::size_t divisions = std::size_t{1} << at_hand_.size();
        std::vector<Cost> next(2 * divisions * row(), unreachable);
        const int host = vertex < hosts_ ? 1 : 0;
        for (std::size_t division = 0; division < divisions; ++division) {
            Cost if_outside = fixed_inside, if_inside = fixed_outside;
            for (std::size_t i = 0; i < to.size(); ++i) {
                Cost& cut = (division >> i & 1U) != 0 ? if_outside : if_inside;
                cut = sum(cut, to[i]);
            }
            const Cost* const from = &cost_[division * row()];
            Cost* const out = &next[division * row()];
            Cost* const in = &next[(division + divisions) * row()];
            for (int k = 0; k <= half_; ++k) {
                if (from[k] == unreachable) continue;
                out[k] = sum(from[k], if_outside);
                if (k + host <= half_) in[k + host] = sum(from[k], if_inside);
            }
        }
        cost_ = std::move(next);
        at_hand_.push_back(vertex);
        side_[vertex] = past;
    }

    bool is_done(int vertex) const {
        return std::none_of(links_[vertex].begin(), links_[vertex].end(),
                            [this](const auto& link) { return side_[link.first] == open; });
    }

    /// Halves the table: the better side of the vertex at this place is taken.
    void forget(std::size_t place) {
        const std::size_t divisions = std::size_t{1} << (at_hand_.size() - 1), low = std::size_t{1} << place;
        std::vector<Cost> next(divisions * row());
        for (std::size_t division = 0; division < divisions; ++division) {
            const std::size_t without = (division & (low - 1)) | (division & ~(low - 1)) << 1;
            const Cost* const out = &cost_[without * row()];
            const Cost* const in = &cost_[(without | low) * row()];
            for (std::size_t k = 0; k < row(); ++k) next[division * row() + k] = std::min(out[k], in[k]);
        }
        cost_ = std::move(next);
        at_hand_.erase(at_hand_.begin() + static_cast<std::ptrdiff_t>(place));
    }

    int hosts_;
    int half_;
    const SweepOrder& order_;
    std::vector<std::vector<std::pair<int, Cost>>> links_;
    std::vector<std::uint8_t> side_;
    std::vector<int> at_hand_;
    std::vector<Cost> cost_;
};

/// The least capacity when all others are whole multiples of it and few enough to be counted in 16 bits; else 0.
double small_unit(const Network& network) {
    double unit = infinity, sum = 0;
    for (const auto& edge : network.edges) unit = std::min(unit, edge.capacity);
    for (const auto& edge : network.edges) {
        const double units = edge.capacity / unit;
        sum += units;
        if (units != std::floor(units) || sum >= std::numeric_limits<std::uint16_t>::max()) return 0;
    }
    return unit;
}

template <class Cost>
std::optional<std::vector<double>> in_units(const Network& network, const SweepOrder& order, double unit,
                                            const Stop& stop) {
    const std::vector<Cost> units = Table<Cost>(network, order, unit).least(stop);
    if (units.empty()) return std::nullopt;
    std::vector<double> least;
    for (std::size_t k = 1; k < units.size(); ++k) least.push_back(static_cast<double>(units[k]) * unit);
    return least;
}

}  // namespace

std::optional<std::vector<double>> least_cuts_again(const Network& network, std::string& how, const Stop& stop) {
    constexpr int few_hosts = 24, few_hosts_with_switches = 14;
    if (network.hosts <= (network.switches == 0 ? few_hosts : few_hosts_with_switches)) {
        how = "every division of the nodes tried, switches by maximum flows";
        std::vector<double> least;
        for (const HostCut& cut : exhaustive_cuts(network).by_size) least.push_back(cut.capacity);
        return least;
    }
    how = "found again by a table over vertices that come and go, with code of its own";
    const double unit = small_unit(network);
    const int width = unit > 0 ? most_at_hand : most_at_hand - 2;
    constexpr std::uint64_t other_seed = 99;
    const SweepOrder order = sweep_order(network, width, other_seed);
    if (order.widest > width || std::ssize(order.fixed) > most_fixed) return std::nullopt;
    return unit > 0 ? in_units<std::uint16_t>(network, order, unit, stop) : in_units<double>(network, order, 1, stop);
}

}  // namespace narrows
