#include "topologies/search/verify.hpp"

// clang-format off
#include "topologies/lemon.hpp"
#include <lemon/dijkstra.h>
#include <lemon/smart_graph.h>
#include "topologies/eigen.hpp"
#include <Eigen/Cholesky>
// clang-format on

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "topologies/cut/exhaustive.hpp"
#include "topologies/cut/least_cuts.hpp"
#include "topologies/infinity.hpp"
#include "topologies/input_error.hpp"
#include "topologies/search/explicit_flow.hpp"

namespace narrows {
namespace {

constexpr double sharp = 1e-9;

void require_length(std::size_t length, std::size_t wanted, const char* what) {
    if (length == wanted) return;
    throw InputError(fmt::format("the certificate's {} has {} entries instead of {}: it is not of this network", what,
                                 length, wanted));
}

struct CountedCut {
    double capacity = 0;
    double inside = 0;
};

CountedCut count(const Network& network, const Cut& cut) {
    require_length(cut.side.size(), static_cast<std::size_t>(network.vertices()), "cut");
    CountedCut counted;
    for (std::size_t e = network.edges.size(); e-- > 0;) {
        const Edge& edge = network.edges[e];
        if ((cut.side[edge.u] != 0) != (cut.side[edge.v] != 0)) counted.capacity += edge.capacity;
    }
    for (int host = 0; host < network.hosts; ++host) counted.inside += cut.side[host] != 0 ? 1 : 0;
    return counted;
}

/// Whether L − μM is positive semidefinite, by a pivoted LDLᵀ whose pivots stay above the rounding.
bool form_is_positive(const Network& network, double phi) {
    const int n = network.vertices();
    const double hosts = network.hosts;
    Eigen::MatrixXd form = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i < network.hosts; ++i) {
        for (int j = 0; j < network.hosts; ++j) form(i, j) += phi;
        form(i, i) -= phi * hosts;
    }
    for (const auto& [u, v, capacity] : network.edges) {
        form(u, u) += capacity;
        form(v, v) += capacity;
        form(u, v) -= capacity;
        form(v, u) -= capacity;
    }
    const double lift = form.diagonal().maxCoeff() / n;
    form.array() += lift;  // takes the constant vector out of the kernel
    const double margin = 2 * std::numeric_limits<double>::epsilon() * n * form.diagonal().cwiseAbs().sum();
    form.diagonal().array() -= margin;
    const Eigen::LDLT<Eigen::MatrixXd> factors(form);
    return factors.info() == Eigen::Success && factors.vectorD().minCoeff() > 0;
}

/// Sends flows over shortest paths by given lengths and weights.
class FlowCheck {
  public:
    FlowCheck(const Network& network, const Stop& stop) : network_(network), stop_(stop), length_(graph_) {
        for (int v = 0; v < network.vertices(); ++v) graph_.addNode();
        for (const auto& edge : network.edges) {
            graph_.addEdge(graph_.nodeFromId(edge.u), graph_.nodeFromId(edge.v));
        }
    }

    /// Adds `share` times the loads of one unit for every pair; returns Σ distance, infinite when some pair has no
    /// way or there is no time.
    double send(const Spread& spread, double share, std::vector<double>& load) {
        const std::size_t links = network_.edges.size();
        if (!spread.length.empty()) require_length(spread.length.size(), links, "list of lengths");
        if (!spread.weight.empty()) require_length(spread.weight.size(), links, "list of weights");
        for (std::size_t e = 0; e < links; ++e) {
            length_[graph_.edgeFromId(static_cast<int>(e))] = spread.length.empty() ? 1 : spread.length[e];
        }
        double distance = 0;
        for (int source = 0; source < network_.hosts; ++source) {
            if (stop_()) return infinity;
            distance += send_from(source, spread, share, load);
        }
        return distance;
    }

    /// The largest surplus or lack of flow at a vertex so far, relative to what a host receives.
    double imbalance() const { return imbalance_; }

  private:
    using Graph = lemon::SmartGraph;

    double send_from(int source, const Spread& spread, double share, std::vector<double>& load) {
        lemon::Dijkstra<Graph, Graph::EdgeMap<double>> paths(graph_, length_);
        paths.run(graph_.nodeFromId(source));
        std::vector<int> order(network_.vertices());
        std::iota(order.begin(), order.end(), 0);
        std::vector<double> far(order.size(), infinity);
        double total = 0;
        for (const int v : order) {
            if (paths.reached(graph_.nodeFromId(v))) far[v] = paths.dist(graph_.nodeFromId(v));
            if (v < network_.hosts) total += far[v];
        }
        if (!std::isfinite(total)) return infinity;
        std::sort(order.begin(), order.end(), [&far](int a, int b) { return far[a] < far[b]; });
        std::vector<double> through(order.size()), paths_to(order.size(), 1);
        for (const int v : order) {
            if (v == source || spread.by_hop) continue;
            paths_to[v] = 0;
            each_way_back(v, far, spread,
                          [&](int from, int, double weight) { paths_to[v] += weight * paths_to[from]; });
        }
        for (int host = 0; host < network_.hosts; ++host) through[host] = host == source ? 0 : 1;
        for (auto v = order.rbegin(); v != order.rend(); ++v) {
            if (*v == source || through[*v] == 0) continue;
            double shares = 0, sent = 0;
            each_way_back(*v, far, spread, [&](int from, int, double weight) { shares += weight * paths_to[from]; });
            each_way_back(*v, far, spread, [&](int from, int edge, double weight) {
                const double part = through[*v] * (weight * paths_to[from] / shares);
                load[edge] += share * part;
                through[from] += part;
                sent += part;
            });
            note_imbalance(sent - through[*v]);
        }
        note_imbalance(through[source] - (network_.hosts - 1));
        return total;
    }

