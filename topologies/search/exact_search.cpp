#include "topologies/search/exact_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "topologies/cut/gray_cuts.hpp"
#include "topologies/infinity.hpp"

namespace narrows {

std::optional<std::vector<double>> ExactSearch::run(const Network& network, const SweepLimits& limits) const {
    return gray ? gray_cuts(network, limits) : least_cuts(network, plan, limits);
}

std::string ExactSearch::method(const SweepLimits& limits) const {
    if (gray) return "exhaustive search in Gray code order";
    return fmt::format("dynamic programming over a path decomposition, width {}{}", plan.order.widest,
                       limits.host_transitive ? ", one node on a given side by symmetry" : "");
}

std::optional<ExactSearch> exact_search(const Network& network, const SweepLimits& limits, double most_work) {
    constexpr int most_vertices = 2000;
    if (network.vertices() > most_vertices || network.hosts < 2) return std::nullopt;
    const bool few = network.vertices() <= gray_vertex_limit && network.vertices() > 6;
    const double by_gray = few ? gray_work(network) : infinity;
    SweepPlan plan = plan_sweep(network, limits);
    const bool gray = by_gray < plan.work;
    if (std::min(plan.work, by_gray) > most_work || (!gray && !can_sweep(plan))) return std::nullopt;
    return ExactSearch{gray, std::move(plan)};
}

}  // namespace narrows
