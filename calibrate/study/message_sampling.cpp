#include "calibrate/study/message_sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <random>
#include <stdexcept>

namespace narrows {
namespace {

// Powers of two, and between neighbours a size by chance, so that no rule of sizes hides what lies between; whole
// words, as puts need them. The same ones on all ranks, and whenever a calibration is gone on with. The largest leave
// the caches.
std::vector<std::size_t> curve_sizes() {
    constexpr std::size_t least = 8;
    constexpr std::size_t most = std::size_t{16} << 20;
    constexpr std::size_t word = 8;
    std::mt19937_64 random(1);
    std::vector<std::size_t> sizes;
    for (std::size_t size = least; size < most; size *= 2) {
        sizes.push_back(size);
        const double octave = 0.25 + 0.5 * std::ldexp(static_cast<double>(random()), -64);
        const auto bytes = static_cast<std::size_t>(static_cast<double>(size) * std::exp2(octave));
        const std::size_t between = std::max(bytes / word * word, size + word);
        if (between < 2 * size) sizes.push_back(between);
    }
    sizes.push_back(most);
    return sizes;
}

bool contains(const std::vector<std::size_t>& sizes, std::size_t bytes) {
    return std::ranges::find(sizes, bytes) != sizes.end();
}

// Sizes that a search found in earlier rounds.
void add_known_sizes(std::vector<MessageOptions>& cases, const std::vector<MessageSample>& samples) {
    for (MessageOptions& options : cases) {
        for (const auto& [what, messages, seconds] : samples) {
            const bool more = what == case_of(options, what.bytes) && !contains(options.sizes, what.bytes);
            if (more && options.sizes.size() > 1) options.sizes.push_back(what.bytes);
        }
    }
}

// Of the case that was measured least.
int rounds_in(const std::vector<MessageSample>& samples, const std::vector<MessageOptions>& cases) {
    std::ptrdiff_t least = cases.empty() ? 0 : static_cast<std::ptrdiff_t>(samples.size());
    for (const MessageOptions& options : cases) {
        const auto of_case = [what = case_of(options, options.sizes.front())](const MessageSample& sample) {
            return sample.what == what;
        };
        least = std::min(least, std::ranges::count_if(samples, of_case));
    }
    return static_cast<int>(least);
}

constexpr std::size_t smallest = 8;

// Of a sample.
int messages_in(double seconds) {
    constexpr double messages_a_second = 400;
    return static_cast<int>(std::clamp(messages_a_second * seconds, 50.0, 2000.0));
}

void take_over(const MessageRun& run, const MessageOptions& what, const MessageSamplingHooks& hooks,
               std::vector<MessageSample>& samples) {
    if (run.errors != 0) {
        throw std::runtime_error(fmt::format("{} by {} over {}: messages arrived with other contents than were sent",
                                             name_of(what.kernel), name_of(what.protocol), name_of(what.transport)));
    }
    for (const TakenSample& taken : run.samples) {
        samples.push_back({case_of(what, taken.bytes), taken.messages, taken.seconds});
        if (hooks.sink) hooks.sink(samples.back());
    }
}

// Returns what ended it before it was done. The round goes on, as the other ranks, which know nothing of it, are in it;
// but for a time that is over.
std::exception_ptr take_round(const std::vector<MessageOptions>& cases, std::mt19937_64& random,
                              const MessageSamplingHooks& hooks, const std::function<bool()>& is_over,
                              std::vector<MessageSample>& samples) {
    std::exception_ptr wrong;
    for (MessageOptions what : cases) {
        if (is_over()) break;
        what.seed = random();
        const MessageRun run = hooks.launch.measure(what);
        try {
            if (!wrong) take_over(run, what, hooks, samples);
        } catch (const std::exception&) {
            wrong = std::current_exception();
        }
    }
    return wrong;
}

// Step by step, and in each as often as all is measured at least.
std::exception_ptr search(std::vector<MessageOptions>& cases, int repeats, std::mt19937_64& random,
                          const MessageSamplingHooks& hooks, const std::function<bool()>& is_over,
                          std::vector<MessageSample>& samples) {
    constexpr int steps = 4;
    std::exception_ptr wrong;
    for (MessageOptions& options : cases) {
        for (int step = 0; step < steps && options.sizes.size() > 1; ++step) {
            MessageOptions more = options;
            more.repeats = repeats;
            more.sizes = hooks.launch.first_says(wrong ? Launch::Numbers() : hooks.further_sizes(samples, options));
            if (more.sizes.empty()) break;
            wrong = take_round({more}, random, hooks, is_over, samples);
            options.sizes.insert(options.sizes.end(), more.sizes.begin(), more.sizes.end());
        }
    }
    return wrong;
}

}  // namespace

std::vector<MessageOptions> message_cases(Transport transport, int ranks, double seconds) {
    const int messages = messages_in(seconds);
    std::vector<MessageOptions> cases;
    for (const KnownProtocol& known : protocols()) {
        for (const MessageKernel kernel :
             {MessageKernel::ping_pong, MessageKernel::send_overhead, MessageKernel::receive_overhead}) {
            MessageOptions what;
            what.kernel = kernel;
            what.protocol = known.protocol;
            what.transport = transport;
            what.ranks = ranks;
            what.sizes = kernel == MessageKernel::ping_pong ? curve_sizes() : std::vector<std::size_t>{smallest};
            what.repeats = 1;
            what.messages = kernel == MessageKernel::ping_pong ? messages : 10 * messages;
            cases.push_back(what);
        }
    }
    return cases;
}

std::vector<MessageOptions> distant_cases(const std::vector<CorePair>& pairs, double seconds) {
    std::vector<MessageOptions> cases;
    for (const CorePair& pair : pairs) {
        if (pair.first == 0 && pair.second == 1) continue;
        for (MessageOptions what : message_cases(Transport::shared, 2, seconds)) {
            what.between = pair;
            cases.push_back(what);
        }
    }
    return cases;
}

std::vector<MessageOptions> gateway_cases(double seconds) {
    std::vector<MessageOptions> cases;
    for (const int domain : {0, 1}) {
        MessageOptions what;
        what.protocol = Protocol::receiver_initiated;
        what.domain = domain;
        what.workers = 1;
        what.sizes = {smallest};
        what.repeats = 1;
        what.messages = messages_in(seconds);
        cases.push_back(what);
    }
    return cases;
}

MessageSampled sample_messages(std::vector<MessageOptions> cases, const MessageSamplingLimits& limits,
                               const MessageSamplingHooks& hooks, std::vector<MessageSample> earlier) {
    MessageSampled result;
    result.samples = std::move(earlier);
    const double begin = wall_seconds();
    double round_seconds = 0;
    std::exception_ptr wrong;
    const auto interrupted = [&hooks] { return hooks.stop != nullptr && hooks.stop->load(); };
    const std::function<bool()> is_over = [&] {
        return limits.most_seconds > 0 && wall_seconds() - begin > limits.most_seconds;
    };
    const auto goes_on = [&](int rounds) {
        if (is_over()) return false;
        const bool in_time = rounds < limits.least || wall_seconds() - begin + round_seconds < limits.seconds;
        return hooks.launch.first_agrees(!wrong && !interrupted() && in_time && rounds < limits.most);
    };
    add_known_sizes(cases, result.samples);
    for (int rounds = rounds_in(result.samples, cases); goes_on(rounds); ++rounds) {
        const double start = wall_seconds();
        std::mt19937_64 random(1 + static_cast<std::uint64_t>(rounds));
        std::shuffle(cases.begin(), cases.end(), random);
        wrong = take_round(cases, random, hooks, is_over, result.samples);
        round_seconds = wall_seconds() - start;
        if (rounds + 1 == limits.least && hooks.further_sizes && hooks.launch.first_agrees(!wrong && !interrupted())) {
            wrong = search(cases, limits.least, random, hooks, is_over, result.samples);
        }
    }
    if (wrong) std::rethrow_exception(wrong);
    result.interrupted = interrupted();
    result.complete = !is_over() || rounds_in(result.samples, cases) >= limits.least;
    return result;
}

}  // namespace narrows
