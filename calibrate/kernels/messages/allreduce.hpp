#pragma once

#include <cstring>

#include "calibrate/kernels/messages/plan.hpp"
#include "calibrate/messaging/node_allreduce.hpp"
#include "calibrate/messaging/node_shared_allreduce.hpp"

namespace narrows {

/// Allreduce of as many doubles as the bytes of a sample hold, summed: element i of rank r is r + i, so that the result
/// is known. The seconds of a sample are those of one. `node_ranks` above 0: by nodes of so many ranks, which
/// `segments` are of if they share memory.
template <class Messages, class Waiter>
void allreduce_samples(Messages& messages, int me, Allreduce how, int node_ranks, const NodeSegments* segments,
                       const SamplePlan& plan, RankRecord& record, Waiter& waiter) {
    const int ranks = messages.ranks();
    Member<Messages, Waiter> member(messages, {0, ranks}, me, waiter);
    record.prepare(plan);
    auto* data = reinterpret_cast<double*>(record.out.data());
    auto* scratch = reinterpret_cast<double*>(record.in.data());
    const auto add = [](double a, double b) { return a + b; };
    const double of_ranks = static_cast<double>(ranks) * (ranks - 1) / 2;
    for (const auto& [bytes, times] : plan.samples) {
        const std::size_t count = bytes / sizeof(double);
        std::size_t wrong = 0;
        double seconds = 0;
        for (int time = -1; time < times; ++time) {
            for (std::size_t i = 0; i < count; ++i) data[i] = me + static_cast<double>(i);
            barrier(member);  // filling and checking are not timed, of nobody
            const double start = wall_seconds();
            if (segments != nullptr) {
                allreduce_node_shared(member, *segments, data, scratch, count, add);
            } else if (node_ranks != 0) {
                allreduce_by_nodes(member, how, node_ranks, data, scratch, count, add);
            } else {
                allreduce(member, how, data, scratch, count, add);
            }
            if (time >= 0) seconds += wall_seconds() - start;
            for (std::size_t i = 0; i < count; ++i) wrong += data[i] != of_ranks + ranks * static_cast<double>(i);
        }
        record.seconds.push_back(seconds / times);
        record.check(wrong == 0);
    }
}

}  // namespace narrows
