#include "model/residual_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <mutex>
#include <utility>

#include "model/unit.hpp"
#include "topologies/input_error.hpp"

// clang-format off
#include "topologies/eigen.hpp"
#include <Eigen/Cholesky>
// clang-format on

namespace narrows {
namespace {

std::size_t variables_without_state(const MeasuredResiduals& measured) {
    return measured.scales.size() - (measured.states.empty() ? 0 : measured.states.front().size());
}

// The covariance of two points by their places, in two parts, and s^2 exp(-sqrt(3) d) of each, which is a factor of the
// slopes along scales.
struct Covariance {
    double of_all = 0, shared = 0;
    double falling = 0, shared_falling = 0;
};

Covariance covariance(const MeasuredResiduals& measured, std::span<const double> a, std::span<const double> b) {
    const std::size_t own = variables_without_state(measured);
    double square = 0, without_state = 0;
    for (std::size_t v = 0; v < measured.scales.size(); ++v) {
        square += std::pow((a[v] - b[v]) / measured.scales[v], 2);
        if (v + 1 == own) without_state = square;
    }
    const auto part = [](double spread, double of_square, double& of_part, double& falling) {
        if (spread == 0) return;
        const double distance = std::sqrt(3 * of_square);
        falling = spread * spread * std::exp(-distance);
        of_part = (1 + distance) * falling;
    };
    Covariance found;
    part(measured.spread, square, found.of_all, found.falling);
    part(measured.shared_spread, without_state, found.shared, found.shared_falling);
    return found;
}

// The value that a run is below with this probability, when it is of one normal distribution as likely as of another.
double quantile_of(std::span<const Residual> mixture, double probability) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    constexpr double far = 8;  // deviations
    for (const Residual& each : mixture) {
        low = std::min(low, each.value - far * each.deviation);
        high = std::max(high, each.value + far * each.deviation);
    }
    for (int halving = 0; halving < 50; ++halving) {
        const double middle = low + (high - low) / 2;
        double below = 0;
        for (const Residual& each : mixture) {
            below += std::erfc((each.value - middle) / (std::sqrt(2.0) * each.deviation)) / 2;
        }
        (below < probability * static_cast<double>(mixture.size()) ? low : high) = middle;
    }
    return low;
}

std::string axis_text(const ResidualAxis& axis, double value) {
    const double amount = axis.logarithmic ? std::exp(value) : value;
    return axis.is_size ? print(bytes(amount)) : fmt::format("{:.3g}", amount);
}

}  // namespace

std::vector<double> usual_state(const std::vector<std::vector<double>>& states) {
    std::vector<std::vector<double>> most;
    for (const std::vector<double>& one : states) {
        std::vector<std::vector<double>> alike;
        std::copy_if(states.begin(), states.end(), std::back_inserter(alike), [&one](const std::vector<double>& other) {
            return std::abs(one.front() - other.front()) < std::log(alike_distance);
        });
        if (alike.size() >= most.size()) most = std::move(alike);
    }
    std::vector<double> usual;
    for (std::size_t v = 0; v < (most.empty() ? 0 : most.front().size()); ++v) {
        const auto middle = most.begin() + static_cast<std::ptrdiff_t>(most.size() / 2);
        std::nth_element(most.begin(), middle, most.end(),
                         [v](const std::vector<double>& a, const std::vector<double>& b) { return a[v] < b[v]; });
        usual.push_back((*middle)[v]);
    }
    return usual;
}

std::vector<std::vector<double>> states_like(const std::vector<std::vector<double>>& states,
                                             std::span<const double> state) {
    std::vector<std::vector<double>> near;
    std::copy_if(states.begin(), states.end(), std::back_inserter(near), [state](const std::vector<double>& one) {
        return std::abs(one.front() - state.front()) < std::log(alike_distance);
    });
    const bool is_new = near.empty();
    if (is_new) near = states;
    std::vector<std::vector<double>> alike;
    std::copy_if(near.begin(), near.end(), std::back_inserter(alike), [state](const std::vector<double>& one) {
        return std::min(one.size(), state.size()) > 1 && std::abs(one[1] - state[1]) < std::log(alike_work);
    });
    if (!alike.empty()) near = std::move(alike);
    if (!is_new || states.empty()) return near;
    for (std::vector<double>& one : near) one.front() = state.front();
    return {usual_state(near)};
}

