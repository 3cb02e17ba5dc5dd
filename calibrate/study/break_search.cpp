#include "calibrate/study/break_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "calibrate/transport/transport_error.hpp"

namespace narrows {
namespace {

constexpr int search_rounds = 4;
// With those in which nothing was found but that the machine is in another state.
constexpr int most_rounds = 8;
// In one state what is measured again takes as long as before, within this factor.
constexpr double same_state = 1.1;
// A break by which a time changes less than this is not looked for.
constexpr double least_jump = 0.05;

bool breaks_visibly(const CurveSegment& before, const CurveSegment& behind, double bytes) {
    const auto at = [bytes](const CurveSegment& one) { return one.per_message.value + one.per_byte.value * bytes; };
    return std::abs(at(behind) - at(before)) > least_jump * std::min(at(before), at(behind));
}

/// A size between two pieces of a curve, and the last one before it.
struct SizeBetween {
    std::size_t bytes;
    std::size_t before;
};

// One between two pieces where there is any.
std::vector<SizeBetween> sizes_between(const MessageCurve& curve, const std::vector<std::size_t>& kept, double step) {
    std::vector<SizeBetween> sizes;
    for (std::size_t i = 0; i + 1 < curve.segments.size(); ++i) {
        const double last = curve.segments[i].to;
        const double first = curve.segments[i + 1].from;
        const double middle = std::round(std::sqrt(last * first) / step) * step;
        if (!breaks_visibly(curve.segments[i], curve.segments[i + 1], middle)) continue;
        for (const double size : {middle, middle - step, middle + step}) {
            const auto bytes = static_cast<std::size_t>(size);
            if (size <= last || size >= first || std::ranges::binary_search(kept, bytes)) continue;
            sizes.push_back({bytes, static_cast<std::size_t>(last)});
            break;
        }
    }
    return sizes;
}

// With the sizes before, by which the machine's state is known.
std::vector<std::size_t> to_measure(const std::vector<SizeBetween>& sizes) {
    std::vector<std::size_t> all;
    for (const auto& [bytes, before] : sizes) all.insert(all.end(), {before, bytes});
    return all;
}

double seconds_of(const MessageRun& run, std::size_t bytes) {
    const auto found = std::ranges::find(run.points, bytes, &MessagePoint::bytes);
    return found == run.points.end() ? 0 : found->seconds.value;
}

// Whether a size took as long as before.
bool in_one_state(const MessageRun& run, const MessageRun& more, std::size_t bytes) {
    const double ratio = seconds_of(more, bytes) / seconds_of(run, bytes);
    return ratio < same_state && ratio > 1 / same_state;
}

// What was done, and of the new points those whose sizes before took as long as before; whether there are any.
bool add(MessageRun& run, const MessageRun& more, const std::vector<SizeBetween>& sizes) {
    if (!more.cut_by.empty()) throw TransportError(more.cut_by);
    run.seconds += more.seconds;
    run.cpu_seconds += more.cpu_seconds;
    run.awake_seconds += more.awake_seconds;
    run.involuntary_switches += more.involuntary_switches;
    run.errors += more.errors;
    if (run.verified && more.verified) run.verified = *run.verified && *more.verified;
    std::vector<std::size_t> taken;
    for (const auto& [bytes, before] : sizes) {
        if (in_one_state(run, more, before)) taken.push_back(bytes);
    }
    const auto is_taken = [&taken](const auto& one) { return std::ranges::find(taken, one.bytes) != taken.end(); };
    std::copy_if(more.samples.begin(), more.samples.end(), std::back_inserter(run.samples), is_taken);
    std::copy_if(more.points.begin(), more.points.end(), std::back_inserter(run.points), is_taken);
    std::ranges::sort(run.points, {}, &MessagePoint::bytes);
    return !taken.empty();
}

}  // namespace

MessageCurve fit_points(const std::vector<MessagePoint>& points, const std::vector<std::size_t>& kept) {
    std::vector<SizedTime> times;
    for (const auto& [bytes, seconds] : points) {
        if (std::ranges::binary_search(kept, bytes)) continue;
        times.push_back(sized_time(static_cast<double>(bytes), seconds));
    }
    return fit_message_curve(std::move(times));
}

MessageRun find_breaks(MessageRun run, const MessageOptions& options, const std::vector<std::size_t>& kept,
                       const Launch& launch, const std::function<bool(const MessageOptions& next)>& in_time) {
    const auto step = static_cast<double>(unit_bytes(options));
    MessageOptions more = options;
    for (int round = 0, taken = 0; round < most_rounds; ++round) {
        std::vector<SizeBetween> between;
        if (taken < search_rounds) between = sizes_between(fit_points(run.points, kept), kept, step);
        more.sizes = to_measure(between);
        if (launch.rank == 0 && !more.sizes.empty() && in_time && !in_time(more)) more.sizes.clear();
        more.sizes = launch.first_says(more.sizes);
        if (more.sizes.empty()) break;
        taken += add(run, launch.measure(more), between) ? 1 : 0;
    }
    return run;
}

std::vector<std::size_t> sizes_at_breaks(const std::vector<MessageSample>& samples, const MessageOptions& what) {
    std::map<std::size_t, std::vector<double>> times;
    for (const MessageSample& one : samples) {
        if (one.what == case_of(what, one.what.bytes)) times[one.what.bytes].push_back(one.seconds);
    }
    std::vector<std::size_t> sizes;
    for (const auto& between : sizes_between(fit_message_medians(times), {}, static_cast<double>(unit_bytes(what)))) {
        sizes.push_back(between.bytes);
    }
    return sizes;
}

}  // namespace narrows
