#include "tests/cluster/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "tests/cluster/namespaces.hpp"

namespace narrows::cluster {
namespace {

/// Bytes that each device of this process's network has sent. Not from /sys, which is that of the mount.
std::map<std::string, double> sent_bytes() {
    std::ifstream file("/proc/self/net/dev");
    std::map<std::string, double> sent;
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        std::istringstream name(line.substr(0, colon));
        std::istringstream numbers(line.substr(colon + 1));
        std::string device;
        name >> device;
        double value = 0;
        constexpr int place_of_sent = 9;  // after eight numbers of what was received
        for (int i = 0; i < place_of_sent; ++i) numbers >> value;
        sent[device] = value;
    }
    return sent;
}

double total(const LinkLoads& loads) {
    return std::accumulate(loads.forward.begin(), loads.forward.end(), 0.0) +
           std::accumulate(loads.backward.begin(), loads.backward.end(), 0.0);
}

}  // namespace

LinkLoads link_counters(const Bed& bed) {
    const Network& network = bed.network();
    const Adjacency arcs(network);
    LinkLoads counters = no_loads(network);
    const NetworkVisit visit;
    for (int v = 0; v < network.vertices(); ++v) {
        visit.enter(bed.namespace_of(v));
        const auto sent = sent_bytes();
        for (int arc = arcs.first[v]; arc < arcs.first[v + 1]; ++arc) {
            const int edge = arcs.edge[arc];
            const auto found = sent.find(fmt::format("e{}", edge));
            if (found == sent.end())
                throw std::runtime_error(fmt::format("{} has lost link e{}", bed.host_name(v), edge));
            (network.edges[edge].u == v ? counters.forward : counters.backward)[edge] = found->second;
        }
    }
    return counters;
}

LinkLoads sent_between(const LinkLoads& before, const LinkLoads& after) {
    LinkLoads sent = after;
    for (std::size_t i = 0; i < sent.forward.size(); ++i) {
        sent.forward[i] -= before.forward[i];
        sent.backward[i] -= before.backward[i];
    }
    return sent;
}

Traffic with_acknowledgements(const Traffic& traffic) {
    constexpr double share = 66.0 / 2 / 1514;
    Traffic both = traffic;
    both.each *= 1 + share;
    for (const Demand& demand : traffic.demands) {
        both.demands.push_back({demand.target, demand.source, demand.amount * share});
    }
    return both;
}

Comparison compare(const Bed& bed, const Traffic& traffic, double bytes, const LinkLoads& sent) {
    const Network& network = bed.network();
    const LinkLoads loads = bed.loads(with_acknowledgements(traffic));
    if (total(loads) <= 0) throw std::logic_error("compare: nothing is sent");
    Comparison result;
    const double unit = total(sent) / total(loads);
    result.scale = unit / bytes * total(loads) / total(bed.loads(traffic));
    const LinkLoad fullest = hottest_links(network, loads, 1).front();
    result.fullest = unit * fullest.load;
    result.bound = unit * fullest.share / bed.bytes_a_second;
    for (std::size_t i = 0; i < network.edges.size(); ++i) {
        const std::string u = bed.host_name(network.edges[i].u);
        const std::string v = bed.host_name(network.edges[i].v);
        result.rows.push_back({u, v, unit * loads.forward[i], sent.forward[i]});
        result.rows.push_back({v, u, unit * loads.backward[i], sent.backward[i]});
    }
    for (const LinkRow& row : result.rows) {
        result.worst = std::max(result.worst, std::abs(row.measured - row.predicted) / result.fullest);
    }
    return result;
}

}  // namespace narrows::cluster
