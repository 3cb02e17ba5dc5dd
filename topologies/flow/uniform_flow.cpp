#include "topologies/flow/uniform_flow.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "topologies/infinity.hpp"

namespace narrows {
namespace {

double upper_of(const Network& network, const std::vector<double>& length, double distance) {
    double volume = 0;
    for (std::size_t e = 0; e < network.edges.size(); ++e) {
        volume += 2 * network.edges[e].capacity * (length.empty() ? 1 : length[e]);
    }
    return volume / distance * (1 + rounding(network));
}

/// The search's state.
class Search {
  public:
    Search(const Network& network, const UniformFlowGoal& goal)
        : network_(network), goal_(goal), spreader_(network, goal.threads, goal.orbits) {
        found_.upper = infinity;
    }

    std::optional<UniformFlow> run() {
        Spread spread;
        auto first = spreader_.send(spread, goal_.stop);
        if (first && !first->complete) {
            spread.by_hop = true;
            first = spreader_.send(spread, goal_.stop);
        }
        if (!first || !first->complete) return std::nullopt;
        note_upper(spread.length, first->distance);
        note_lower({{1, spread}}, first->load);
        even_out(spread, first->load);
        if (!done()) descend();
        return found_;
    }

  private:
    bool done() const { return std::min(found_.upper, goal_.upper) <= found_.lower * goal_.ratio; }

    bool note_lower(std::vector<SpreadPart> parts, const std::vector<double>& load) {
        const double lower = lower_end_of(network_, load);
        if (lower <= found_.lower) return false;
        found_.lower = lower;
        found_.parts = std::move(parts);
        best_load_ = load;
        return true;
    }

    void note_upper(const std::vector<double>& length, double distance) {
        const double upper = upper_of(network_, length, distance);
        if (upper >= found_.upper) return;
        found_.upper = upper;
        found_.length = length;
    }

    /// Weights that make the fullest links less full, until ten rounds in a row bring less than a tenth of a per cent.
    void even_out(Spread spread, std::vector<double> load) {
        double power = 2;
        int idle = 0;
        spread.weight.assign(load.size(), 1);
        while (!done() && idle < 10) {
            double mean = 0;
            for (std::size_t e = 0; e < load.size(); ++e) mean += load[e] / network_.edges[e].capacity;
            mean /= static_cast<double>(load.size());
            for (std::size_t e = 0; e < load.size(); ++e) {
                const double fullness = load[e] / network_.edges[e].capacity;
                if (fullness > 0) spread.weight[e] *= std::clamp(std::pow(mean / fullness, power), 0.1, 10.0);
                spread.weight[e] = std::clamp(spread.weight[e], 1e-12, 1e12);
            }
            auto sent = spreader_.send(spread, goal_.stop);
            if (!sent || !sent->complete) return;
            const double before = found_.lower;
            if (!note_lower({{1, spread}}, sent->load)) power = std::max(0.25, power * 0.7);
            idle = found_.lower > before * 1.001 ? 0 : idle + 1;
            load = std::move(sent->load);
        }
    }

    /// Frank and Wolfe's descent from the best flow so far on log Σ exp(η·fullness)/η.
    void descend();

    std::vector<double> lengths_of(const std::vector<double>& load, double sharpness) const {
        std::vector<double> fullness(load.size());
        for (std::size_t e = 0; e < load.size(); ++e) fullness[e] = load[e] / network_.edges[e].capacity;
        const double fullest = *std::ranges::max_element(fullness);
        std::vector<double> length(load.size());
        for (std::size_t e = 0; e < load.size(); ++e) {
            const double pressure = sharpness * (fullness[e] / fullest - 1);
            length[e] = std::max(std::exp(pressure), 1e-9) / network_.edges[e].capacity;
        }
        return length;
    }

    double best_step(const std::vector<double>& load, const std::vector<double>& other, double sharpness) const;

