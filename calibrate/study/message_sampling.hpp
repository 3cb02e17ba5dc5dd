#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "calibrate/kernels/messages/launch.hpp"
#include "calibrate/study/message_case.hpp"

namespace narrows {

/// What calibration measures of messages over a transport: of every protocol the ping-pong over sizes of all octaves,
/// powers of two and others by chance, and the calls of both ends at the smallest. A sample has the
/// fewer messages the fewer `seconds` there are.
std::vector<MessageOptions> message_cases(Transport transport, int ranks, double seconds);

/// The same in shared memory, for each of the pairs but that of cores 0 and 1, on which the cases above run.
std::vector<MessageOptions> distant_cases(const std::vector<CorePair>& pairs, double seconds);

/// What gateways cost (pakin2009): receiver-initiated ping-pongs of 8 bytes through two gateways and without them, all
/// ranks and gateways on one core, where none of them works beside another. Shared memory, fibers.
std::vector<MessageOptions> gateway_cases(double seconds);

struct MessageSamplingLimits {
    double seconds = 6;  ///< no round beyond the least is begun that would end later
    /// No case is begun later, the least rounds done or not; 0: those are always done. For one process alone, as ranks
    /// that look at clocks of their own could part.
    double most_seconds = 0;
    int least = 3;  ///< rounds, unless stopped; from six on medians have their intervals
    int most = 15;
};

/// How samples are taken.
struct MessageSamplingHooks {
    Launch launch = launch_here();
    std::function<void(const MessageSample&)> sink;  ///< keeps a sample as soon as its run is over; may be empty
    /// Sizes to be measured too, as the samples so far tell, such as `sizes_at_breaks`; those of rank 0 count. May be
    /// empty.
    std::function<std::vector<std::size_t>(const std::vector<MessageSample>& samples, const MessageOptions& what)>
        further_sizes = {};
    const std::atomic<bool>* stop = nullptr;  ///< ends sampling after the round under way; may be none
};

struct MessageSampled {
    std::vector<MessageSample> samples;
    bool interrupted = false;
    bool complete = true;  ///< the least rounds were done
};

/// Runs all cases in rounds, each in an order and with runs of its own, one sample of each size, until a limit is
/// reached. Behind the least rounds the further sizes are searched for of those cases that have several, in few steps,
/// and join them. Samples of `earlier` rounds count, and their sizes are gone on with. Throws std::runtime_error when
/// messages arrived with other contents than were sent.
MessageSampled sample_messages(std::vector<MessageOptions> cases, const MessageSamplingLimits& limits,
                               const MessageSamplingHooks& hooks, std::vector<MessageSample> earlier = {});

}  // namespace narrows
