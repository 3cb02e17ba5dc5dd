#include "model/residual_surface.hpp"

#include <fmt/format.h>

#include <cmath>

#include "topologies/input_error.hpp"

// clang-format off
#include "topologies/eigen.hpp"
#include <Eigen/Cholesky>
// clang-format on

namespace narrows {
namespace {

double correlation(const MeasuredResiduals& measured, std::span<const double> a, std::span<const double> b) {
    double square = 0;
    for (std::size_t v = 0; v < measured.scales.size(); ++v) square += std::pow((a[v] - b[v]) / measured.scales[v], 2);
    const double distance = std::sqrt(3 * square);
    return (1 + distance) * std::exp(-distance);
}

}  // namespace

struct ResidualSurface::Solved {
    MeasuredResiduals measured;
    Eigen::LLT<Eigen::MatrixXd> covariance;
    Eigen::VectorXd weights;
    double misfit = 0;

    // How a point at these variables varies together with those measured.
    Eigen::VectorXd with_points(std::span<const double> variables) const {
        Eigen::VectorXd column(static_cast<Eigen::Index>(measured.points.size()));
        for (Eigen::Index i = 0; i < column.size(); ++i) {
            const auto& point = measured.points[static_cast<std::size_t>(i)];
            column[i] = measured.spread * measured.spread * correlation(measured, point.at, variables);
        }
        return column;
    }
};

ResidualSurface::ResidualSurface(MeasuredResiduals measured) {
    const bool positive = measured.spread > 0 && measured.noise > 0;
    bool scaled = !measured.points.empty();
    for (const double scale : measured.scales) scaled = scaled && scale > 0;
    for (const auto& point : measured.points) scaled = scaled && point.at.size() == measured.scales.size();
    if (!positive || !scaled) {
        throw InputError(
            fmt::format("the residuals of '{}' need points of as many variables as there are scales, and scales, "
                        "spread and noise above zero: calibrate anew",
                        measured.name));
    }
    auto solved = std::make_shared<Solved>();
    solved->measured = std::move(measured);
    const MeasuredResiduals& known = solved->measured;
    const auto count = static_cast<Eigen::Index>(known.points.size());
    Eigen::MatrixXd covariance(count, count);
    Eigen::VectorXd residuals(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const auto& point = known.points[static_cast<std::size_t>(i)];
        covariance.col(i) = solved->with_points(point.at);
        covariance(i, i) += known.noise * known.noise;
        residuals[i] = point.residual - known.mean;
    }
    solved->covariance.compute(covariance);
    solved->weights = solved->covariance.solve(residuals);
    solved->misfit = residuals.dot(solved->weights);
    solved_ = solved;
}

const MeasuredResiduals& ResidualSurface::measured() const {
    return solved_->measured;
}

Residual ResidualSurface::at(std::span<const double> variables) const {
    const MeasuredResiduals& known = solved_->measured;
    if (variables.size() != known.scales.size()) {
        throw InputError(fmt::format("the residuals of '{}' are of {} variables, not of the {} of this program: "
                                     "calibrate anew",
                                     known.name, known.scales.size(), variables.size()));
    }
    const Eigen::VectorXd together = solved_->with_points(variables);
    const double explained = together.dot(solved_->covariance.solve(together));
    const double variance = known.spread * known.spread + known.noise * known.noise - explained;
    return {known.mean + together.dot(solved_->weights), std::sqrt(std::max(variance, known.noise * known.noise))};
}

std::vector<Residual> ResidualSurface::held_out() const {
    const auto count = static_cast<Eigen::Index>(solved_->measured.points.size());
    const Eigen::MatrixXd inverse = solved_->covariance.solve(Eigen::MatrixXd::Identity(count, count));
    std::vector<Residual> found;
    for (Eigen::Index i = 0; i < count; ++i) {
        const double residual = solved_->measured.points[static_cast<std::size_t>(i)].residual;
        found.push_back({residual - solved_->weights[i] / inverse(i, i), 1 / std::sqrt(inverse(i, i))});
    }
    return found;
}

double ResidualSurface::log_likelihood() const {
    const Eigen::MatrixXd root = solved_->covariance.matrixL();
    return -0.5 * solved_->misfit - root.diagonal().array().log().sum();
}

}  // namespace narrows
