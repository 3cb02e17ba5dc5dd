#include "calibrate/study/link_pace.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "calibrate/transport/transport_error.hpp"

namespace narrows {
namespace {

/// What the samples of a kernel take beside what is counted, and how few messages they may have.
struct KernelCost {
    int warm_up;    ///< messages
    double counts;  ///< seconds of a message over those that the kernel counts
    int least;      ///< messages, by default
};

KernelCost cost_of(MessageKernel kernel) {
    constexpr int usual_least = 8;
    if (is_collective(kernel)) return {1, 2, 1};  // with a barrier and a look at what came
    if (kernel == MessageKernel::ping_pong) return {3, 2, 1};
    return {1, 1, usual_least};  // one alone may find that the others were faster, and take no time
}

// The next size to probe is larger by this factor at least.
constexpr std::size_t pace_step = 16;
constexpr double most_seconds_of_step = 1;
constexpr double usual_seconds_of_step = 0.15;

// So few bytes take no longer than a few of them, on any link.
constexpr std::size_t few_bytes = 256;

std::uint64_t fingerprint(const Launch::Numbers& numbers) {
    std::uint64_t hash = 0xcbf29ce484222325U;  // Fowler, Noll and Vo
    for (const std::size_t number : numbers) hash = (hash ^ number) * 0x100000001b3U;
    return hash;
}

// `probe` with as many messages as take a while, so that they are not all in a buffer that a link has before it; or
// with the least, or nothing if those take long.
std::optional<MessageOptions> filled(MessageOptions probe, const LinkPace& pace, int most_messages) {
    probe.messages = cost_of(probe.kernel).least;
    if (pace.seconds_of(probe) > most_seconds_of_step) return std::nullopt;
    MessageOptions more = probe;
    for (more.messages *= 2; more.messages <= most_messages; more.messages *= 2) {
        if (pace.seconds_of(more) > usual_seconds_of_step) break;
        probe = more;
    }
    return probe;
}

// What is to be probed next: the first size again, with more messages, then larger ones. Nothing behind the last one,
// and where the next is too slow.
Launch::Numbers next_to_probe(MessageOptions probe, bool again, const LinkPace& pace, const MessageOptions& options) {
    const std::size_t last = probe.sizes.front();
    const std::size_t most = *std::ranges::max_element(options.sizes);
    for (const std::size_t bytes : options.sizes) {
        const bool is_next = bytes > last && (bytes >= pace_step * last || bytes == most);
        if (again ? bytes != last : !is_next) continue;
        probe.sizes = {bytes};
        const auto next = filled(probe, pace, options.messages);
        return next ? Launch::Numbers{bytes, static_cast<std::size_t>(next->messages)} : Launch::Numbers();
    }
    return {};
}

bool fits(MessageOptions& options, const MessageSeries& series, const LinkPace& pace, double seconds,
          std::size_t largest) {
    options.sizes = series.asked.empty() ? series.options.sizes : series.sizes_up_to(largest);
    return pace.seconds_of(options) <= seconds;
}

}  // namespace

LinkPace::LinkPace(std::vector<MessagePoint> points, double start) : points_(std::move(points)), start_(start) {
    for (std::size_t i = points_.size(); i-- > 1;) {
        points_[i - 1].seconds.value = std::min(points_[i - 1].seconds.value, points_[i].seconds.value);
    }
}

double LinkPace::seconds(std::size_t bytes) const {
    const auto next = std::ranges::lower_bound(points_, bytes, {}, &MessagePoint::bytes);
    if (next == points_.begin()) return next->seconds.value;
    const bool beyond = next == points_.end();
    const MessagePoint& low = beyond && points_.size() > 1 ? next[-2] : next[-1];
    const MessagePoint& high = beyond ? next[-1] : *next;
    const auto at = static_cast<double>(bytes);
    const auto from = static_cast<double>(low.bytes);
    const auto to = static_cast<double>(high.bytes);
    if (high.bytes == low.bytes) {
        const auto few = static_cast<double>(few_bytes);
        return high.seconds.value * std::max(few, at) / std::max(few, to);
    }
    const double slope = (high.seconds.value - low.seconds.value) / (to - from);
    return (beyond ? high : low).seconds.value + slope * (at - (beyond ? to : from));
}

double LinkPace::seconds_of(const MessageOptions& options) const {
    const KernelCost cost = cost_of(options.kernel);
    double sum = start_;
    for (const auto& [bytes, messages] : message_plan(options).samples) {
        sum += cost.counts * (messages + cost.warm_up) * seconds(bytes);
    }
    return sum;
}

LinkPace probe_link(const MessageOptions& options, const Launch& launch) {
    MessageOptions probe = options;
    probe.repeats = 3;
    probe.seed = fingerprint(shared_plan(options));  // ranks that were started with other options do not meet
    const std::size_t least = *std::ranges::min_element(options.sizes);
    Launch::Numbers next = {least, static_cast<std::size_t>(cost_of(options.kernel).least)};
    std::vector<MessagePoint> points;
    double start = 0;
    for (bool first = true; !next.empty(); first = false) {
        probe.sizes = {next.at(0)};
        probe.messages = static_cast<int>(next.at(1));
        const MessageRun run = launch.measure(probe);
        if (!run.cut_by.empty()) throw TransportError(run.cut_by);
        next.clear();
        if (launch.rank == 0) {
            if (!points.empty() && points.back().bytes == probe.sizes.front()) points.pop_back();
            points.push_back(run.points.front());
            const LinkPace pace(points, 0);
            // The first one may have waited for ranks that are started by hand.
            if (!first) start = std::max(start, run.seconds - pace.seconds_of(probe));
            next = next_to_probe(probe, first, pace, options);
        }
        next = launch.first_says(next);
    }
    if (points.empty()) points.push_back({});  // of another rank than 0, which decides nothing
    return {std::move(points), start};
}

SeriesLimits limits_within(double seconds, const MessageSeries& series, const LinkPace& pace) {
    constexpr int usual_messages = 8;
    constexpr int repeats_of_interval = 6;
    constexpr int least_repeats = 3;
    MessageOptions options = series.options;
    const std::vector<std::size_t> all = {*std::ranges::max_element(options.sizes)};
    const std::vector<std::size_t>& asked = series.asked.empty() ? all : series.asked;
    auto largest = std::prev(asked.end());
    const auto in_time = [&] { return fits(options, series, pace, seconds, *largest); };
    const auto messages_down_to = [&](int least) {
        while (options.messages > least && !in_time()) options.messages = std::max(least, options.messages / 2);
    };
    const auto repeat_down_to = [&](int least) {
        while (!series.chosen_repeats && options.repeats > least && !in_time()) --options.repeats;
    };
    messages_down_to(usual_messages);
    repeat_down_to(repeats_of_interval);
    messages_down_to(cost_of(options.kernel).least);
    while (largest != asked.begin() && !in_time()) --largest;
    repeat_down_to(least_repeats);
    return {options.messages, options.repeats, *largest};
}

}  // namespace narrows
