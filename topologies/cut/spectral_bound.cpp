#include "topologies/cut/spectral_bound.hpp"

// clang-format off
#include "topologies/eigen.hpp"
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
// clang-format on

#include <algorithm>
#include <cmath>
#include <limits>

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
std::optional<double> guess(const Network& network) {
    const int hosts = network.hosts;
    const Eigen::MatrixXd all = laplacian(network);
    Eigen::MatrixXd seen = all.topLeftCorner(hosts, hosts);
    if (network.switches > 0) {
        const Eigen::MatrixXd inner = all.bottomRightCorner(network.switches, network.switches);
        const Eigen::LLT<Eigen::MatrixXd> factor(inner);
        if (factor.info() != Eigen::Success) return std::nullopt;
        const Eigen::MatrixXd across = all.bottomLeftCorner(network.switches, hosts);
        const Eigen::MatrixXd solved = factor.solve(across);
        seen.noalias() -= across.transpose() * solved;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(seen, Eigen::EigenvaluesOnly);
    if (solver.info() != Eigen::Success) return std::nullopt;
    return solver.eigenvalues()(1) / hosts;
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

std::optional<double> spectral_bound(const Network& network) {
    require_valid(network);
    if (network.vertices() > spectral_vertex_limit || network.hosts < 2) return std::nullopt;
    const std::optional<double> near = guess(network);
    if (!near || *near <= 0) return std::nullopt;
    for (double slack = 1e-11; slack < 0.1; slack *= 10) {
        const double phi = *near * (1 - slack);
        if (proves_sparsity(network, phi)) return phi;
    }
    return std::nullopt;
}

}  // namespace narrows
