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

// Adds a copy's part to the run.
void gather(SweepRun& run, const std::vector<SweepRecord>& records) {
    double begin = records.front().begin;
    double end = records.front().end;
    run.messages = run.bytes = 0;
    for (const SweepRecord& record : records) {
        begin = std::min(begin, record.begin);
        end = std::max(end, record.end);
        run.messages += record.messages;
        run.bytes += record.bytes;
    }
    run.seconds += (end - begin) / run.workers;
}

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
    SweepRun run;
    run.workers = copies;
    for (const ProcessorSpan& span : spans) run.cpu_seconds += span.end - span.begin;
    run.involuntary_switches = times.involuntary_switches;
    for (const SweepRanks& copy : ranks) gather(run, copy.records());
    run.iterations.resize(static_cast<std::size_t>(plan.problem().iterations));
    run.cell_angles = std::int64_t{8} * plan.problem().angles * copies;
    for (const int cells : plan.problem().cells) run.cell_angles *= cells;
    return run;
}

}  // namespace narrows
