#include "topologies/search/flow_program.hpp"

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <utility>

#include "topologies/adjacency.hpp"
#include "topologies/distance.hpp"
#include "topologies/flow/explicit_flow.hpp"
#include "topologies/infinity.hpp"

namespace narrows {
namespace {

/// One unit from `source` to every other host along a tree: signed loads of its links.
struct Tree {
    int source = 0;
    std::vector<std::pair<int, double>> load;
};

/// The network with a largest capacity of 1: the solver's tolerances are absolute.
Network scaled(Network network) {
    double largest = 0;
    for (const auto& edge : network.edges) largest = std::max(largest, edge.capacity);
    for (auto& edge : network.edges) edge.capacity /= largest;
    return network;
}

/// Ends the solver between two pivots.
class StopHandler : public ClpEventHandler {
  public:
    explicit StopHandler(const Stop& stop) : stop_(&stop) {}
    int event(Event which) override {
        constexpr int go_on = -1, user_stop = 5;
        return which == endOfIteration && (*stop_)() ? user_stop : go_on;
    }
    ClpEventHandler* clone() const override { return new StopHandler(*this); }

  private:
    const Stop* stop_;
};

/// The program with the trees so far: minimise z subject to Σ weight·load ≤ 2·capacity·z for each link and
/// Σ weight = 1 for each source.
class Master {
  public:
    Master(const Network& network, const Stop& stop) : links_(static_cast<int>(network.edges.size())) {
        solver_.setLogLevel(0);
        const StopHandler handler(stop);
        solver_.passInEventHandler(&handler);
        constexpr double tolerance = 1e-9;
        solver_.setPrimalTolerance(tolerance);
        solver_.setDualTolerance(tolerance);
        const auto hosts = static_cast<std::size_t>(network.hosts);
        std::vector<double> lower(network.edges.size(), -COIN_DBL_MAX), upper(network.edges.size(), 0);
        lower.insert(lower.end(), hosts, 1);
        upper.insert(upper.end(), hosts, 1);
        solver_.addRows(static_cast<int>(lower.size()), lower.data(), upper.data(), nullptr, nullptr, nullptr);
        std::vector<int> rows;
        std::vector<double> capacities;
        for (int e = 0; e < links_; ++e) {
            rows.push_back(e);
            capacities.push_back(-2 * network.edges[e].capacity);
        }
        solver_.addColumn(links_, rows.data(), capacities.data(), 0, COIN_DBL_MAX, 1);
    }

    void add(const std::vector<Tree>& trees) {
        std::vector<CoinBigIndex> starts{0};
        std::vector<int> rows;
        std::vector<double> loads;
        for (const auto& [source, load] : trees) {
            for (const auto& [edge, amount] : load) {
                rows.push_back(edge);
                loads.push_back(std::abs(amount));
            }
            rows.push_back(links_ + source);
            loads.push_back(1);
            starts.push_back(static_cast<CoinBigIndex>(rows.size()));
        }
        solver_.addColumns(static_cast<int>(trees.size()), nullptr, nullptr, nullptr, starts.data(), rows.data(),
                           loads.data());
    }

    /// False when it ended before the optimum.
    bool solve(int pivots) {
        if (pivots <= 0) return false;
        solver_.setMaximumIterations(pivots);
        solver_.primal();
        pivots_ += solver_.numberIterations();
        return solver_.status() == 0;
    }

    int pivots() const { return pivots_; }
    /// What a unit of load on a link costs, and what the flow of a source may.
    double price(int edge) const { return std::max(0.0, -solver_.dualRowSolution()[edge]); }
    double worth(int source) const { return solver_.dualRowSolution()[links_ + source]; }
    double weight(std::size_t tree) const { return std::max(0.0, solver_.primalColumnSolution()[tree + 1]); }

  private:
    int links_;
    int pivots_ = 0;
    ClpSimplex solver_;
};

class Program {
  public:
    Program(const Network& network, const FlowProgramLimits& limits)
        : given_(network),
          network_(scaled(network)),
          limits_(limits),
          arcs_(network),
          master_(network_, limits.stop),
          best_(limits.length) {
        if (best_.empty()) {
            for (const auto& edge : network_.edges) best_.push_back(1 / edge.capacity);
        }
        normalise(best_);
        price_ = best_;
        worth_.assign(static_cast<std::size_t>(network.hosts), infinity);
    }

    std::optional<FlowProgram> run();

  private:
    double grow(int source, const std::vector<double>& length, Tree& tree) const;
    bool add_shorter(std::vector<double> length);
    bool take_prices();
    void normalise(std::vector<double>& length) const;
    UniformFlow checked() const;

