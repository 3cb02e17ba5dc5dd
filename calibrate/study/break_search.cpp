#include "calibrate/study/break_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace narrows {
namespace {

constexpr int rounds = 4;
// A break by which a time changes less than this is not looked for.
constexpr double least_jump = 0.05;

bool breaks_visibly(const CurveSegment& before, const CurveSegment& behind, double bytes) {
    const auto at = [bytes](const CurveSegment& one) { return one.per_message.value + one.per_byte.value * bytes; };
    return std::abs(at(behind) - at(before)) > least_jump * std::min(at(before), at(behind));
}

// Between the curve's pieces, a size each where there is one.
std::vector<std::size_t> sizes_between(const MessageCurve& curve, const std::vector<std::size_t>& kept, double step) {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i + 1 < curve.segments.size(); ++i) {
        const double last = curve.segments[i].to;
        const double first = curve.segments[i + 1].from;
        const double middle = std::round(std::sqrt(last * first) / step) * step;
        if (!breaks_visibly(curve.segments[i], curve.segments[i + 1], middle)) continue;
        for (const double size : {middle, middle - step, middle + step}) {
            const auto bytes = static_cast<std::size_t>(size);
            if (size <= last || size >= first || std::binary_search(kept.begin(), kept.end(), bytes)) continue;
            sizes.push_back(bytes);
            break;
        }
    }
    return sizes;
}

void add(MessageRun& run, MessageRun more) {
    run.seconds += more.seconds;
    run.cpu_seconds += more.cpu_seconds;
    run.involuntary_switches += more.involuntary_switches;
    run.errors += more.errors;
    if (run.verified && more.verified) run.verified = *run.verified && *more.verified;
    run.samples.insert(run.samples.end(), more.samples.begin(), more.samples.end());
    run.points.insert(run.points.end(), more.points.begin(), more.points.end());
    std::sort(run.points.begin(), run.points.end(),
              [](const MessagePoint& a, const MessagePoint& b) { return a.bytes < b.bytes; });
}

}  // namespace

MessageCurve fit_points(const std::vector<MessagePoint>& points, const std::vector<std::size_t>& kept) {
    std::vector<SizedTime> times;
    for (const auto& [bytes, seconds] : points) {
        if (std::binary_search(kept.begin(), kept.end(), bytes)) continue;
        times.push_back(sized_time(static_cast<double>(bytes), seconds));
    }
    return fit_message_curve(std::move(times));
}

MessageRun find_breaks(MessageRun run, const MessageOptions& options, const std::vector<std::size_t>& kept,
                       const Launch& launch) {
    const auto step = static_cast<double>(unit_bytes(options));
    MessageOptions more = options;
    for (int round = 0; round < rounds; ++round) {
        more.sizes = launch.first_says(sizes_between(fit_points(run.points, kept), kept, step));
        if (more.sizes.empty()) break;
        add(run, launch.measure(more));
    }
    return run;
}

std::vector<std::size_t> sizes_at_breaks(const std::vector<MessageSample>& samples, const MessageOptions& what) {
    std::map<std::size_t, std::vector<double>> times;
    for (const MessageSample& one : samples) {
        if (one.what == case_of(what, one.what.bytes)) times[one.what.bytes].push_back(one.seconds);
    }
    return sizes_between(fit_message_medians(times), {}, static_cast<double>(unit_bytes(what)));
}

}  // namespace narrows
