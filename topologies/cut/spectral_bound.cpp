#include "topologies/cut/spectral_bound.hpp"

// clang-format off
#include "topologies/eigen.hpp"
#include <Eigen/Cholesky>
// clang-format on

#include <cmath>
#include <limits>

#include "topologies/cut/largest_eigenvalue.hpp"

namespace narrows {
namespace {

Eigen::MatrixXd laplacian(const Network& network) {
    const int n = network.vertices();
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    for (const auto& [u, v, capacity] : network.edges) {
        matrix(u, v) -= capacity;
        matrix(v, u) -= capacity;
        matrix(u, u) += capacity;
        matrix(v, v) += capacity;
    }
    return matrix;
}

/// λ₂/N of the Laplacian with the switches eliminated, as near as the solver comes.
std::optional<double> guess(const Network& network, const Stop& stop) {
    const int hosts = network.hosts;
    Eigen::MatrixXd lifted = laplacian(network);
    lifted.array() += lifted.diagonal().maxCoeff() / network.vertices();  // on vectors of zero sum it stays the same
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(lifted);
    if (factor.info() != Eigen::Success) return std::nullopt;
    const auto apply = [&](const Eigen::VectorXd& at_hosts) {
        Eigen::VectorXd all = Eigen::VectorXd::Zero(network.vertices());
        all.head(hosts) = at_hosts;
        factor.solveInPlace(all);
        Eigen::VectorXd seen = all.head(hosts);
        seen.array() -= seen.mean();
        return seen;
    };
    const double inverse = largest_eigenvalue(hosts, apply, stop);
    if (!(inverse > 0) || !std::isfinite(inverse)) return std::nullopt;
    return 1 / (inverse * hosts);
}

}  // namespace

bool proves_sparsity(const Network& network, double phi) {
    require_valid(network);
    if (network.vertices() > spectral_vertex_limit || network.hosts < 2) return false;
    const int n = network.vertices(), hosts = network.hosts;
    Eigen::MatrixXd matrix = laplacian(network);
    const double largest = matrix.diagonal().maxCoeff() + phi * hosts;
    const double lift = largest / n;  // τ: puts the constant vector, on which the form is zero, among the others
    matrix.array() += lift;
    matrix.topLeftCorner(hosts, hosts).array() += phi;
    matrix.diagonal().head(hosts).array() -= phi * hosts;
    // Rump's bound of the factorisation, γ(n+1)·trace, and that of the entries, each a sum of degree + 4 terms of at
    // most `largest`; both eight times, so that another factorisation with another order of rounding proves it as well.
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double trace = matrix.diagonal().cwiseAbs().sum();
    const double margin = 8 * epsilon * ((n + 2) * trace + (largest_degree(network) + 8.0) * n * largest);
    matrix.diagonal().array() -= margin;
    return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(matrix).info() == Eigen::Success;
}

std::optional<double> spectral_bound(const Network& network, const Stop& stop) {
    require_valid(network);
    if (network.vertices() > spectral_vertex_limit || network.hosts < 2) return std::nullopt;
    const std::optional<double> near = guess(network, stop);
    if (!near || *near <= 0) return std::nullopt;
    const bool costly = network.vertices() > 2000;  // a second or more a try
    for (double slack = costly ? 1e-9 : 1e-11; slack < 0.1 && !stop(); slack *= costly ? 100 : 10) {
        const double phi = *near * (1 - slack);
        if (proves_sparsity(network, phi)) return phi;
    }
    return std::nullopt;
}

}  // namespace narrows
