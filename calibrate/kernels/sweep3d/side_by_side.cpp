#include "calibrate/kernels/sweep3d/side_by_side.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "calibrate/kernels/sweep3d/sweep_ranks.hpp"
#include "calibrate/messaging/receiver_initiated.hpp"
#include "calibrate/messaging/shared_run.hpp"
#include "calibrate/ranks/thread_time.hpp"

namespace narrows {
namespace {

/// The messages of a copy, whose ranks are numbered from 0.
template <class Messages>
class CopyMessages {
  public:
    CopyMessages(Messages& messages, int first) : messages_(messages), first_(first) {}

    template <class Waiter>
    void send(int me, int to, int tag, const void* data, std::size_t bytes, Waiter& waiter) {
        messages_.send(first_ + me, first_ + to, tag, data, bytes, waiter);
    }
    template <class Waiter>
    void receive(int me, int from, int tag, void* buffer, std::size_t capacity, Waiter& waiter) {
        messages_.receive(first_ + me, first_ + from, tag, buffer, capacity, waiter);
    }

  private:
    Messages& messages_;
    int first_;
};

// Processor time of a copy's thread when the first of its ranks began and when the last one ended, without set-up.
struct alignas(64) ProcessorSpan {
    double begin = std::numeric_limits<double>::infinity();
    double end = 0;
};

}  // namespace

SweepRun run_side_by_side(const SweepOptions& options, int copies) {
    SweepOptions chosen = options;
    chosen.protocol = Protocol::receiver_initiated;
    const SweepPlan plan(checked(chosen));
    std::vector<SweepRanks> ranks;
    for (int copy = 0; copy < copies; ++copy) ranks.emplace_back(plan, 0, plan.ranks());
    RankOptions how;
    how.layout = {copies * plan.ranks(), copies};
    ReceiverInitiatedMemory memory(how.layout);
    using Messages = ReceiverInitiated<SharedEndpoint>;
    const auto make = [&](SharedEndpoint& endpoint) {
        return std::make_unique<Messages>(endpoint, how.layout, memory);
    };
    std::vector<ProcessorSpan> spans(static_cast<std::size_t>(copies));
    const RankTimes times = run_shared(how, make, [&](Messages& messages, int rank, auto& waiter) {
        const int copy = rank / plan.ranks();
        CopyMessages own(messages, copy * plan.ranks());
        ProcessorSpan& span = spans[static_cast<std::size_t>(copy)];
        span.begin = std::min(span.begin, thread_seconds());
        ranks[static_cast<std::size_t>(copy)][rank % plan.ranks()].run(own, waiter);
        span.end = std::max(span.end, thread_seconds());
    });
    SweepRun run = gathered_run(plan, ranks.front().records());
    run.workers = run.cores = copies;
    run.seconds = 0;
    for (const SweepRanks& copy : ranks) run.seconds += gathered_run(plan, copy.records()).seconds / copies;
    run.cell_angles *= copies;
    for (const ProcessorSpan& span : spans) run.cpu_seconds += span.end - span.begin;
    run.involuntary_switches = times.involuntary_switches;
    return run;
}

}  // namespace narrows