    const Network& network_;
    const UniformFlowGoal& goal_;
    Spreader spreader_;
    UniformFlow found_;
    std::vector<double> best_load_;
};

/// The share of `other` that makes the soft maximum least, by golden section.
double Search::best_step(const std::vector<double>& load, const std::vector<double>& other, double sharpness) const {
    double fullest = 0;
    for (std::size_t e = 0; e < load.size(); ++e) fullest = std::max(fullest, load[e] / network_.edges[e].capacity);
    const auto soft_maximum = [&](double step) {
        double top = 0, sum = 0;
        for (std::size_t e = 0; e < load.size(); ++e) {
            top = std::max(top, (load[e] + step * (other[e] - load[e])) / network_.edges[e].capacity);
        }
        for (std::size_t e = 0; e < load.size(); ++e) {
            const double fullness = (load[e] + step * (other[e] - load[e])) / network_.edges[e].capacity;
            sum += std::exp(sharpness / fullest * (fullness - top));
        }
        return top + std::log(sum) * fullest / sharpness;
    };
    constexpr double golden = 0.381966;
    double low = 0, high = 1;
    for (int i = 0; i < 24; ++i) {
        const double left = low + (high - low) * golden, right = high - (high - low) * golden;
        (soft_maximum(left) < soft_maximum(right) ? high : low) =
            soft_maximum(left) < soft_maximum(right) ? right : left;
    }
    return (low + high) / 2;
}

void Search::descend() {
    constexpr int most_parts = 4000;
    std::vector<SpreadPart> parts = found_.parts;
    std::vector<double> load = best_load_;
    double sharpness = 8;
    double checked = found_.lower;
    for (int round = 1; !done() && round < most_parts; ++round) {
        Spread spread;
        spread.length = lengths_of(load, sharpness);
        spread.by_hop = true;
        const auto sent = spreader_.send(spread, goal_.stop);
        if (!sent || !sent->complete) return;
        note_upper(spread.length, sent->distance);
        const double step = best_step(load, sent->load, sharpness);
        for (auto& part : parts) part.share *= 1 - step;
        parts.push_back({step, std::move(spread)});
        for (std::size_t e = 0; e < load.size(); ++e) load[e] += step * (sent->load[e] - load[e]);
        note_lower(parts, load);
        if (round % 16 == 0) {  // sharper when the soft maximum is what keeps the loads apart
            if (found_.lower < checked * 1.005) sharpness = std::min(sharpness * 1.5, 1e5);
            checked = found_.lower;
        }
    }
}

}  // namespace

double rounding(const Network& network) {
    return 4 * std::numeric_limits<double>::epsilon() *
           (network.vertices() + static_cast<double>(network.edges.size()));
}

double lower_end_of(const Network& network, const std::vector<double>& load) {
    double fullest = 0;
    for (std::size_t e = 0; e < load.size(); ++e) {
        const double fullness = load[e] / (2 * network.edges[e].capacity);
        if (!std::isfinite(fullness)) return 0;
        fullest = std::max(fullest, fullness);
    }
    return fullest > 0 ? (1 - rounding(network)) / fullest : 0;
}

std::optional<UniformFlow> uniform_flow(const Network& network, const UniformFlowGoal& goal) {
    require_valid(network);
    return Search(network, goal).run();
}

std::optional<double> flow_of(const Network& network, const std::vector<SpreadPart>& parts, int threads,
                              const Orbits* orbits, const Stop& stop) {
    const Spreader spreader(network, threads, orbits);
    std::vector<double> load(network.edges.size());
    double shares = 0;
    for (const auto& [share, spread] : parts) {
        const auto sent = spreader.send(spread, stop);
        if (!sent || !sent->complete) return std::nullopt;
        shares += share;
        for (std::size_t e = 0; e < load.size(); ++e) load[e] += share * sent->load[e];
    }
    return lower_end_of(network, load) * std::min(1.0, shares);
}

std::optional<double> dual_of(const Network& network, const std::vector<double>& length, int threads,
                              const Orbits* orbits, const Stop& stop) {
    const auto sent = Spreader(network, threads, orbits).send({length, {}}, stop);
    if (!sent) return std::nullopt;
    return upper_of(network, length, sent->distance);
}

}  // namespace narrows
