#pragma once

#include <compare>
#include <cstddef>
#include <string>

#include "calibrate/kernels/messages/measure.hpp"

namespace narrows {

/// By what, and between whom, messages go.
struct MessageWay {
    Protocol protocol = Protocol::active_message;
    Transport transport = Transport::shared;
    int ranks = 2;
    int domain = 0;          ///< ranks behind a gateway, as in MessageOptions
    int workers = 0;         ///< threads, as there
    std::string distance{};  ///< of their cores, as in CorePair; empty: that of cores 0 and 1

    // What the compiler makes of it compares with 0, which clang-tidy 14 takes for a pointer.
    auto operator<=>(const MessageWay&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// What samples are of: those of the same case are of the same thing.
struct MessageCase {
    MessageKernel kernel = MessageKernel::ping_pong;
    MessageWay way;
    std::size_t bytes = 0;

    auto operator<=>(const MessageCase&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// What the samples of these options and this size are of.
inline MessageCase case_of(const MessageOptions& options, std::size_t bytes) {
    const std::string distance = options.between ? options.between->distance : "";
    return {options.kernel,
            {options.protocol, options.transport, options.ranks, options.domain, options.workers, distance},
            bytes};
}

/// One sample of a case: so many messages, each of which took so many seconds, as the kernel counts it.
struct MessageSample {
    MessageCase what;
    int messages = 0;
    double seconds = 0;
};

}  // namespace narrows
