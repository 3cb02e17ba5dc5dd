#include "calibrate/fit/time_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// clang-format off
#include "topologies/eigen.hpp"
#include <Eigen/Cholesky>
#include <unsupported/Eigen/NonLinearOptimization>
// clang-format on

namespace narrows {
namespace {

using Ties = std::vector<std::pair<std::size_t, std::size_t>>;

// Of the logarithm of a cost from where the search starts: so wide that it moves none that times tell.
constexpr double deviation_of_start = 1e4;

// Root and slope of rho: its sum is one of squares.
double root_of_loss(double z) {
    return z * std::sqrt(2 / (1 + std::sqrt(1 + z * z)));
}

double slope_of_root(double z) {
    const double far = std::sqrt(1 + z * z);
    return std::sqrt((1 + far) / 2) / far;
}

// What is minimised, as Eigen asks for it: over the logarithms of the costs.
class Misfits {
  public:
    using Scalar = double;
    using InputType = Eigen::VectorXd;
    using ValueType = Eigen::VectorXd;
    using JacobianType = Eigen::MatrixXd;
    enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

    Misfits(const std::vector<TimedCosts>& times, const Ties& ties) : times_(times), ties_(ties) {
        const auto costs = static_cast<Eigen::Index>(times.front().factors.size());
        factors_.resize(static_cast<Eigen::Index>(times.size()), costs);
        for (std::size_t row = 0; row < times.size(); ++row) {
            factors_.row(static_cast<Eigen::Index>(row)) =
                Eigen::Map<const Eigen::RowVectorXd>(times[row].factors.data(), costs);
        }
        start_ = first_guess();
    }

    const Eigen::VectorXd& start() const { return start_; }
    int inputs() const { return static_cast<int>(factors_.cols()); }
    int values() const { return static_cast<int>(factors_.rows()) + static_cast<int>(ties_.size()) + inputs(); }

    int operator()(const Eigen::VectorXd& logs, Eigen::VectorXd& misfits) const {
        misfits.resize(values());
        const Eigen::VectorXd costs = logs.array().exp();
        for (Eigen::Index row = 0; row < factors_.rows(); ++row) misfits(row) = root_of_loss(misfit(row, costs));
        Eigen::Index row = factors_.rows();
        for (const auto& [one, other] : ties_) misfits(row++) = logs(index(one)) - logs(index(other));
        misfits.tail(inputs()) = (logs - start_) / deviation_of_start;
        return 0;
    }

    int df(const Eigen::VectorXd& logs, Eigen::MatrixXd& slopes) const {
        slopes.setZero(values(), inputs());
        const Eigen::VectorXd costs = logs.array().exp();
        for (Eigen::Index row = 0; row < factors_.rows(); ++row) {
            const TimedCosts& of_row = times_[static_cast<std::size_t>(row)];
            const double predicted = of_row.known + factors_.row(row).dot(costs);
            slopes.row(row) = factors_.row(row).cwiseProduct(costs.transpose()) *
                              (slope_of_root(misfit(row, costs)) / predicted / of_row.deviation);
        }
        Eigen::Index row = factors_.rows();
        for (const auto& [one, other] : ties_) {
            slopes(row, index(one)) = 1;
            slopes(row++, index(other)) = -1;
        }
        slopes.bottomRows(inputs()).diagonal().setConstant(1 / deviation_of_start);
        return 0;
    }

    // Of times and ties, by the degrees of freedom.
    double mean_square(const Eigen::VectorXd& logs) const {
        Eigen::VectorXd misfits;
        (*this)(logs, misfits);
        const auto free = static_cast<double>(factors_.rows() + static_cast<Eigen::Index>(ties_.size()) - inputs());
        return misfits.head(values() - inputs()).squaredNorm() / std::max(1.0, free);
    }

  private:
    static Eigen::Index index(std::size_t number) { return static_cast<Eigen::Index>(number); }

    double misfit(Eigen::Index row, const Eigen::VectorXd& costs) const {
        const TimedCosts& of_row = times_[static_cast<std::size_t>(row)];
        return std::log((of_row.known + factors_.row(row).dot(costs)) / of_row.time) / of_row.deviation;
    }

    // A third of what a cost is at most if no time is exceeded; that of the others where no time has it.
    Eigen::VectorXd first_guess() const {
        constexpr double unknown = std::numeric_limits<double>::infinity();
        Eigen::VectorXd most = Eigen::VectorXd::Constant(factors_.cols(), unknown);
        for (Eigen::Index row = 0; row < factors_.rows(); ++row) {
            for (Eigen::Index cost = 0; cost < factors_.cols(); ++cost) {
                const double time = times_[static_cast<std::size_t>(row)].time / 3;
                if (factors_(row, cost) > 0) most(cost) = std::min(most(cost), time / factors_(row, cost));
            }
        }
        const double least = most.minCoeff();
        return most.unaryExpr([least](double each) { return std::log(std::isinf(each) ? least : each); });
    }

    const std::vector<TimedCosts>& times_;
    const Ties& ties_;
    Eigen::MatrixXd factors_;
    Eigen::VectorXd start_;
};

}  // namespace

TimeFit fit_times(const std::vector<TimedCosts>& times, const Ties& ties) {
    TimeFit fit;
    if (times.empty() || times.size() + ties.size() < times.front().factors.size()) return fit;
    Misfits misfits(times, ties);
    Eigen::VectorXd logs = misfits.start();
    Eigen::LevenbergMarquardt<Misfits> search(misfits);
    constexpr double exactly = 1e-12;
    search.parameters.xtol = search.parameters.ftol = exactly;
    const auto end = search.minimize(logs);
    if (end == Eigen::LevenbergMarquardtSpace::ImproperInputParameters || !logs.allFinite()) return fit;
    Eigen::MatrixXd slopes;
    misfits.df(logs, slopes);
    const auto costs = slopes.cols();
    // A cost near zero may be anything up to what times allow, whatever its logarithm does.
    slopes.bottomRows(costs).diagonal() = (logs - misfits.start()).array().exp() / deviation_of_start;
    const Eigen::MatrixXd covariance =
        (slopes.transpose() * slopes).ldlt().solve(Eigen::MatrixXd::Identity(costs, costs)) *
        std::max(1.0, misfits.mean_square(logs));
    for (Eigen::Index cost = 0; cost < costs; ++cost) {
        constexpr double of_normal = 1.96;
        const double value = std::exp(logs(cost));
        const double half = of_normal * std::sqrt(covariance(cost, cost)) * value;
        fit.costs.push_back({value, value - half, value + half});
        const Eigen::VectorXd row =
            covariance.col(cost).array() / (covariance.diagonal().array() * covariance(cost, cost)).sqrt();
        fit.correlations.emplace_back(row.begin(), row.end());
    }
    return fit;
}

}  // namespace narrows
