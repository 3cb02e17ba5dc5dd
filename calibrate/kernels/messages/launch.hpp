#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "calibrate/kernels/messages/measure.hpp"

namespace narrows {

/// The ranks that measure messages together, as this process sees them: all of them its own, or one of a launcher's or
/// of a job between hosts. Every process calls the same in the same order; what fails on one of them ends all.
struct Launch {
    using Numbers = std::vector<std::size_t>;

    int rank = 0;  ///< of this process; 0 where all ranks are its own
    /// Measures with all ranks, of which rank 0 gets the points.
    std::function<MessageRun(const MessageOptions& options)> measure;
    /// What rank 0 says, on all ranks.
    std::function<Numbers(const Numbers& own)> first_says;

    /// Whether rank 0 says yes, on all ranks.
    bool first_agrees(bool own) const { return !first_says(own ? Numbers{1} : Numbers()).empty(); }
};

/// What ranks that are started one by one must have in common: those that had other plans would wait for each other for
/// ever.
inline Launch::Numbers shared_plan(const MessageOptions& options) {
    const auto number = [](auto value) { return static_cast<std::size_t>(value); };
    Launch::Numbers plan = {
        number(options.kernel),
        number(options.protocol),
        number(options.pattern),
        number(options.progress),
        number(options.neighbours),
        number(algorithm_of(options)),
        options.by_rounds == nullptr ? 0 : number(1 + (options.by_rounds - collective_algorithms().data())),
        number(options.node_ranks),
        number(options.repeats),
        number(options.messages),
        number(options.seed),
        number(options.ranks_per_process),
        number(options.program ? options.program->digest : 0)};
    plan.insert(plan.end(), options.sizes.begin(), options.sizes.end());
    return plan;
}

/// With the ranks of this process or of its children, as `measure_messages`.
inline Launch launch_here() {
    return {0, measure_messages, [](const Launch::Numbers& own) { return own; }};
}

}  // namespace narrows
