#include "topologies/search/partition.hpp"

#include <metis.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

// After <cstdio>, which it needs without including it.
#include <scotch.h>

#include "topologies/cut/least_cuts.hpp"

namespace narrows {
namespace {

/// A network in the compressed form that both libraries take; parallel links are added up, since METIS asks for it.
template <class Index>
struct Compressed {
    std::vector<Index> first;
    std::vector<Index> to;
    std::vector<Index> capacity;
    std::vector<Index> weight;
};

template <class Index>
Compressed<Index> compressed(const Network& network, Index host_weight, Index switch_weight) {
    const int n = network.vertices();
    if (network.edges.size() * 2 > static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
        throw std::logic_error("partition: too many links for 32-bit indices");
    }
    double least = std::numeric_limits<double>::infinity();
    for (const auto& edge : network.edges) least = std::min(least, edge.capacity);
    const double unit = capacity_unit(network).value_or(least / 1000);
    std::vector<std::vector<std::pair<Index, Index>>> near(n);
    for (const auto& [u, v, capacity] : network.edges) {
        const auto units = static_cast<Index>(std::clamp(std::round(capacity / unit), 1.0, 1e6));
        near[u].push_back({static_cast<Index>(v), units});
        near[v].push_back({static_cast<Index>(u), units});
    }
    Compressed<Index> graph;
    graph.first.push_back(0);
    for (auto& list : near) {
        std::ranges::sort(list);
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i > 0 && list[i].first == list[i - 1].first) {
                graph.capacity.back() += list[i].second;
                continue;
            }
            graph.to.push_back(list[i].first);
            graph.capacity.push_back(list[i].second);
        }
        list = {};
        graph.first.push_back(static_cast<Index>(graph.to.size()));
    }
    graph.weight.assign(n, switch_weight);
    std::fill(graph.weight.begin(), graph.weight.begin() + network.hosts, host_weight);
    return graph;
}

std::vector<char> sides_of(const std::vector<int>& parts) {
    std::vector<char> side(parts.size());
    std::transform(parts.begin(), parts.end(), side.begin(), [](int part) { return part == 0 ? 1 : 0; });
    return side;
}

}  // namespace

std::vector<char> metis_division(const Network& network, double fraction, std::uint32_t seed) {
    require_valid(network);
    auto graph = compressed<idx_t>(network, 1, 0);
    std::array<idx_t, METIS_NOPTIONS> options{};
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = static_cast<idx_t>(seed & 0x7fffffffU);
    options[METIS_OPTION_UFACTOR] = 1;
    std::array<real_t, 2> share{static_cast<real_t>(fraction), static_cast<real_t>(1 - fraction)};
    idx_t vertices = network.vertices(), constraints = 1, parts = 2, cut = 0;
    std::vector<idx_t> part(network.vertices());
    const int status = METIS_PartGraphRecursive(&vertices, &constraints, graph.first.data(), graph.to.data(),
                                                graph.weight.data(), nullptr, graph.capacity.data(), &parts,
                                                share.data(), nullptr, options.data(), &cut, part.data());
    if (status != METIS_OK) throw std::runtime_error("METIS could not divide the network");
    return sides_of(std::vector<int>(part.begin(), part.end()));
}

std::vector<char> scotch_halves(const Network& network, std::uint32_t seed) {
    require_valid(network);
    // Scotch wants positive weights; a switch then counts a thousandth of a host.
    auto graph = compressed<SCOTCH_Num>(network, network.switches == 0 ? 1 : 1000, 1);
    SCOTCH_Graph built;
    SCOTCH_Strat strategy;
    SCOTCH_graphInit(&built);
    SCOTCH_stratInit(&strategy);
    SCOTCH_randomSeed(static_cast<SCOTCH_Num>(seed & 0x7fffffffU));
    SCOTCH_randomReset();
    constexpr double imbalance = 1e-4;
    std::vector<SCOTCH_Num> part(network.vertices());
    const int failed = SCOTCH_graphBuild(&built, 0, network.vertices(), graph.first.data(), graph.first.data() + 1,
                                         graph.weight.data(), nullptr, static_cast<SCOTCH_Num>(graph.to.size()),
                                         graph.to.data(), graph.capacity.data()) != 0 ||
                       SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY, 2, imbalance) != 0 ||
                       SCOTCH_graphPart(&built, 2, &strategy, part.data()) != 0;
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&built);
    if (failed) throw std::runtime_error("Scotch could not divide the network");
    return sides_of(std::vector<int>(part.begin(), part.end()));
}

}  // namespace narrows
