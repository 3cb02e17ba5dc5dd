#include "topologies/cut/largest_eigenvalue.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace narrows {
namespace {

/// The same for the same size: no vector of use is orthogonal to it but by chance.
Eigen::VectorXd any_vector(int size) {
    Eigen::VectorXd vector(size);
    std::uint64_t state = 1;
    for (int i = 0; i < size; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        vector[i] = static_cast<double>(state >> 33) * 0x1p-31 - 0.5;
    }
    vector.array() -= vector.mean();
    return vector.normalized();
}

double largest_of_tridiagonal(std::vector<double> diagonal, std::vector<double> beside) {
    beside.resize(diagonal.size() - 1);
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(Eigen::Map<Eigen::VectorXd>(diagonal.data(), std::ssize(diagonal)),
                                  Eigen::Map<Eigen::VectorXd>(beside.data(), std::ssize(beside)),
                                  Eigen::EigenvaluesOnly);
    return solver.info() == Eigen::Success ? solver.eigenvalues().maxCoeff() : 0;
}

}  // namespace

double largest_eigenvalue(int size, const SymmetricOperator& apply, const Stop& stop) {
    const int most_steps = std::min(100, size - 1);
    std::vector<Eigen::VectorXd> basis{any_vector(size)};
    std::vector<double> diagonal, beside;
    while (!stop()) {
        Eigen::VectorXd next = apply(basis.back());
        diagonal.push_back(basis.back().dot(next));
        for (int pass = 0; pass < 2; ++pass) {
            for (const auto& known : basis) next -= known.dot(next) * known;
            next.array() -= next.mean();  // rounding brings the constant vector back, on which the operator is another
        }
        const double length = next.norm();
        if (std::ssize(diagonal) >= most_steps || !(length > 1e-10 * diagonal.front())) break;
        beside.push_back(length);
        basis.emplace_back(next / length);
    }
    return diagonal.empty() ? 0 : largest_of_tridiagonal(std::move(diagonal), std::move(beside));
}

}  // namespace narrows
