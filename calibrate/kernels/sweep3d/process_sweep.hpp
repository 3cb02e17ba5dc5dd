#pragma once

#include <string>
#include <vector>

#include "calibrate/kernels/sweep3d/sweep_ranks.hpp"
#include "calibrate/messaging/collectives.hpp"
#include "calibrate/messaging/process_run.hpp"
#include "calibrate/messaging/with_messages.hpp"

namespace narrows {

/// Runs the ranks of this process of a run on several. Returns their records, as bytes that travel between processes;
/// as clocks may be of different hosts, each record's begin is made 0.
template <class Endpoint>
std::string swept_part(const SweepPlan& plan, Endpoint& endpoint, bool crowded) {
    endpoint.use({plan.ranks(), endpoint.processes()});
    const RankLayout layout = endpoint.layout();
    const int first = layout.first_rank(endpoint.process());
    const int last = layout.first_rank(endpoint.process() + 1);
    SweepRanks ranks(plan, first, last);
    const auto execute = [&](const auto& make, const auto& body) {
        ProcessWaiter waiter(waiting_on(endpoint, crowded));
        run_process(endpoint, waiter, make, body);
    };
    with_messages<Endpoint>(plan.options().protocol, layout, first, last, execute,
                            [&](auto& messages, int me, auto& waiter) {
                                MemberOf member(messages, me, waiter);
                                barrier(member);
                                ranks[me].run(messages, waiter);
                            });
    std::string part;
    for (SweepRecord& record : ranks.records()) {
        record.end -= record.begin;
        record.begin = 0;
        part += write_record(record);
    }
    return part;
}

/// The run of all processes, of which these are the parts.
SweepRun run_of_parts(const SweepPlan& plan, const std::vector<std::string>& parts);

/// Runs this process's part; the first process returns what came of all, the others nothing.
template <class Endpoint>
SweepRun sweep_with_others(const SweepPlan& plan, Endpoint& endpoint, bool crowded) {
    const std::vector<std::string> parts = endpoint.gather(swept_part(plan, endpoint, crowded));
    return parts.empty() ? SweepRun() : run_of_parts(plan, parts);
}

}  // namespace narrows
