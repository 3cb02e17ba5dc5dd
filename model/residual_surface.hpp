#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace narrows {

/// Distances of cores within this factor are one state of the machine.
inline constexpr double alike_distance = 1.4;
/// And seconds of the piece of work within this one.
inline constexpr double alike_work = 1.1;
/// A state that changes within a second with at least this probability tells little of what comes.
inline constexpr double often_changed = 0.25;

/// What a model leaves of measured times, as logarithms of measured over predicted, and how it is interpolated.
struct MeasuredResiduals {
    struct Point {
        std::vector<double>
            at;  ///< the variables of the run, and the state of the machine beside it where that is known
        double residual = 0;

        friend bool operator==(const Point&, const Point&) = default;
    };
    std::string name = {};            ///< of what: `gups-routed`
    std::vector<double> scales = {};  ///< of each variable the distance over which residuals become independent
    double mean = 0;                  ///< before any point is known, at the points' mean distance of cores
    double by_distance = 0;     ///< how the mean follows the logarithm of the distance of cores, where states are known
    double spread = 0;          ///< standard deviation of what points leave as a function of place, beside the trend
    double shared_spread = 0;   ///< the same of what they leave alike in all states; 0 where states are not known
    double trend = 0;           ///< standard deviation of the slope along a variable, over that variable's deviation
    double noise = 0;           ///< standard deviation of a single run
    double quantile = 2;        ///< standard deviations that 95 % of the points held out are within
    int sessions = 1;           ///< calibrations of the machine that were compared
    double session_spread = 0;  ///< standard deviation of what differs between them; 0 where there is one
    /// States that the machine was in, one as likely as another: logarithms of the seconds that a cache line takes from
    /// core to core, and of those of a fixed piece of work, if both are known. On virtual machines they change while
    /// programs run. Empty: not known, and no variables.
    std::vector<std::vector<double>> states = {};
    std::vector<Point> points = {};

    friend bool operator==(const MeasuredResiduals&, const MeasuredResiduals&) = default;
};

/// A residual between measured points.
struct Residual {
    double value = 0;
    double deviation = 0;  ///< of a run, one standard deviation
};

/// What a variable of a surface is, for readers.
struct ResidualAxis {
    std::string_view name;
    bool logarithmic = false;
    bool is_size = false;  ///< in bytes
};

/// What a run follows beyond a formula.
struct ResidualVariable : ResidualAxis {
    double value = 0;  ///< no logarithm
};

/// Those values as surfaces have them: of logarithmic ones the natural logarithms.
std::vector<double> values_of(const std::vector<ResidualVariable>& variables);

/// What measured runs say of a prediction: how many times as long it takes, and its 95 % interval.
struct MeasuredBeside {
    double factor = 1;
    double below = 0;  ///< from the time to the interval's ends, on the scale of logarithms
    double above = 0;
    int sessions = 0;                 ///< calibrations that it is of; 0: nothing was measured beside
    std::vector<std::string> beyond;  ///< what lies outside of all that was measured, in words
    double share = 1;                 ///< of the prediction's time that runs were measured beside
};

/// The usual one of such states: of the largest group whose distances of cores are within a factor of 1.4 of one of
/// them (of several the latest), the median of each number. Empty without states.
std::vector<double> usual_state(const std::vector<std::vector<double>>& states);

/// Of these states those that are like this one: whose distance of cores is within a factor of 1.4 of its (all where
/// there are none), and of them those whose piece of work took within a factor of 1.1 as long, where it has that and
/// there are such. Where the distance was new, one that has it, with the median of those' other number.
std::vector<std::vector<double>> states_like(const std::vector<std::vector<double>>& states,
                                             std::span<const double> state);

/// For `ResidualSurface::beside`, of a model whose time is linear in the distance of cores, as long as cache lines that
/// wait for each other are on its critical path: the logarithm of its time in a state over `usual`, by the times of the
/// nearest and the farthest of these states. `time_in` is told the distance in seconds and returns a time in the unit
/// of `usual`. None without states.
std::function<double(std::span<const double>)> model_in_states(const std::vector<std::vector<double>>& states,
                                                               double usual,
                                                               const std::function<double(double)>& time_in);

