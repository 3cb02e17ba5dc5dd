#include "topologies/flow/weighted_spread.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <queue>
#include <stdexcept>
#include <thread>
#include <utility>

namespace narrows {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Paths that differ less are equally short: sums of a few lengths are rounded.
constexpr double tie = 1e-12;

}  // namespace

struct Spreader::Scratch {
    std::vector<double> distance;
    std::vector<double> share;  // sum over the shortest paths from the source of the products of weights
    std::vector<double> wanted;
    std::vector<int> order;
    SpreadLoads loads;
};

Spreader::Spreader(const Network& network, int threads)
    : network_(network), threads_(threads), first_(network.vertices() + 1) {
    if (threads < 1 || network.hosts < 2) throw std::logic_error("Spreader: no thread or no pair of hosts");
    for (const auto& edge : network.edges) {
        ++first_[edge.u + 1];
        ++first_[edge.v + 1];
    }
    for (int v = 0; v < network.vertices(); ++v) first_[v + 1] += first_[v];
    arcs_.resize(first_.back());
    std::vector<std::int64_t> next(first_.begin(), first_.end() - 1);
    for (int e = 0; e < static_cast<int>(network.edges.size()); ++e) {
        arcs_[next[network.edges[e].u]++] = {network.edges[e].v, e};
        arcs_[next[network.edges[e].v]++] = {network.edges[e].u, e};
    }
}

/// Distances from `source` and the vertices in their order; false when a host is out of reach.
bool Spreader::search(int source, const Spread& spread, Scratch& scratch) const {
    auto& [distance, share, wanted, order, loads] = scratch;
    distance.assign(network_.vertices(), infinity);
    distance[source] = 0;
    order.clear();
    if (spread.length.empty()) {
        order.push_back(source);
        for (std::size_t head = 0; head < order.size(); ++head) {
            const int v = order[head];
            for (std::int64_t i = first_[v]; i < first_[v + 1]; ++i) {
                if (distance[arcs_[i].to] < infinity) continue;
                distance[arcs_[i].to] = distance[v] + 1;
                order.push_back(arcs_[i].to);
            }
        }
    } else {
        using Reached = std::pair<double, int>;
        std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
        queue.push({0, source});
        while (!queue.empty()) {
            const auto [reached, v] = queue.top();
            queue.pop();
            if (reached > distance[v] || (!order.empty() && order.back() == v)) continue;
            order.push_back(v);
            for (std::int64_t i = first_[v]; i < first_[v + 1]; ++i) {
                const double there = reached + spread.length[arcs_[i].edge];
                if (there >= distance[arcs_[i].to]) continue;
                distance[arcs_[i].to] = there;
                queue.push({there, arcs_[i].to});
            }
        }
    }
    for (int host = 0; host < network_.hosts; ++host) {
        if (distance[host] == infinity) return false;
        loads.distance += distance[host];
    }
    return true;
}

/// Adds the loads of one unit from the source of the last search to every other host.
void Spreader::load(const Spread& spread, Scratch& scratch) const {
    auto& [distance, share, wanted, order, loads] = scratch;
    const auto length = [&](int edge) { return spread.length.empty() ? 1 : spread.length[edge]; };
    const auto weight = [&](int edge) { return spread.weight.empty() ? 1 : spread.weight[edge]; };
    const auto leads_to = [&](const Arc& back, int v) {
        return distance[back.to] < distance[v] && distance[back.to] + length(back.edge) <= distance[v] * (1 + tie);
    };
    share.assign(network_.vertices(), 0);
    share[order.front()] = 1;
    for (std::size_t i = 1; i < order.size(); ++i) {
        const int v = order[i];
        for (std::int64_t a = first_[v]; a < first_[v + 1]; ++a) {
            if (leads_to(arcs_[a], v)) share[v] += weight(arcs_[a].edge) * share[arcs_[a].to];
        }
    }
    wanted.assign(network_.vertices(), 0);
    std::fill(wanted.begin(), wanted.begin() + network_.hosts, 1);
    for (std::size_t i = order.size() - 1; i > 0; --i) {
        const int v = order[i];
        if (wanted[v] == 0) continue;
        const double each = wanted[v] / share[v];
        for (std::int64_t a = first_[v]; a < first_[v + 1]; ++a) {
            if (!leads_to(arcs_[a], v)) continue;
            const double sent = each * weight(arcs_[a].edge) * share[arcs_[a].to];
            loads.load[arcs_[a].edge] += sent;
            wanted[arcs_[a].to] += sent;
        }
    }
}

std::optional<SpreadLoads> Spreader::send(const Spread& spread, const Stop& stop) const {
    std::atomic<bool> stopped{false};
    std::vector<Scratch> scratch(threads_);
    const auto work = [&](int thread) {
        Scratch& own = scratch[thread];
        own.loads.load.assign(network_.edges.size(), 0);
        for (int source = thread; source < network_.hosts && !stopped; source += threads_) {
            if (!search(source, spread, own) || (thread == 0 && stop())) {
                stopped = true;
                break;
            }
            load(spread, own);
        }
    };
    std::vector<std::thread> helpers;
    for (int thread = 1; thread < threads_; ++thread) helpers.emplace_back(work, thread);
    work(0);
    for (auto& helper : helpers) helper.join();
    if (stopped) return std::nullopt;
    SpreadLoads total = std::move(scratch[0].loads);
    for (int thread = 1; thread < threads_; ++thread) {
        total.distance += scratch[thread].loads.distance;
        for (std::size_t e = 0; e < total.load.size(); ++e) total.load[e] += scratch[thread].loads.load[e];
    }
    return total;
}

}  // namespace narrows
