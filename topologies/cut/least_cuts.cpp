#include "topologies/cut/least_cuts.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "topologies/cut/mask_sum.hpp"
#include "topologies/threads.hpp"

namespace narrows {
namespace {

/// Larger than any sum that matters, and so small that adding the capacity of a vertex's links does not overflow.
template <class Cost>
constexpr Cost unreachable = std::numeric_limits<Cost>::max() / 2;
template <>
constexpr double unreachable<double> = std::numeric_limits<double>::infinity();

template <class Cost>
struct Link {
    int bit = 0;  // of the frontier, or of the fixed vertices
    Cost capacity = 0;
};

/// One vertex coming behind the line: where its links lead and which vertices leave the frontier.
template <class Cost>
struct Step {
    bool host = false;
    bool stays = false;
    int frontier_before = 0;
    int frontier_after = 0;
    std::vector<Link<Cost>> links;
    std::vector<Link<Cost>> fixed_links;
    std::vector<int> kept;
    std::vector<int> left;
};

template <class Cost>
class Sweeper {
  public:
    Sweeper(const Network& network, const SweepOrder& order, double unit)
        : fixed_(order.fixed), hosts_(network.hosts), half_(network.hosts / 2) {
        make_steps(network, order, unit);
    }

    /// Lowers `least` to the least cuts with the fixed vertices on the sides that the bits of `sides` say.
    bool run(std::uint32_t sides, std::vector<Cost>& least, const Stop& stop) {
        int counted = 0;
        for (std::size_t i = 0; i < fixed_.size(); ++i) counted += (sides >> i & 1U) != 0 && fixed_[i] < hosts_ ? 1 : 0;
        if (counted > half_) return true;
        before_.assign(stride(), unreachable<Cost>);
        before_[counted] = among_fixed(sides);
        int seen = static_cast<int>(std::ranges::count_if(fixed_, [&](int v) { return v < hosts_; }));
        for (const auto& step : steps_) {
            if (stop()) return false;
            after_.assign((std::size_t{1} << step.frontier_after) * stride(), unreachable<Cost>);
            advance(step, sides, std::min(seen, half_) + 1);
            before_.swap(after_);
            seen += step.host ? 1 : 0;
        }
        for (int k = 0; k <= half_; ++k) least[k] = std::min(least[k], before_[k]);
        return true;
    }

    std::size_t stride() const { return half_ + 1; }

  private:
    void make_steps(const Network& network, const SweepOrder& order, double unit);

    Cost among_fixed(std::uint32_t sides) const {
        double sum = 0;  // which no Cost may hold
        for (const auto& [pair, capacity] : fixed_pairs_) {
            if ((sides >> pair.first & 1U) != (sides >> pair.second & 1U)) sum += static_cast<double>(capacity);
        }
        return sum < static_cast<double>(unreachable<Cost>) ? static_cast<Cost>(sum) : unreachable<Cost>;
    }

    void advance(const Step<Cost>& step, std::uint32_t sides, int counts);

    void relax(Cost* to, const Cost* from, Cost added, int shift, int counts) const {
        const int end = std::min(counts, half_ + 1 - shift);
        for (int k = 0; k < end; ++k) {
            const Cost sum = static_cast<Cost>(from[k] + added);
            to[k + shift] = std::min(to[k + shift], sum);
        }
    }