/// Residuals between measured points, by kriging.
///
/// Statement: r(x) = mu(x) + k(x)' a, a = K^-1 (r - mu), variance k(x, x) + e^2 - k(x)' K^-1 k(x); K_ij = k(x_i, x_j) +
///            e^2 for i = j, k(x, y) = s^2 (1 + sqrt(3) d) exp(-sqrt(3) d) + sum_v b_v^2 z_v(x) z_v(y),
///            d^2 = sum_v ((x_v - y_v) / l_v)^2; where states are known, s'^2 (1 + sqrt(3) d')
///            exp(-sqrt(3) d') joins k, d' the same as d without the variables of the state.
/// Symbols:   mu(x) = mean + by_distance z, z the logarithm of the distance of cores less its mean over the points;
///            s spread, s' shared spread, e noise, l scales, r_i residuals at x_i; z_v a variable less its mean over
///            the points; b_v trend over its deviation there, at least by_distance / 3 for the distance of cores, whose
///            deviation counts as ln 1.4 at least: sessions that met one state do not tell the slope; Matern's
///            correlation of order 3/2.
/// Source:    Sacks, Welch, Mitchell and Wynn 1989, Design and Analysis of Computer Experiments.
/// Range:     some hundred points; far from all of them the mean with the trend that they show continued, and the whole
///            spread with the trend's own uncertainty, which grows with the distance.
/// Test:      tests/model/test_residual_surface.cpp
class ResidualSurface {
  public:
    /// Throws InputError when points and scales differ in their number of variables, or a spread or noise is not
    /// above zero.
    explicit ResidualSurface(MeasuredResiduals measured);

    const MeasuredResiduals& measured() const;
    Residual at(std::span<const double> variables) const;
    /// The same as a factor with its interval, for variables without the machine's state: the factor in the state that
    /// was met most, and the interval of runs in all states as often as they were met. Outside of the range of a
    /// variable, widened by a tenth, the spread joins the deviation, and both grow by the excess over the range.
    /// Sessions of the machine differ by `session_spread`, which joins the interval: of n sessions
    /// 1.96 s sqrt(1 + 1/n).
    /// `model`: what the model says of a state itself, the logarithm of its time there over that of its prediction;
    /// without it that is the same in all.
    MeasuredBeside beside(const std::vector<ResidualVariable>& variables,
                          const std::function<double(std::span<const double>)>& model = {}) const;
    /// Every point's residual as the others tell it, with its deviation. Source: Dubrule 1983.
    std::vector<Residual> held_out() const;
    /// The same surface for a machine in this state alone, as far as it knows states.
    ResidualSurface in_state(std::span<const double> state) const;
    /// The same in the states that are like this one (`states_like`); the interval is that of runs which are in any
    /// state instead with probability `change`, where that is `often_changed` or more.
    ResidualSurface like_state(std::span<const double> state, double change = 0) const;
    /// The same when cores are so far from each other, in seconds, in the states that are like that one else.
    ResidualSurface at_core_distance(double distance) const;
    /// The logarithm of the likelihood of the points, up to a constant, and its slopes along the logarithms of the
    /// scales, the two spreads, the trend and the noise, in this order. Source: Rasmussen and Williams 2006,
    /// equation 5.9.
    struct Likelihood {
        double logarithm = 0;
        std::vector<double> slopes;
    };
    Likelihood likelihood() const;

    friend bool operator==(const ResidualSurface& a, const ResidualSurface& b) { return a.measured() == b.measured(); }

  private:
    struct Solved;
    ResidualSurface in_states(std::vector<std::vector<double>> states, std::vector<double> usual) const;
    std::vector<Residual> at_all(const std::vector<std::vector<double>>& places) const;
    std::shared_ptr<const Solved> solved_;
};

}  // namespace narrows