    void note_imbalance(double surplus) {
        const double relative = std::abs(surplus) / network_.hosts;
        if (!(relative <= imbalance_)) imbalance_ = std::isfinite(relative) ? relative : infinity;
    }

    template <class Visit>
    void each_way_back(int v, const std::vector<double>& far, const Spread& spread, Visit visit) const {
        constexpr double tie = 1e-12;
        for (Graph::IncEdgeIt arc(graph_, graph_.nodeFromId(v)); arc != lemon::INVALID; ++arc) {
            const int from = graph_.id(graph_.runningNode(arc));
            const int edge = graph_.id(static_cast<const Graph::Edge&>(arc));
            const double length = spread.length.empty() ? 1 : spread.length[edge];
            if (far[from] < far[v] && far[from] + length <= far[v] * (1 + tie)) {
                visit(from, edge, spread.weight.empty() ? 1 : spread.weight[edge]);
            }
        }
    }

    const Network& network_;
    const Stop& stop_;
    Graph graph_;
    Graph::EdgeMap<double> length_;
    double imbalance_ = 0;
};

class Verifier {
  public:
    Verifier(const Certificate& certificate, int threads, Stop stop)
        : network_(certificate.network),
          claims_(certificate.claims),
          proofs_(certificate.proofs),
          threads_(threads),
          stop_(std::move(stop)),
          hosts_(certificate.network.hosts),
          half_(std::floor(hosts_ / 2)) {}

    std::vector<CheckedClaim> run() {
        check_cuts();
        check_flow();
        check_lower_ends();
        require_lower_below_upper();
        return std::move(checked_);
    }

  private:
    void at_most(const std::string& name, double claimed, double proven, const std::string& how) {
        checked_.push_back({name + " ≤", claimed, proven, proven <= claimed * (1 + sharp), how});
    }
    void at_least(const std::string& name, double claimed, double proven, const std::string& how) {
        checked_.push_back({name + " ≥", claimed, proven, proven >= claimed * (1 - sharp), how});
    }

    void check_cuts();
    void check_flow();
    void check_lower_ends();
    void check_lower_ends_by_sizes();
    void require_lower_below_upper();
    std::optional<std::vector<double>> least_again(std::string& how) const;

