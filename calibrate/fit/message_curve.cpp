#include "calibrate/fit/message_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace narrows {
namespace {

constexpr std::size_t least_points_of_line = 3;
constexpr std::size_t most_segments = 12;
constexpr double half_widths = 1.96;  // standard deviations, of 95 %

/// Sums over points, each over the square of its deviation, from which their line and its error follow.
class LineSums {
  public:
    void add(const SizedTime& point) {
        const double deviation = point.seconds * point.relative_deviation;
        const double weight = 1 / (deviation * deviation);
        n_ += weight;
        x_ += weight * point.bytes;
        xx_ += weight * point.bytes * point.bytes;
        t_ += weight * point.seconds;
        xt_ += weight * point.bytes * point.seconds;
        tt_ += weight * point.seconds * point.seconds;
    }

    /// The line by relative errors. What would be negative is 0 and the other fitted alone, but a line that is above
    /// zero at all points, the least of which is `least` bytes, may begin below where it is not the first.
    struct Line {
        double per_message = 0;
        double per_byte = 0;
    };
    Line line(bool is_first, double least) const {
        constexpr double rounding = 1e-12;
        const double determinant = n_ * xx_ - x_ * x_;
        if (!(determinant > rounding * n_ * xx_)) return {t_ / n_, 0};
        const Line both{(xx_ * t_ - x_ * xt_) / determinant, (n_ * xt_ - x_ * t_) / determinant};
        if (both.per_byte < 0) return {t_ / n_, 0};
        const bool is_above_zero = both.per_message >= 0 || (!is_first && both.per_message + both.per_byte * least > 0);
        return is_above_zero ? both : Line{0, xt_ / xx_};
    }

    /// The sum of squared errors of a line that this has given.
    double error(const Line& line) const { return std::max(0.0, tt_ - line.per_message * t_ - line.per_byte * xt_); }

  private:
    double n_ = 0;
    double x_ = 0;
    double xx_ = 0;
    double t_ = 0;
    double xt_ = 0;
    double tt_ = 0;
};

/// A line with its intervals.
struct FittedLine {
    Coefficient per_message;
    Coefficient per_byte;
    double correlation = 0;  // of the errors of both
};

FittedLine line_through(const std::vector<SizedTime>& points, std::size_t first, std::size_t end) {
    LineSums sums;
    for (std::size_t i = first; i < end; ++i) sums.add(points[i]);
    const LineSums::Line line = sums.line(first == 0, points[first].bytes);
    std::vector<Observation> observations;
    for (std::size_t i = first; i < end; ++i) {
        Observation one{{}, points[i].seconds, points[i].seconds * points[i].relative_deviation};
        if (line.per_message != 0) one.factors.push_back(1);
        if (line.per_byte != 0) one.factors.push_back(points[i].bytes);
        observations.push_back(std::move(one));
    }
    const LinearFit fit = least_squares(observations);
    if (line.per_message == 0) return {{}, fit.coefficients[0]};
    if (line.per_byte == 0) return {fit.coefficients[0], {}};
    return {fit.coefficients[0], fit.coefficients[1], fit.correlations[0][1]};
}

/// The best division into a number of segments: the least error, and where each begins.
struct Division {
    double error = 0;
    std::vector<std::size_t> begins;
};

// Divisions of all points into 1, 2, ... segments, by dynamic programming over where the last one begins.
std::vector<Division> best_divisions(const std::vector<SizedTime>& points) {
    const std::size_t n = points.size();
    const std::size_t least = std::min(least_points_of_line, n);
    const std::size_t most = std::clamp<std::size_t>(n / least, 1, most_segments);
    struct Last {
        double error = std::numeric_limits<double>::infinity();
        std::size_t begin = 0;
    };
    std::vector<std::vector<Last>> best(most + 1, std::vector<Last>(n + 1));
    best[0][0].error = 0;
    std::vector<LineSums> sums(n);
    for (std::size_t end = 1; end <= n; ++end) {
        for (std::size_t i = 0; i < end; ++i) {
            sums[i].add(points[end - 1]);
            if (i + least > end) continue;
            const double error = sums[i].error(sums[i].line(i == 0, points[i].bytes));
            for (std::size_t count = 1; count <= most; ++count) {
                const double sum = best[count - 1][i].error + error;
                if (sum < best[count][end].error) best[count][end] = {sum, i};
            }
        }
    }
    std::vector<Division> divisions;
    for (std::size_t count = 1; count <= most; ++count) {
        Division one{best[count][n].error, std::vector<std::size_t>(count)};
        for (std::size_t i = count, end = n; i > 0; --i) end = one.begins[i - 1] = best[i][end].begin;
        divisions.push_back(std::move(one));
    }
    return divisions;
}

double criterion(const Division& division, double points) {
    const double parameters = 4 * static_cast<double>(division.begins.size()) - 2;
    return points * std::log(std::max(division.error / points, 1.0)) + parameters * std::log(points);
}

// What the points scatter about their line, relative to it, and what the median of a size does.
double scatter_of(const std::vector<SizedTime>& points, std::size_t first, std::size_t end, const FittedLine& line) {
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) {
        const double at = line.per_message.value + line.per_byte.value * points[i].bytes;
        const double error = points[i].seconds / at - 1;
        sum += std::max(error * error, points[i].relative_deviation * points[i].relative_deviation);
    }
    const double terms = (line.per_message.value != 0 ? 1 : 0) + (line.per_byte.value > 0 ? 1 : 0);
    return std::sqrt(sum / std::max(1.0, static_cast<double>(end - first) - terms));
}

