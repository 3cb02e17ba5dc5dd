#include "calibrate/study/message_sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <stdexcept>

namespace narrows {
namespace {

// Two sizes an octave where protocols change, so that it shows between neighbours; whole words, as puts need them.
std::vector<std::size_t> curve_sizes() {
    constexpr std::size_t least = 8;
    constexpr std::size_t dense = std::size_t{64} << 10;
    constexpr std::size_t most = std::size_t{4} << 20;
    std::vector<std::size_t> sizes;
    for (std::size_t size = least; size < most; size *= 2) {
        sizes.push_back(size);
        if (size > least && size < dense) sizes.push_back(size + size / 2);
    }
    sizes.push_back(most);
    return sizes;
}

// Of the case that was measured least.
int rounds_in(const std::vector<MessageSample>& samples, const std::vector<MessageOptions>& cases) {
    std::ptrdiff_t least = cases.empty() ? 0 : static_cast<std::ptrdiff_t>(samples.size());
    for (const MessageOptions& options : cases) {
        const auto of_case = [what = case_of(options, options.sizes.front())](const MessageSample& sample) {
            return sample.what == what;
        };
        least = std::min(least, std::count_if(samples.begin(), samples.end(), of_case));
    }
    return static_cast<int>(least);
}

constexpr std::size_t smallest = 8;

// Of a sample.
int messages_in(double seconds) {
    constexpr double messages_a_second = 400;
    return std::clamp(static_cast<int>(messages_a_second * seconds), 50, 2000);
}

void take(MessageOptions what, std::uint64_t seed, const MessageSamplingHooks& hooks,
          std::vector<MessageSample>& samples) {
    what.seed = seed;
    const MessageRun run = hooks.launch.measure(what);
    if (run.errors != 0) {
        throw std::runtime_error(fmt::format("{} by {} over {}: messages brought something else than was sent",
                                             name_of(what.kernel), name_of(what.protocol), name_of(what.transport)));
    }
    for (const TakenSample& taken : run.samples) {
        samples.push_back({case_of(what, taken.bytes), taken.messages, taken.seconds});
        if (hooks.sink) hooks.sink(samples.back());
    }
}

}  // namespace

std::vector<MessageOptions> message_cases(Transport transport, int ranks, double seconds) {
    const int messages = messages_in(seconds);
    std::vector<MessageOptions> cases;
    for (const Protocol protocol : {Protocol::active_message, Protocol::eager, Protocol::rendezvous, Protocol::buffered,
                                    Protocol::receiver_initiated, Protocol::command_queue}) {
        for (const MessageKernel kernel : {MessageKernel::ping_pong, MessageKernel::stream,
                                           MessageKernel::send_overhead, MessageKernel::receive_overhead}) {
            MessageOptions what;
            what.kernel = kernel;
            what.protocol = protocol;
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

MessageSampled sample_messages(const std::vector<MessageOptions>& cases, const MessageSamplingLimits& limits,
                               const MessageSamplingHooks& hooks, std::vector<MessageSample> earlier) {
    MessageSampled result;
    result.samples = std::move(earlier);
    const double begin = wall_seconds();
    double round_seconds = 0;
    const auto interrupted = [&hooks] { return hooks.stop != nullptr && hooks.stop->load(); };
    const auto goes_on = [&](int rounds) {
        const bool in_time = rounds < limits.least || wall_seconds() - begin + round_seconds < limits.seconds;
        const bool own = !interrupted() && in_time;
        return hooks.launch.first_agrees(own);
    };
    for (int rounds = rounds_in(result.samples, cases); rounds < limits.most && goes_on(rounds); ++rounds) {
        const double start = wall_seconds();
        std::vector<MessageOptions> order = cases;
        std::mt19937_64 random(limits.seed + static_cast<std::uint64_t>(rounds));
        std::shuffle(order.begin(), order.end(), random);
        for (const MessageOptions& what : order) take(what, random(), hooks, result.samples);
        round_seconds = wall_seconds() - start;
    }
    result.interrupted = interrupted();
    return result;
}

}  // namespace narrows