    const Network& network_;
    const NetworkNumbers& claims_;
    const NetworkProofs& proofs_;
    int threads_;
    Stop stop_;
    double hosts_;
    double half_;
    double flow_ = 0;
    double sparsity_ = infinity;
    std::vector<CheckedClaim> checked_;
};

void Verifier::check_cuts() {
    double bisection = infinity, expansion = infinity;
    if (proofs_.cuts) {
        if (!proofs_.cuts->bisection.side.empty()) {
            const auto [capacity, inside] = count(network_, proofs_.cuts->bisection);
            if (inside == half_ || inside == hosts_ - half_) bisection = capacity;
        }
        const auto [alpha_capacity, alpha_inside] = count(network_, proofs_.cuts->alpha);
        expansion = alpha_capacity / std::min(alpha_inside, hosts_ - alpha_inside);
        const auto [phi_capacity, phi_inside] = count(network_, proofs_.cuts->phi);
        sparsity_ = phi_capacity / (phi_inside * (hosts_ - phi_inside));
    }
    at_most("B", claims_.bisection.upper, bisection, "its cut, counted");
    at_most("α", claims_.alpha.upper, expansion, "its cut, counted");
    at_most("φ", claims_.phi.upper, sparsity_, "its cut, counted");
}

void Verifier::check_flow() {
    FlowCheck check(network_, stop_);
    const bool rounds = proofs_.flow.has_value();
    const std::vector<SpreadPart> parts = rounds ? proofs_.flow->parts : std::vector<SpreadPart>{{1, {{}, {}, true}}};
    std::vector<double> load(network_.edges.size());
    double distance = parts.empty() ? infinity : 0, shares = 0;
    for (const auto& [share, spread] : parts) {
        distance += check.send(spread, share, load);
        shares += share;
    }
    double fullest = 0, volume = 0;
    for (std::size_t e = 0; e < load.size(); ++e) {
        const double fullness = load[e] / (2 * network_.edges[e].capacity);
        if (!(fullness <= fullest)) fullest = std::isfinite(fullness) ? fullness : infinity;
    }
    constexpr double unbalanced = 1e-9;
    const bool whole = std::isfinite(distance) && check.imbalance() < unbalanced && fullest > 0;
    if (whole) flow_ = std::min(1.0, shares) / fullest;
    if (rounds && !proofs_.flow->arcs.empty()) flow_ = std::max(flow_, proven_flow(network_, proofs_.flow->arcs));
    const std::vector<double> length = rounds ? proofs_.flow->length : std::vector<double>{};
    std::vector<double> unused(load.size());
    const double total = check.send({length, {}}, 0, unused);
    for (std::size_t e = 0; e < load.size(); ++e) {
        volume += 2 * network_.edges[e].capacity * (length.empty() ? 1 : length[e]);
    }
    at_least("t", claims_.uniform_flow.lower, flow_, "its flow, sent again and balanced at every vertex");
    const double dual = std::isfinite(total) ? volume / total : infinity;
    at_most("t", claims_.uniform_flow.upper, std::min(dual, sparsity_),
            dual < sparsity_ ? "capacity over distance by its lengths" : "the cut of φ, counted");
}

/// The least cuts by size, found again in another way; nothing when that would take too long.
std::optional<std::vector<double>> Verifier::least_again(std::string& how) const {
    SweepLimits limits;
    limits.threads = threads_;
    limits.stop = stop_;
    SweepPlan plan = plan_sweep(network_, limits);
    constexpr int few_hosts = 24, few_hosts_with_switches = 14;
    if (network_.hosts <= (network_.switches == 0 ? few_hosts : few_hosts_with_switches)) {
        how = "every division of the nodes tried, switches by maximum flows";
        std::vector<double> least;
        for (const HostCut& cut : exhaustive_cuts(network_).by_size) least.push_back(cut.capacity);
        return least;
    }
    how = "searched by the same code in another order";
    if (!can_sweep(plan)) return std::nullopt;
    constexpr std::uint64_t other_seed = 99;
    plan.order = sweep_order(network_, std::max(1, plan.order.widest - 1), other_seed);
    return least_cuts(network_, plan, limits);
}

void Verifier::check_lower_ends_by_sizes() {
    require_length(proofs_.least.size(), static_cast<std::size_t>(half_), "list of least cuts");
    std::string how;
    double bisection = 0, expansion = 0, sparsity = 0;
    if (const auto least = least_again(how)) {
        bisection = least->back();
        const int expanding = size_of_least(*least, network_.hosts, expansion_of);
        const int sparse = size_of_least(*least, network_.hosts, sparsity_of);
        expansion = expansion_of((*least)[expanding - 1], expanding, hosts_);
        sparsity = sparsity_of((*least)[sparse - 1], sparse, hosts_);
    } else {
        how = "not worked out: the search takes too long (--budget gives more)";
    }
    at_least("B", claims_.bisection.lower, bisection, how);
    at_least("α", claims_.alpha.lower, expansion, how);
    at_least("φ", claims_.phi.lower, sparsity, how);
}

/// A proof of a lower end above a proven upper end is none.
void Verifier::require_lower_below_upper() {
    for (CheckedClaim& low : checked_) {
        for (const CheckedClaim& high : checked_) {
            const bool same_number = low.claim != high.claim && low.claim.substr(0, low.claim.find(' ')) ==
                                                                    high.claim.substr(0, high.claim.find(' '));
            if (!same_number || !low.claim.ends_with("≥") || low.proven <= high.proven * (1 + sharp)) continue;
            low.holds = false;
            low.how += ", which contradicts the upper end";
        }
    }
}

void Verifier::check_lower_ends() {
    if (!proofs_.least.empty()) return check_lower_ends_by_sizes();
    double phi = flow_;
    std::string how = "the flow t";
    if (proofs_.spectral > phi && network_.vertices() <= 3000 &&
        form_is_positive(network_, proofs_.spectral * (1 - sharp))) {
        phi = proofs_.spectral * (1 - sharp);
        how = "the quadratic form, factorised with pivoting";
    }
    const double unit = capacity_unit(network_).value_or(0);
    double expansion = infinity, sparsity = infinity;
    for (double size = 1; size <= half_; ++size) {
        const double pairs = size * (hosts_ - size);
        const double least = unit > 0 ? std::ceil(phi * pairs / unit * (1 - sharp)) * unit : phi * pairs;
        expansion = std::min(expansion, least / size);
        sparsity = std::min(sparsity, least / pairs);
    }
    const double pairs = half_ * (hosts_ - half_);
    at_least("B", claims_.bisection.lower, unit > 0 ? std::ceil(phi * pairs / unit * (1 - sharp)) * unit : phi * pairs,
             how);
    at_least("α", claims_.alpha.lower, expansion, how);
    at_least("φ", claims_.phi.lower, sparsity, how);
}

}  // namespace

std::vector<CheckedClaim> verify(const Certificate& certificate, int threads, const Stop& stop) {
    require_valid(certificate.network);
    if (certificate.network.hosts < 2) throw InputError("the certificate's network has fewer than two hosts");
    return Verifier(certificate, threads, stop).run();
}

}  // namespace narrows