std::function<double(std::span<const double>)> model_in_states(const std::vector<std::vector<double>>& states,
                                                               double usual,
                                                               const std::function<double(double)>& time_in) {
    if (states.empty()) return {};
    const auto [near, far] = std::minmax_element(states.begin(), states.end());
    const double least = std::exp(near->front());
    const double range = std::exp(far->front()) - least;
    const double at_least = time_in(least) / usual;
    const double more = range > 0 ? time_in(least + range) / usual - at_least : 0;
    return [=](std::span<const double> state) {
        return std::log(at_least + (range > 0 ? more * (std::exp(state.front()) - least) / range : 0));
    };
}

struct ResidualSurface::Solved {
    /// Made when it is first needed: of the surfaces of a machine a prediction needs few.
    struct Factor {
        std::once_flag made;
        Eigen::LLT<Eigen::MatrixXd> covariance;
        Eigen::VectorXd weights;
        double misfit = 0;
    };

    MeasuredResiduals measured;
    std::shared_ptr<Factor> shared_factor = std::make_shared<Factor>();  ///< the same in all states
    std::vector<double> means;                                           ///< of each variable
    std::vector<double> deviations;                                      ///< 1 of a variable that does not vary
    std::vector<double> slope_variances;                                 ///< along each variable
    std::vector<double> least;                                           ///< of each variable
    std::vector<double> most;
    std::vector<double> usual_state;  ///< that predictions are of

    // How far a variable lies outside of what was measured, over the range of that; 0 inside, and a tenth of it around.
    // Of one that was hardly varied a factor of some two is as far.
    double excess(std::size_t v, double value) const {
        constexpr double around = 0.1;
        constexpr double least_range = 0.5;
        const double range = std::max(most[v] - least[v], least_range);
        return std::max({0.0, (least[v] - value) / range - around, (value - most[v]) / range - around});
    }

    // How a point at these variables varies together with those measured, from one of those on.
    Eigen::VectorXd with_points(std::span<const double> variables, std::size_t from = 0) const {
        Eigen::VectorXd column(static_cast<Eigen::Index>(measured.points.size() - from));
        for (Eigen::Index i = 0; i < column.size(); ++i) {
            column[i] = together(measured.points[from + static_cast<std::size_t>(i)].at, variables);
        }
        return column;
    }

    // What is expected at a point before any is measured.
    double expected(std::span<const double> variables) const {
        if (measured.states.empty()) return measured.mean;
        const std::size_t distance = variables.size() - measured.states.front().size();
        return measured.mean + measured.by_distance * (variables[distance] - means[distance]);
    }

    // The standard deviation of the slope along a variable. Long messages take less of the distance of cores than the
    // mean has, short ones more.
    double slope_deviation(std::size_t v) const {
        constexpr double of_mean_slope = 1.0 / 3;
        const double own = is_distance(v) ? of_mean_slope * measured.by_distance : 0;
        return std::max(own, measured.trend / deviations[v]);
    }
    bool is_distance(std::size_t v) const {
        return !measured.states.empty() && v + measured.states.front().size() == measured.scales.size();
    }

    const Factor& factor() const {
        std::call_once(shared_factor->made, [this] {
            const auto count = static_cast<Eigen::Index>(measured.points.size());
            Eigen::MatrixXd covariance(count, count);  // its lower half, which is all that is read
            Eigen::VectorXd residuals(count);
            for (Eigen::Index i = 0; i < count; ++i) {
                const auto& point = measured.points[static_cast<std::size_t>(i)];
                covariance.col(i).tail(count - i) = with_points(point.at, static_cast<std::size_t>(i));
                covariance(i, i) += measured.noise * measured.noise;
                residuals[i] = point.residual - expected(point.at);
            }
            shared_factor->covariance.compute(covariance);
            shared_factor->weights = shared_factor->covariance.solve(residuals);
            shared_factor->misfit = residuals.dot(shared_factor->weights);
        });
        return *shared_factor;
    }

