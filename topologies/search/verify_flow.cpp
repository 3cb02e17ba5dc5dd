#include "topologies/search/verify_flow.hpp"

// clang-format off
#include "topologies/lemon.hpp"
#include <lemon/dijkstra.h>
#include <lemon/smart_graph.h>
// clang-format on

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "topologies/infinity.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

/// Sends flows over shortest paths by given lengths and weights.
class FlowCheck {
  public:
    FlowCheck(const Network& network, const Senders& senders, const Stop& stop)
        : network_(network), senders_(senders), stop_(stop), length_(graph_) {
        for (int v = 0; v < network.vertices(); ++v) graph_.addNode();
        for (const auto& edge : network.edges) {
            graph_.addEdge(graph_.nodeFromId(edge.u), graph_.nodeFromId(edge.v));
        }
    }

    /// Adds `share` times the loads of one unit from every sender to every host; returns Σ distance, infinite when some
    /// pair has no way or there is no time.
    double send(const Spread& spread, double share, std::vector<double>& load) {
        const std::size_t links = network_.edges.size();
        if (!spread.length.empty()) require_length(spread.length.size(), links, "list of lengths");
        if (!spread.weight.empty()) require_length(spread.weight.size(), links, "list of weights");
        for (std::size_t e = 0; e < links; ++e) {
            length_[graph_.edgeFromId(static_cast<int>(e))] = spread.length.empty() ? 1 : spread.length[e];
        }
        double distance = 0;
        for (const auto& [source, times] : senders_) {
            if (stop_()) return infinity;
            distance += times * send_from(source, spread, share * times, load);
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
    const Senders& senders_;
    const Stop& stop_;
    Graph graph_;
    Graph::EdgeMap<double> length_;
    double imbalance_ = 0;
};

}  // namespace

void require_length(std::size_t length, std::size_t wanted, const char* what) {
    if (length == wanted) return;
    throw InputError(fmt::format("the certificate's {} has {} entries instead of {}: it is not of this network", what,
                                 length, wanted));
}

SentFlow send_again(const Network& network, const std::vector<SpreadPart>& parts, const Senders& senders,
                    const Stop& stop) {
    FlowCheck check(network, senders, stop);
    SentFlow sent;
    sent.load.resize(network.edges.size());
    bool whole = !parts.empty();
    for (const auto& [share, spread] : parts) {
        sent.distance = check.send(spread, share, sent.load);
        whole = whole && std::isfinite(sent.distance);
    }
    constexpr double unbalanced = 1e-9;
    sent.balanced = whole && check.imbalance() < unbalanced;
    return sent;
}

}  // namespace narrows
