#include "calibrate/fit/least_squares.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <stdexcept>

// clang-format off
#include "topologies/eigen.hpp"
#include <Eigen/QR>
// clang-format on

namespace narrows {
namespace {

double student_quantile(int degrees_of_freedom) {
    constexpr double many = 1000;  // with deviations known beforehand the errors are normal
    const boost::math::students_t distribution(degrees_of_freedom > 0 ? degrees_of_freedom : many);
    return boost::math::quantile(distribution, 0.975);
}

}  // namespace

LinearFit least_squares(const std::vector<Observation>& observations) {
    if (observations.empty()) throw std::logic_error("a fit needs observations");
    const auto rows = static_cast<Eigen::Index>(observations.size());
    const auto columns = static_cast<Eigen::Index>(observations.front().factors.size());
    Eigen::MatrixXd factors(rows, columns);
    Eigen::VectorXd values(rows);
    for (Eigen::Index row = 0; row < rows; ++row) {
        const Observation& observation = observations[static_cast<std::size_t>(row)];
        if (observation.deviation <= 0) throw std::logic_error("a deviation must be above zero");
        for (Eigen::Index column = 0; column < columns; ++column) {
            factors(row, column) = observation.factors.at(static_cast<std::size_t>(column)) / observation.deviation;
        }
        values(row) = observation.value / observation.deviation;
    }
    LinearFit fit;
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> decomposition(factors);
    if (rows < columns || decomposition.rank() < columns) return fit;
    fit.determined = true;
    const Eigen::VectorXd solution = decomposition.solve(values);
    const Eigen::VectorXd residuals = values - factors * solution;
    fit.degrees_of_freedom = static_cast<int>(rows - columns);
    if (fit.degrees_of_freedom > 0) fit.misfit = std::sqrt(residuals.squaredNorm() / fit.degrees_of_freedom);
    // (A'A)^-1 = S S' with S = P R^-1 of the decomposition A P = Q R.
    const Eigen::MatrixXd root =
        decomposition.colsPermutation() * decomposition.matrixR()
                                              .topLeftCorner(columns, columns)
                                              .triangularView<Eigen::Upper>()
                                              .solve(Eigen::MatrixXd::Identity(columns, columns));
    const Eigen::MatrixXd covariance = root * root.transpose();
    const double widening = std::max(1.0, fit.misfit) * student_quantile(fit.degrees_of_freedom);
    for (Eigen::Index column = 0; column < columns; ++column) {
        const double deviation = std::sqrt(covariance(column, column));
        const double half = widening * deviation;
        fit.coefficients.push_back({solution(column), solution(column) - half, solution(column) + half});
        fit.correlations.emplace_back();
        for (Eigen::Index other = 0; other < columns; ++other) {
            const double scale = deviation * std::sqrt(covariance(other, other));
            fit.correlations.back().push_back(covariance(column, other) / scale);
        }
    }
    return fit;
}

}  // namespace narrows
