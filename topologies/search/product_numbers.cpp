#include "topologies/search/product_numbers.hpp"

#include <fmt/format.h>

#include <cmath>

#include "topologies/infinity.hpp"
#include "topologies/product.hpp"
#include "topologies/topology.hpp"

namespace narrows {
namespace {

NetworkNumbers numbers_of_grid(const std::string& spec, double capacity) {
    const Topology grid = parse_topology(spec);
    const auto scaled = [&](Bracket bracket) {
        bracket.lower *= capacity;
        bracket.upper *= capacity;
        bracket.method = "recognised as " + spec + ", closed form";
        if (capacity != 1) bracket.certificate += fmt::format("; links of capacity {:.6g}", capacity);
        return bracket;
    };
    return {scaled(grid.bisection()), scaled(grid.alpha()), scaled(grid.phi()), scaled(grid.uniform_flow())};
}

Bracket scaled(const Bracket& of_factor, double share, int index, int size) {
    return {of_factor.lower * share, of_factor.upper * share, "Cartesian product",
            fmt::format("of factor {} ({} nodes): {}", index + 1, size, of_factor.certificate)};
}

void take_least(Bracket& least, const Bracket& other) {
    if (other.upper < least.upper) {
        least.certificate = other.certificate;
        least.method = other.method;
    }
    least.lower = std::min(least.lower, other.lower);
    least.upper = std::min(least.upper, other.upper);
}

}  // namespace

std::optional<ProductNumbers> product_numbers(const Network& network, const AnalysisOptions& options) {
    const std::vector<Network> factors = cartesian_factors(network, options.stop);
    if (factors.empty()) return std::nullopt;
    const std::string spec = grid_spec(factors);
    if (!spec.empty()) return ProductNumbers{numbers_of_grid(spec, factors.front().edges.front().capacity), spec};
    const Bracket nothing{infinity, infinity, "", ""};
    NetworkNumbers found{{0, infinity, "Cartesian product", ""}, nothing, nothing, nothing};
    const double nodes = network.hosts;
    AnalysisOptions of_factors = options;
    of_factors.names.clear();
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const int size = factors[i].hosts;
        const NetworkNumbers unknown{
            {0, infinity, "", ""}, {0, infinity, "", ""}, {0, infinity, "", ""}, {0, infinity, "", ""}};
        const NetworkNumbers of_factor = analyse(factors[i], unknown, of_factors).numbers;
        const int index = static_cast<int>(i);
        take_least(found.alpha, scaled(of_factor.alpha, 1, index, size));
        take_least(found.phi, scaled(of_factor.phi, size / nodes, index, size));
        take_least(found.uniform_flow, scaled(of_factor.uniform_flow, size / nodes, index, size));
    }
    found.alpha.lower = std::min(found.phi.lower * nodes / 2, found.alpha.upper);
    found.bisection.lower = cut_floor(found.phi.lower, std::floor(nodes / 2), nodes, 0);
    return ProductNumbers{found, ""};
}

}  // namespace narrows