    // The covariance of two points.
    double together(std::span<const double> a, std::span<const double> b) const {
        double along = 0;
        for (std::size_t v = 0; v < a.size(); ++v) along += slope_variances[v] * (a[v] - means[v]) * (b[v] - means[v]);
        const Covariance by_place = covariance(measured, a, b);
        return by_place.of_all + by_place.shared + along;
    }
};

ResidualSurface::ResidualSurface(MeasuredResiduals measured) {
    const bool positive =
        measured.spread > 0 && measured.noise > 0 && measured.trend >= 0 && measured.shared_spread >= 0;
    bool scaled = !measured.points.empty();
    for (const double scale : measured.scales) scaled = scaled && scale > 0;
    for (const auto& point : measured.points) scaled = scaled && point.at.size() == measured.scales.size();
    for (const auto& state : measured.states) {
        const bool alike = state.size() == measured.states.front().size();
        scaled = scaled && alike && !state.empty() && state.size() <= measured.scales.size();
    }
    if (!positive || !scaled) {
        throw InputError(
            fmt::format("the residuals of '{}' need points of as many variables as there are scales, and scales, "
                        "spread and noise above zero: calibrate anew",
                        measured.name));
    }
    auto solved = std::make_shared<Solved>();
    solved->measured = std::move(measured);
    MeasuredResiduals& known = solved->measured;
    solved->usual_state = narrows::usual_state(known.states);
    const auto total = static_cast<double>(known.points.size());
    for (std::size_t v = 0; v < known.scales.size(); ++v) {
        double mean = 0;
        double square = 0;
        for (const auto& point : known.points) mean += point.at[v] / total;
        for (const auto& point : known.points) square += std::pow(point.at[v] - mean, 2) / total;
        solved->means.push_back(mean);
        constexpr double rounding = 1e-9;  // of the mean and of files
        const bool varies = std::sqrt(square) > rounding * (1 + std::abs(mean));
        solved->deviations.push_back(varies ? std::sqrt(square) : 1);
        if (!varies) known.scales[v] = std::max(1.0, known.scales[v]);
        if (solved->is_distance(v)) solved->deviations[v] = std::max(solved->deviations[v], std::log(alike_distance));
        solved->slope_variances.push_back(std::pow(solved->slope_deviation(v), 2));
        const auto by_variable = [v](const auto& a, const auto& b) { return a.at[v] < b.at[v]; };
        const auto [least, most] = std::minmax_element(known.points.begin(), known.points.end(), by_variable);
        solved->least.push_back(least->at[v]);
        solved->most.push_back(most->at[v]);
    }
    solved_ = solved;
}

const MeasuredResiduals& ResidualSurface::measured() const {
    return solved_->measured;
}

std::vector<Residual> ResidualSurface::at_all(const std::vector<std::vector<double>>& places) const {
    const MeasuredResiduals& known = solved_->measured;
    Eigen::MatrixXd together(static_cast<Eigen::Index>(known.points.size()), static_cast<Eigen::Index>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i].size() != known.scales.size()) {
            throw InputError(
                fmt::format("the residuals of '{}' are of {} variables, not of the {} of this program: "
                            "calibrate anew",
                            known.name, known.scales.size(), places[i].size()));
        }
        together.col(static_cast<Eigen::Index>(i)) = solved_->with_points(places[i]);
    }
    const Eigen::MatrixXd halves = solved_->factor().covariance.matrixL().solve(together);
    const double noise = known.noise * known.noise;
    std::vector<Residual> found;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto column = static_cast<Eigen::Index>(i);
        const double variance = solved_->together(places[i], places[i]) + noise - halves.col(column).squaredNorm();
        found.push_back({solved_->expected(places[i]) + together.col(column).dot(solved_->factor().weights),
                         std::sqrt(std::max(variance, noise))});
    }
    return found;
}