// The interval of a coefficient together with what single sizes scatter.
Coefficient with_scatter(const Coefficient& one, double scatter) {
    const double more = half_widths * scatter * one.value;
    return {one.value, std::max(0.0, one.value - std::hypot(one.value - one.low, more)),
            one.value + std::hypot(one.high - one.value, more)};
}

Coefficient with_half_width(double value, double half) {
    return {value, value - half, value + half};
}

CurveSegment segment_of_points(const std::vector<SizedTime>& points, std::size_t first, std::size_t end) {
    const FittedLine line = line_through(points, first, end);
    const double scatter = scatter_of(points, first, end, line);
    CurveSegment segment{points[first].bytes, points[end - 1].bytes, with_scatter(line.per_message, scatter),
                         with_scatter(line.per_byte, scatter)};
    if (line.per_message.value >= 0) return segment;
    // Both coefficients are large beside the times and err together: each as if the other were known, and the scatter
    // that of a time in the middle.
    const double middle = std::sqrt(segment.from * segment.to);
    const double time = line.per_message.value + line.per_byte.value * middle;
    const double alone = std::sqrt(1 - line.correlation * line.correlation);
    const double message = alone * (line.per_message.high - line.per_message.value);
    segment.per_message = with_half_width(line.per_message.value, std::hypot(message, half_widths * scatter * time));
    segment.per_byte = with_half_width(line.per_byte.value, alone * (line.per_byte.high - line.per_byte.value));
    return segment;
}

// Gaps between sizes so narrow that a protocol which changes there does so at a round size.
constexpr double narrow_bytes = 16;
constexpr double narrow_share = 1.0 / 16;

// The multiple of the highest power of two from `last` on and below `first`.
double roundest(double last, double first) {
    double step = 1;
    while (std::ceil(last / (2 * step)) * 2 * step < first) step *= 2;
    return std::ceil(last / step) * step;
}

}  // namespace

SizedTime sized_time(double bytes, const OrderEstimate& seconds) {
    constexpr double least_deviation = 0.02;
    return {bytes, seconds.value, std::max(least_deviation, seconds.relative_half_width() / half_widths)};
}

MessageCurve fit_message_curve(std::vector<SizedTime> points) {
    MessageCurve curve;
    if (points.empty()) return curve;
    std::ranges::sort(points, {}, &SizedTime::bytes);
    const std::vector<Division> divisions = best_divisions(points);
    const auto count = static_cast<double>(points.size());
    const Division& chosen = *std::ranges::min_element(
        divisions, [&](const Division& a, const Division& b) { return criterion(a, count) < criterion(b, count); });
    for (std::size_t i = 0; i < chosen.begins.size(); ++i) {
        const std::size_t end = i + 1 < chosen.begins.size() ? chosen.begins[i + 1] : points.size();
        curve.segments.push_back(segment_of_points(points, chosen.begins[i], end));
    }
    return curve;
}

MessageCurve fit_message_medians(const std::map<std::size_t, std::vector<double>>& seconds) {
    std::vector<SizedTime> points;
    for (const auto& [bytes, times] : seconds) {
        points.push_back(sized_time(static_cast<double>(bytes), median_estimate(times)));
    }
    return fit_message_curve(std::move(points));
}

double MessageCurve::reach(std::size_t segment) const {
    const double last = std::max(1.0, segments[segment].to);
    const double first = segments[segment + 1].from;
    const double slopes = segments[segment + 1].per_byte.value - segments[segment].per_byte.value;
    const double messages = segments[segment].per_message.value - segments[segment + 1].per_message.value;
    if (messages > slopes * last && messages < slopes * first) return std::floor(messages / slopes);
    // A line that begins below zero is not drawn on below the one before it, where it may be there still.
    if (segments[segment + 1].per_message.value < 0 && messages >= slopes * first) return first - 1;
    return first - last <= std::max(narrow_bytes, narrow_share * last) ? roundest(last, first)
                                                                       : std::floor(std::sqrt(last * first));
}

const CurveSegment& MessageCurve::segment_of(double bytes) const {
    const CurveSegment* found = &segments.front();
    for (std::size_t i = 1; i < segments.size(); ++i) {
        if (bytes > reach(i - 1)) found = &segments[i];
    }
    return *found;
}

double MessageCurve::at(double bytes) const {
    const CurveSegment& segment = segment_of(bytes);
    return segment.per_message.value + segment.per_byte.value * bytes;
}

double MessageCurve::low(double bytes) const {
    double low = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < segments.size(); ++i) {
        // Beyond a cache bytes take longer: before it, the segment before says the least.
        const bool only_longer = segments[i].per_message.value < 0 && bytes < segments[i].from;
        if (!may_be_of(i, bytes) || only_longer) continue;
        low = std::min(low, segments[i].per_message.low + segments[i].per_byte.low * bytes);
    }
    return std::max(0.0, low);
}

double MessageCurve::high(double bytes) const {
    double high = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (may_be_of(i, bytes))
            high = std::max(high, segments[i].per_message.high + segments[i].per_byte.high * bytes);
    }
    return high;
}

bool MessageCurve::may_be_of(std::size_t segment, double bytes) const {
    const bool above = segment == 0 || bytes > segments[segment - 1].to;
    const bool below = segment + 1 == segments.size() || bytes < segments[segment + 1].from;
    return above && below;
}

}  // namespace narrows