    std::vector<int> fixed_;
    int hosts_;
    int half_;
    std::vector<Step<Cost>> steps_;
    std::vector<std::pair<std::pair<int, int>, Cost>> fixed_pairs_;
    std::vector<Cost> before_, after_;
};

template <class Cost>
void Sweeper<Cost>::make_steps(const Network& network, const SweepOrder& order, double unit) {
    const int n = network.vertices();
    std::vector<int> place(n), fixed_bit(n, -1), last(n);
    for (std::size_t i = 0; i < fixed_.size(); ++i) fixed_bit[fixed_[i]] = static_cast<int>(i);
    for (std::size_t i = 0; i < order.vertices.size(); ++i) place[order.vertices[i]] = static_cast<int>(i);
    for (const int v : order.vertices) last[v] = place[v];
    std::vector<std::vector<std::pair<int, Cost>>> near(n);
    for (const auto& edge : network.edges) {
        const auto capacity = static_cast<Cost>(unit > 0 ? std::round(edge.capacity / unit) : edge.capacity);
        if (fixed_bit[edge.u] >= 0 && fixed_bit[edge.v] >= 0) {
            fixed_pairs_.push_back({{fixed_bit[edge.u], fixed_bit[edge.v]}, capacity});
            continue;
        }
        near[edge.u].push_back({edge.v, capacity});
        near[edge.v].push_back({edge.u, capacity});
        if (fixed_bit[edge.u] < 0 && fixed_bit[edge.v] < 0) {
            last[edge.u] = std::max(last[edge.u], place[edge.v]);
            last[edge.v] = std::max(last[edge.v], place[edge.u]);
        }
    }
    std::vector<int> frontier;
    for (const int v : order.vertices) {
        Step<Cost> step;
        step.host = v < network.hosts;
        step.stays = last[v] > place[v];
        step.frontier_before = static_cast<int>(frontier.size());
        for (const auto& [other, capacity] : near[v]) {
            if (fixed_bit[other] >= 0) {
                step.fixed_links.push_back({fixed_bit[other], capacity});
            } else if (place[other] < place[v]) {
                const auto found = std::ranges::find(frontier, other);
                step.links.push_back({static_cast<int>(found - frontier.begin()), capacity});
            }
        }
        std::vector<int> next;
        for (int bit = 0; bit < step.frontier_before; ++bit) {
            const bool leaves = last[frontier[bit]] <= place[v];
            (leaves ? step.left : step.kept).push_back(bit);
            if (!leaves) next.push_back(frontier[bit]);
        }
        if (step.stays) next.push_back(v);
        frontier = std::move(next);
        step.frontier_after = static_cast<int>(frontier.size());
        steps_.push_back(std::move(step));
    }
}

template <class Cost>
void Sweeper<Cost>::advance(const Step<Cost>& step, std::uint32_t sides, int counts) {
    std::vector<Cost> linked(step.frontier_before);
    for (const auto& [bit, capacity] : step.links) linked[bit] = static_cast<Cost>(linked[bit] + capacity);
    Cost to_fixed[2] = {0, 0};  // links to fixed vertices that a vertex on this side cuts
    for (const auto& [bit, capacity] : step.fixed_links) {
        Cost& cut = to_fixed[(sides >> bit & 1U) != 0 ? 0 : 1];
        cut = static_cast<Cost>(cut + capacity);
    }
    std::vector<std::uint32_t> kept_bits, left_bits;
    for (const int bit : step.kept) kept_bits.push_back(1U << bit);
    for (const int bit : step.left) left_bits.push_back(1U << bit);
    const MaskSum<Cost> links_to(linked);
    const MaskSum<std::uint32_t> kept(kept_bits);
    const MaskSum<std::uint32_t> left(left_bits);
    const std::uint32_t divisions = 1U << step.kept.size();
    const std::uint32_t choices = 1U << step.left.size();
    const std::uint32_t whole = (divisions * choices) - 1;
    for (std::uint32_t division = 0; division < divisions; ++division) {
        const std::uint32_t base = kept(division);
        for (std::uint32_t choice = 0; choice < choices; ++choice) {
            const std::uint32_t mask = base | left(choice);
            const Cost* const from = &before_[mask * stride()];
            const Cost ones = links_to(mask);
            Cost* const out = &after_[division * stride()];
            Cost* const in = &after_[(step.stays ? division | divisions : division) * stride()];
            relax(out, from, static_cast<Cost>(ones + to_fixed[0]), 0, counts);
            const Cost zeros = links_to(whole ^ mask);  // all less `ones` would lose small capacities beside large ones
            relax(in, from, static_cast<Cost>(zeros + to_fixed[1]), step.host ? 1 : 0, counts);
        }
    }
}

/// The least cuts in units, for each number of hosts from 0; nothing when stopped.
template <class Cost>
std::optional<std::vector<Cost>> swept(const Network& network, const SweepPlan& plan, const SweepLimits& limits,
                                       double unit) {
    const std::uint32_t step = plan.host_inside ? 2 : 1;  // bit 0 is host 0, inside
    const std::uint32_t divisions = (1U << plan.order.fixed.size()) / step;
    const int threads = std::clamp(limits.threads, 1, static_cast<int>(divisions));
    std::vector<std::vector<Cost>> least(threads, std::vector<Cost>(network.hosts / 2 + 1, unreachable<Cost>));
    std::atomic<std::uint32_t> next{0};
    std::atomic<bool> stopped{false};
    const auto stop = [&] { return stopped || limits.stop(); };
    const auto work = [&](int thread) {
        Sweeper<Cost> sweeper(network, plan.order, unit);
        for (std::uint32_t division = next++; division < divisions; division = next++) {
            if (!sweeper.run(division * step + step - 1, least[thread], stop)) stopped = true;
        }
    };
    run_on(threads, work);
    if (stopped) return std::nullopt;
    for (const auto& other : least) {
        for (std::size_t k = 0; k < other.size(); ++k) least[0][k] = std::min(least[0][k], other[k]);
    }
    return least[0];
}

/// Nothing when stopped, an empty list when the sums do not fit in a Cost.
template <class Cost>
std::optional<std::vector<double>> cuts_in(const Network& network, const SweepPlan& plan, const SweepLimits& limits,
                                           double unit) {
    const auto least = swept<Cost>(network, plan, limits, unit);
    if (!least) return std::nullopt;
    std::vector<double> cuts;
    for (std::size_t k = 1; k < least->size(); ++k) {
        if ((*least)[k] >= unreachable<Cost>) return std::vector<double>{};
        cuts.push_back(static_cast<double>((*least)[k]) * (unit > 0 ? unit : 1));
    }
    return cuts;
}

/// The most units at one vertex, which a step may add at once.
double largest_step(const Network& network, double unit) {
    const std::vector<double> at = capacity_at(network);
    return at.empty() ? 0 : *std::ranges::max_element(at) / unit;
}

}  // namespace

std::optional<double> capacity_unit(const Network& network) {
    if (network.edges.empty()) return 1;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& edge : network.edges) least = std::min(least, edge.capacity);
    constexpr int finest = 1000;
    for (int parts = 1; parts <= finest; ++parts) {
        const double unit = least / parts;
        const bool whole = std::ranges::all_of(network.edges, [unit](const Edge& edge) {
            const double units = edge.capacity / unit;
            return units < 1e9 && std::abs(units - std::round(units)) < 1e-14 * units;
        });
        if (whole) return unit;
    }
    return std::nullopt;
}

