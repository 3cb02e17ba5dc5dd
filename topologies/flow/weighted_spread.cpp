#include "topologies/flow/weighted_spread.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "topologies/distance.hpp"
#include "topologies/infinity.hpp"
#include "topologies/threads.hpp"

namespace narrows {
namespace {

/// Paths that differ less are equally short: sums of a few lengths are rounded.
constexpr double tie = 1e-12;

}  // namespace

struct Spreader::Scratch {
    std::vector<double> distance;
    std::vector<int> rank;      // of a vertex in `order`
    std::vector<double> share;  // sum over the shortest paths from the source of the products of weights; 1 by hop
    std::vector<double> wanted;
    std::vector<int> order;
    SpreadLoads loads;
};

Spreader::Spreader(const Network& network, int threads, const Orbits* orbits)
    : network_(network), threads_(threads), orbits_(orbits), arcs_(network) {
    if (threads < 1 || network.hosts < 2) throw std::logic_error("Spreader: no thread or no pair of hosts");
}

void Spreader::search_by_hops(int source, Scratch& scratch) const {
    auto& [distance, rank, share, wanted, order, loads] = scratch;
    order.push_back(source);
    for (std::size_t head = 0; head < order.size(); ++head) {
        const int v = order[head];
        for (int arc = arcs_.first[v]; arc < arcs_.first[v + 1]; ++arc) {
            const int other = arcs_.target[arc];
            if (distance[other] < infinity) continue;
            distance[other] = distance[v] + 1;
            order.push_back(other);
        }
    }
}

/// Distances from `source` and the vertices in their order; false when a host is out of reach.
bool Spreader::search(int source, double times, const Spread& spread, Scratch& scratch) const {
    scratch.distance.assign(network_.vertices(), infinity);
    scratch.distance[source] = 0;
    scratch.order.clear();
    if (spread.length.empty()) {
        search_by_hops(source, scratch);
    } else {
        search_by_length(arcs_, spread.length, source, scratch.distance, scratch.order, [](int, int) {});
    }
    for (int host = 0; host < network_.hosts; ++host) {
        if (scratch.distance[host] == infinity) return false;
        scratch.loads.distance += times * scratch.distance[host];
    }
    return true;
}

/// Calls `visit(from, edge, weight)` for every last link of a shortest path to `v`.
template <class Visit>
void Spreader::last_links(int v, const Spread& spread, const Scratch& scratch, Visit visit) const {
    for (int arc = arcs_.first[v]; arc < arcs_.first[v + 1]; ++arc) {
        const int from = arcs_.target[arc], edge = arcs_.edge[arc];
        const double length = spread.length.empty() ? 1 : spread.length[edge];
        const bool before = scratch.rank[from] < scratch.rank[v];
        if (!before || scratch.distance[from] + length > scratch.distance[v] * (1 + tie)) continue;
        visit(from, edge, spread.weight.empty() ? 1 : spread.weight[edge]);
    }
}

/// Adds the loads of `times` units from the source of the last search to every other host.
void Spreader::load(double times, const Spread& spread, Scratch& scratch) const {
    auto& [distance, rank, share, wanted, order, loads] = scratch;
    rank.assign(network_.vertices(), network_.vertices());
    for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<int>(i);
    share.assign(network_.vertices(), 1);
    for (std::size_t i = 1; i < order.size() && !spread.by_hop; ++i) {
        double paths = 0;
        last_links(order[i], spread, scratch,
                   [&paths, &scratch](int from, int, double weight) { paths += weight * scratch.share[from]; });
        share[order[i]] = paths;
    }
    wanted.assign(network_.vertices(), 0);
    std::fill(wanted.begin(), wanted.begin() + network_.hosts, times);
    for (std::size_t i = order.size() - 1; i > 0; --i) {
        const int v = order[i];
        if (wanted[v] == 0) continue;
        double shares = 0;
        last_links(v, spread, scratch,
                   [&shares, &scratch](int from, int, double weight) { shares += weight * scratch.share[from]; });
        const double each = wanted[v] / shares;
        last_links(v, spread, scratch, [each, &scratch](int from, int edge, double weight) {
            const double sent = each * weight * scratch.share[from];
            scratch.loads.load[edge] += sent;
            scratch.wanted[from] += sent;
        });
    }
    constexpr double rounding = 1e-9;
    const double sent = times * network_.hosts;
    if (!(std::abs(wanted[order.front()] - sent) < rounding * sent)) loads.complete = false;
}

std::optional<SpreadLoads> Spreader::send(const Spread& spread, const Stop& stop) const {
    std::atomic<bool> stopped{false};
    std::vector<Scratch> scratch(threads_);
    const int sources = orbits_ != nullptr ? static_cast<int>(orbits_->host.size()) : network_.hosts;
    const auto work = [&](int thread) {
        Scratch& own = scratch[thread];
        own.loads.load.assign(network_.edges.size(), 0);
        for (int i = thread; i < sources && !stopped; i += threads_) {
            const int source = orbits_ != nullptr ? orbits_->host[i] : i;
            const double times = orbits_ != nullptr ? orbits_->hosts[i] : 1;
            if (!search(source, times, spread, own) || (thread == 0 && stop())) {
                stopped = true;
                break;
            }
            load(times, spread, own);
        }
    };
    run_on(threads_, work);
    if (stopped) return std::nullopt;
    SpreadLoads total = std::move(scratch[0].loads);
    for (int thread = 1; thread < threads_; ++thread) {
        total.distance += scratch[thread].loads.distance;
        total.complete = total.complete && scratch[thread].loads.complete;
        for (std::size_t e = 0; e < total.load.size(); ++e) total.load[e] += scratch[thread].loads.load[e];
    }
    if (orbits_ != nullptr) even_out_orbits(*orbits_, total.load);
    return total;
}

}  // namespace narrows