Residual ResidualSurface::at(std::span<const double> variables) const {
    return at_all({{variables.begin(), variables.end()}}).front();
}

std::vector<double> values_of(const std::vector<ResidualVariable>& variables) {
    std::vector<double> values;
    for (const ResidualVariable& one : variables) values.push_back(one.logarithmic ? std::log(one.value) : one.value);
    return values;
}

MeasuredBeside ResidualSurface::beside(const std::vector<ResidualVariable>& variables,
                                       const std::function<double(std::span<const double>)>& model) const {
    constexpr double of_95_percent = 1.959964;
    constexpr double outside = 0.05;
    const MeasuredResiduals& known = solved_->measured;
    const std::vector<double> values = values_of(variables);
    std::vector<std::vector<double>> places = {values};
    for (const std::vector<double>& state : known.states) {
        places.push_back(places.front());
        places.back().insert(places.back().end(), state.begin(), state.end());
    }
    places.front().insert(places.front().end(), solved_->usual_state.begin(), solved_->usual_state.end());
    std::vector<Residual> runs = at_all(places);
    if (model && !known.states.empty()) runs.front().value += model(solved_->usual_state);
    for (std::size_t s = 0; model && s < known.states.size(); ++s) runs[s + 1].value += model(known.states[s]);
    double excess = 0;
    for (std::size_t v = 0; v < values.size(); ++v) excess += solved_->excess(v, values[v]);
    for (Residual& each : runs) {
        if (excess > 0) each.deviation = std::hypot(each.deviation, known.spread, known.shared_spread) * (1 + excess);
    }
    // What points held out miss beyond their deviations, they miss in the states that points are of.
    const double wider = known.quantile / of_95_percent;
    const double missed = runs.front().deviation * std::sqrt(std::max(0.0, wider * wider - 1));
    for (Residual& each : runs) each.deviation = std::hypot(std::min(1.0, wider) * each.deviation, missed);
    const double usual = runs.front().value;
    const double alone = of_95_percent * runs.front().deviation;
    if (runs.size() > 1) runs.erase(runs.begin());  // those in the states that were met
    const double low = std::min(usual - alone, quantile_of(runs, outside / 2));
    const double high = std::max(usual + alone, quantile_of(runs, 1 - outside / 2));
    const double sessions = of_95_percent * known.session_spread * std::sqrt(1 + 1.0 / known.sessions);
    MeasuredBeside found{
        std::exp(usual), std::hypot(usual - low, sessions), std::hypot(high - usual, sessions), known.sessions, {}, 1};
    for (std::size_t v = 0; v < values.size(); ++v) {
        if (solved_->excess(v, values[v]) <= 0) continue;
        const auto text = [&axis = variables[v]](double value) { return axis_text(axis, value); };
        found.beyond.push_back(fmt::format("{} {} (measured: {} to {})", variables[v].name, text(values[v]),
                                           text(solved_->least[v]), text(solved_->most[v])));
    }
    return found;
}

std::vector<Residual> ResidualSurface::held_out() const {
    const auto count = static_cast<Eigen::Index>(solved_->measured.points.size());
    const Solved::Factor& factor = solved_->factor();
    const Eigen::MatrixXd inverse = factor.covariance.solve(Eigen::MatrixXd::Identity(count, count));
    std::vector<Residual> found;
    for (Eigen::Index i = 0; i < count; ++i) {
        const double residual = solved_->measured.points[static_cast<std::size_t>(i)].residual;
        found.push_back({residual - factor.weights[i] / inverse(i, i), 1 / std::sqrt(inverse(i, i))});
    }
    return found;
}

ResidualSurface ResidualSurface::in_states(std::vector<std::vector<double>> states, std::vector<double> usual) const {
    auto there = std::make_shared<Solved>(*solved_);
    there->usual_state = std::move(usual);
    there->measured.states = std::move(states);
    ResidualSurface surface = *this;
    surface.solved_ = std::move(there);
    return surface;
}

