#include "topologies/search/best_cuts.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "topologies/search/partition.hpp"

#include "topologies/infinity.hpp"

namespace narrows {
namespace {

class CutSearch {
  public:
    CutSearch(const Network& network, const Stop& stop)
        : network_(network), improver_(network, stop), half_(network.hosts / 2) {
        for (Cut* const cut : {&best_.bisection, &best_.alpha, &best_.phi}) cut->capacity = infinity;
    }

    const BestCuts& best() const { return best_; }
    void start_from(const BestCuts& found) { best_ = found; }
    const CutImprover& improver() const { return improver_; }

    void offer(const Cut& cut) {
        const double hosts = network_.hosts;
        const auto better = [&](const CutMeasure& measure, const Cut& than) {
            return measure(cut.capacity, cut.inside, hosts) < measure(than.capacity, than.inside, hosts);
        };
        if (cut.inside == half_ && cut.capacity < best_.bisection.capacity) best_.bisection = cut;
        if (better(expansion_of, best_.alpha)) best_.alpha = cut;
        if (better(sparsity_of, best_.phi)) best_.phi = cut;
    }

    void improve_all(const Cut& cut) {
        offer(cut);
        offer(improver_.to_size(cut, half_));
        offer(improver_.to_measure(cut, expansion_of));
        offer(improver_.to_measure(cut, sparsity_of));
    }

    /// Every host alone, and every switch with the hosts that hang on it alone.
    void offer_single_places() {
        const std::vector<int> links = degrees(network_.vertices(), network_.edges);
        const std::vector<double> capacity = capacity_at(network_);
        std::vector<double> outside(capacity);
        std::vector<std::vector<int>> hanging(network_.vertices());
        for (const auto& edge : network_.edges) {
            for (const auto& [host, other] : {std::pair{edge.u, edge.v}, std::pair{edge.v, edge.u}}) {
                if (host >= network_.hosts || links[host] != 1) continue;
                hanging[other].push_back(host);
                outside[other] -= edge.capacity;
            }
        }
        int host = 0, place = -1;
        double least = infinity;
        for (int v = 0; v < network_.hosts; ++v) {
            if (capacity[v] < capacity[host]) host = v;
        }
        for (int v = 0; v < network_.vertices(); ++v) {
            const double inside = static_cast<double>(hanging[v].size()) + (v < network_.hosts ? 1 : 0);
            const double value = sparsity_of(outside[v], inside, network_.hosts);
            if (value < least) {
                least = value;
                place = v;
            }
        }
        std::vector<char> side(network_.vertices());
        side[host] = 1;
        offer(cut_of(network_, side));
        if (place < 0) return;
        side.assign(network_.vertices(), 0);
        side[place] = 1;
        for (const int v : hanging[place]) side[v] = 1;
        offer(cut_of(network_, std::move(side)));
    }

  private:
    const Network& network_;
    CutImprover improver_;
    int half_;
    BestCuts best_;
};

int below(std::mt19937_64& random, int count) {
    return static_cast<int>(random() % static_cast<std::uint64_t>(count));
}

}  // namespace

BestCuts best_cuts(const Network& network, const CutEffort& effort) {
    require_valid(network);
    CutSearch search(network, effort.stop);
    search.offer_single_places();
    std::mt19937_64 random(effort.seed);
    const auto seed = [&random] { return static_cast<std::uint32_t>(random()); };
    // Of a division, which cannot be stopped: twice what a processor of 2020 takes, and more for small networks.
    constexpr double seconds_of_scotch = 12e-6, seconds_of_metis = 4e-6;
    const auto fits = [&](double seconds_a_link) {
        return seconds_a_link * static_cast<double>(network.edges.size()) <= effort.left();
    };
    if (fits(seconds_of_scotch)) search.improve_all(cut_of(network, scotch_halves(network, seed())));
    for (int round = 0; round < effort.rounds; ++round) {
        if (effort.stop()) break;
        constexpr std::array fractions{0.5, 1.0 / 3, 0.25, 0.125};
        const double fraction = fractions[round % fractions.size()];
        const std::uint32_t of_metis = seed();
        if (fits(seconds_of_metis)) search.improve_all(cut_of(network, metis_division(network, fraction, of_metis)));
        if (effort.stop()) break;
        const int size = std::max(1, static_cast<int>(fraction * network.hosts));
        search.improve_all(search.improver().ball(below(random, network.vertices()), size));
    }
    if (search.best().bisection.side.empty()) {
        const Cut ball = search.improver().ball(0, network.hosts / 2);
        search.offer(ball);
        search.offer(search.improver().to_size(ball, network.hosts / 2));
    }
    return search.best();
}

int size_of_least(const std::vector<double>& least, int hosts, const CutMeasure& measure) {
    int best = 1;
    for (int size = 2; size <= std::ssize(least); ++size) {
        if (measure(least[size - 1], size, hosts) < measure(least[best - 1], best, hosts)) best = size;
    }
    return best;
}

bool meet(const Network& network, const std::vector<double>& least, const CutEffort& effort, BestCuts& found) {
    CutSearch search(network, effort.stop);
    search.start_from(found);
    const int half = network.hosts / 2;
    const int alpha = size_of_least(least, network.hosts, expansion_of);
    const int phi = size_of_least(least, network.hosts, sparsity_of);
    constexpr double rounding = 1 + 1e-12;
    const auto met = [&](const Cut& cut, int size, const CutMeasure& measure) {
        const double hosts = network.hosts;
        return measure(cut.capacity, cut.inside, hosts) <= measure(least[size - 1], size, hosts) * rounding;
    };
    std::mt19937_64 random(effort.seed);
    for (int round = 0;; ++round) {
        const BestCuts& best = search.best();
        const bool bisected = best.bisection.capacity <= least[half - 1] * rounding;
        const bool expanded = met(best.alpha, alpha, expansion_of), sparse = met(best.phi, phi, sparsity_of);
        found = best;
        if (bisected && expanded && sparse) return true;
        if (round == effort.rounds || effort.stop()) return false;
        const int size = !bisected ? half : (!expanded ? alpha : phi);
        const int start = below(random, std::max(1, size));
        search.offer(search.improver().to_size(
            search.improver().ball(below(random, network.vertices()), std::max(1, start)), size));
    }
}

}  // namespace narrows
