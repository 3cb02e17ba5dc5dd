#pragma once

#include <functional>
#include <vector>

#include "calibrate/kernels/messages/launch.hpp"

namespace narrows {

/// Takes 100 ns up to a limit and thrice as long above, and a little for bytes. As in a job, rank 0 alone gets points.
struct SwitchingProtocol {
    double limit;
    int rank = 0;
    std::vector<std::vector<std::size_t>> asked = {};

    MessageRun operator()(const MessageOptions& options) {
        asked.push_back(options.sizes);
        MessageRun run;
        run.seconds = 1;
        if (rank != 0) return run;
        for (const std::size_t bytes : options.sizes) {
            const auto size = static_cast<double>(bytes);
            const double seconds = (size <= limit ? 100e-9 : 300e-9) + size * 1e-12;
            run.points.push_back({bytes, {seconds, 0.99 * seconds, 1.01 * seconds, 15}});
            run.samples.push_back({bytes, 1, seconds});
        }
        return run;
    }
};

/// The ranks of `launch`, as if they measured that protocol.
inline Launch measuring(SwitchingProtocol& protocol, Launch launch) {
    launch.measure = std::ref(protocol);
    return launch;
}

/// Sends of 8, 16, … 65536 bytes.
inline MessageOptions sends_of_powers() {
    MessageOptions options;
    options.protocol = Protocol::buffered;
    options.sizes.clear();
    for (std::size_t bytes = 8; bytes <= 65536; bytes *= 2) options.sizes.push_back(bytes);
    return options;
}

}  // namespace narrows