ResidualSurface ResidualSurface::in_state(std::span<const double> state) const {
    const std::vector<std::vector<double>>& states = measured().states;
    if (states.empty()) return *this;
    const auto known = static_cast<std::ptrdiff_t>(std::min(states.front().size(), state.size()));
    const std::vector<double> only(state.begin(), state.begin() + known);
    return in_states({only}, only);
}

ResidualSurface ResidualSurface::like_state(std::span<const double> state, double change) const {
    const std::vector<std::vector<double>>& all = measured().states;
    const std::vector<std::vector<double>> like = states_like(all, state);
    std::vector<std::vector<double>> states = like;
    if (!all.empty() && change >= often_changed) {
        states = all;  // one as likely as another
        const auto wanted = static_cast<double>(all.size()) * (1 - change) / change;
        for (auto left = std::lround(wanted / static_cast<double>(like.size())); left > 0; --left) {
            states.insert(states.end(), like.begin(), like.end());
        }
    }
    return in_states(std::move(states), usual_state(like));
}

ResidualSurface ResidualSurface::at_core_distance(double distance) const {
    const std::vector<double> state = {std::log(distance)};
    std::vector<std::vector<double>> states = states_like(measured().states, state);
    for (std::vector<double>& one : states) one.front() = state.front();
    std::vector<double> usual = narrows::usual_state(states);
    return in_states(std::move(states), std::move(usual));
}

ResidualSurface::Likelihood ResidualSurface::likelihood() const {
    const MeasuredResiduals& known = solved_->measured;
    const Solved::Factor& factor = solved_->factor();
    const auto count = static_cast<Eigen::Index>(known.points.size());
    const Eigen::MatrixXd inverse = factor.covariance.solve(Eigen::MatrixXd::Identity(count, count));
    const std::size_t variables = known.scales.size();
    const std::size_t own = variables_without_state(known);
    std::vector<double> slopes(variables + 4, 0.0);
    double& of_spread = slopes[variables];
    double& of_shared = slopes[variables + 1];
    double& of_trend = slopes[variables + 2];
    double& of_noise = slopes[variables + 3];
    std::vector<double> by_trend = solved_->slope_variances;  // those that the trend tells
    for (std::size_t v = 0; v < variables; ++v) {
        if (known.trend / solved_->deviations[v] < solved_->slope_deviation(v)) by_trend[v] = 0;
    }
    std::vector<double> squares(variables);
    for (Eigen::Index i = 0; i < count; ++i) {
        const std::vector<double>& a = known.points[static_cast<std::size_t>(i)].at;
        for (Eigen::Index j = 0; j <= i; ++j) {
            const std::vector<double>& b = known.points[static_cast<std::size_t>(j)].at;
            // By the covariance of the two; each two are in it twice.
            const double by_both = (factor.weights[i] * factor.weights[j] - inverse(i, j)) * (i == j ? 0.5 : 1);
            double along = 0;
            for (std::size_t v = 0; v < variables; ++v) {
                squares[v] = std::pow((a[v] - b[v]) / known.scales[v], 2);
                along += by_trend[v] * (a[v] - solved_->means[v]) * (b[v] - solved_->means[v]);
            }
            const Covariance by_place = covariance(known, a, b);
            of_spread += 2 * by_both * by_place.of_all;
            of_shared += 2 * by_both * by_place.shared;
            of_trend += 2 * by_both * along;
            for (std::size_t v = 0; v < variables; ++v) {
                const double falling = by_place.falling + (v < own ? by_place.shared_falling : 0);
                slopes[v] += 3 * by_both * falling * squares[v];
            }
            if (i == j) of_noise += 2 * by_both * known.noise * known.noise;
        }
    }
    return {-0.5 * factor.misfit - factor.covariance.matrixLLT().diagonal().array().log().sum(), slopes};
}

}  // namespace narrows