bool can_sweep(const SweepPlan& plan) {
    constexpr std::size_t most_bits = 30;
    return plan.order.widest <= static_cast<int>(most_bits) && plan.order.fixed.size() <= most_bits;
}

SweepPlan plan_sweep(const Network& network, const SweepLimits& limits) {
    const int row_entries = network.hosts / 2 + 1;
    const double row = 2.0 * row_entries * limits.threads;
    const int width = static_cast<int>(std::log2(std::max(4.0, static_cast<double>(limits.memory) / row / 2)));
    SweepPlan plan;
    plan.host_inside = limits.host_transitive;
    const std::vector<int> first = plan.host_inside ? std::vector{0} : std::vector<int>{};
    plan.order = sweep_order(network, std::clamp(width, 2, 30), 1, first);
    constexpr int worth_two_threads = 12;
    if (limits.threads > 1 && plan.order.fixed == first && plan.order.widest >= worth_two_threads) {
        plan.order = sweep_order(network, plan.order.widest - 1, 1, first);
    }
    plan.work = plan.order.rows * row_entries / (plan.host_inside ? 2 : 1);
    return plan;
}

std::optional<std::vector<double>> least_cuts(const Network& network, const SweepPlan& plan,
                                              const SweepLimits& limits) {
    require_valid(network);
    if (!can_sweep(plan)) throw std::logic_error("least_cuts: the frontier is too wide");
    const std::optional<double> unit = capacity_unit(network);
    if (unit) {
        const double step = largest_step(network, *unit);
        if (step < unreachable<std::uint8_t>) {
            auto cuts = cuts_in<std::uint8_t>(network, plan, limits, *unit);
            if (!cuts || !cuts->empty() || network.hosts < 2) return cuts;
        }
        if (step < unreachable<std::uint16_t>) {
            auto cuts = cuts_in<std::uint16_t>(network, plan, limits, *unit);
            if (!cuts || !cuts->empty() || network.hosts < 2) return cuts;
        }
    }
    return cuts_in<double>(network, plan, limits, 0);
}

}  // namespace narrows