    const Network& given_;
    Network network_;  // scaled, and so are both ends below
    const FlowProgramLimits& limits_;
    Adjacency arcs_;
    Master master_;
    std::vector<Tree> trees_;
    std::vector<double> best_;  // the lengths that prove the least upper end so far
    double upper_ = infinity;
    std::vector<double> price_;
    std::vector<double> worth_;
    std::vector<double> weight_;  // of the trees, when the solver last came to an end
    double lower_ = 0;            // as the solver has it
};

/// Scales lengths to a volume Σ 2·capacity·length of 1. None is left so short that a way around is as good.
void Program::normalise(std::vector<double>& length) const {
    const double shortest = 1e-10 / static_cast<double>(length.size());
    double volume = 0;
    for (std::size_t e = 0; e < length.size(); ++e) volume += 2 * network_.edges[e].capacity * length[e];
    for (std::size_t e = 0; e < length.size(); ++e) {
        length[e] = std::max(length[e] / volume, shortest / network_.edges[e].capacity);
    }
}

/// The shortest tree and Σ distance to the hosts, infinite when one is out of reach.
double Program::grow(int source, const std::vector<double>& length, Tree& tree) const {
    std::vector<double> far(static_cast<std::size_t>(network_.vertices()), infinity);
    std::vector<int> back(far.size(), -1), order;
    far[source] = 0;
    search_by_length(arcs_, length, source, far, order, [&back](int v, int edge) { back[v] = edge; });
    std::vector<double> wanted(far.size());
    std::fill(wanted.begin(), wanted.begin() + network_.hosts, 1);
    double total = 0;
    for (int host = 0; host < network_.hosts; ++host) total += far[host];
    tree = {source, {}};
    for (std::size_t i = order.size(); i-- > 1;) {
        const int v = order[i];
        if (wanted[v] == 0) continue;
        const Edge& edge = network_.edges[back[v]];
        tree.load.emplace_back(back[v], edge.v == v ? wanted[v] : -wanted[v]);
        wanted[edge.v == v ? edge.u : edge.v] += wanted[v];
    }
    return total;
}

/// Adds the trees, shortest by `length`, that cost less than their source's by the prices. Notes the upper end.
bool Program::add_shorter(std::vector<double> length) {
    constexpr double cheaper = 1 - 1e-10;
    normalise(length);
    std::vector<Tree> found;
    double distance = 0, volume = 0;
    for (int source = 0; source < network_.hosts; ++source) {
        Tree tree;
        distance += grow(source, length, tree);
        double cost = 0;
        for (const auto& [edge, amount] : tree.load) cost += price_[edge] * std::abs(amount);
        if (cost < worth_[source] * cheaper) found.push_back(std::move(tree));
    }
    if (!std::isfinite(distance)) return false;
    for (std::size_t e = 0; e < length.size(); ++e) volume += 2 * network_.edges[e].capacity * length[e];
    if (volume / distance < upper_) {
        upper_ = volume / distance;
        best_ = std::move(length);
    }
    master_.add(found);
    trees_.insert(trees_.end(), found.begin(), found.end());
    return !found.empty();
}

/// Solves with the trees so far; false when the solver ended early.
bool Program::take_prices() {
    if (!master_.solve(limits_.pivots - master_.pivots())) return false;
    double cost = 0;
    for (int e = 0; e < static_cast<int>(price_.size()); ++e) price_[e] = master_.price(e);
    for (int source = 0; source < network_.hosts; ++source) {
        worth_[source] = master_.worth(source);
        cost += worth_[source];
    }
    weight_.resize(trees_.size());
    for (std::size_t i = 0; i < trees_.size(); ++i) weight_[i] = master_.weight(i);
    lower_ = 1 / cost;
    return true;
}

/// Both ends from nothing but the trees' weights and the best lengths.
UniformFlow Program::checked() const {
    const std::size_t links = network_.edges.size();
    std::vector<double> total(static_cast<std::size_t>(network_.hosts));
    for (std::size_t i = 0; i < weight_.size(); ++i) total[trees_[i].source] += weight_[i];
    std::vector<double> amount(total.size() * links);
    for (std::size_t i = 0; i < weight_.size(); ++i) {
        const auto& [source, load] = trees_[i];
        const double share = weight_[i] / total[source];
        for (const auto& [edge, sent] : load) amount[static_cast<std::size_t>(source) * links + edge] += share * sent;
    }
    UniformFlow flow;
    for (std::size_t i = 0; i < amount.size(); ++i) {
        if (amount[i] != 0) flow.arcs.push_back({static_cast<int>(i / links), static_cast<int>(i % links), amount[i]});
    }
    flow.lower = proven_flow(given_, flow.arcs);
    flow.length = best_;
    flow.upper = dual_of(given_, best_, limits_.threads).value_or(infinity);
    return flow;
}

std::optional<FlowProgram> Program::run() {
    constexpr double close = 1 + 1e-10;
    constexpr double smoothing = 0.7;
    bool better = add_shorter(best_), complete = false;
    if (!better || !take_prices()) return std::nullopt;
    while (!complete) {
        std::vector<double> smooth(price_);
        for (std::size_t e = 0; e < smooth.size(); ++e) smooth[e] += smoothing * (best_[e] - smooth[e]);
        better = add_shorter(std::move(smooth)) || add_shorter(price_);
        complete = !better || upper_ <= lower_ * close;
        if (!complete && !take_prices()) break;
    }
    return FlowProgram{checked(), complete, master_.pivots()};
}

}  // namespace

std::optional<FlowProgram> flow_program(const Network& network, const FlowProgramLimits& limits) {
    require_valid(network);
    if (network.hosts < 2 || flow_program_variables(network) > limits.variables) return std::nullopt;
    return Program(network, limits).run();
}

}  // namespace narrows
