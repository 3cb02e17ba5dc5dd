#pragma once

#include <string>
#include <utility>
#include <vector>

#include "calibrate/kernels/sweep3d/sweep_ranks.hpp"
#include "calibrate/messaging/meet.hpp"
#include "calibrate/messaging/process_run.hpp"
#include "calibrate/messaging/with_messages.hpp"

namespace narrows {

/// The records of all ranks on rank 0, nothing on the others. Their clocks may be of different hosts: each record's
/// begin is made 0.
template <class Messages, class Waiter>
std::vector<SweepRecord> gathered(Messages& messages, int me, int ranks, SweepRecord own, Waiter& waiter) {
    constexpr int tag = 2;
    own.end -= own.begin;
    own.begin = 0;
    std::string bytes = write_record(own);
    if (me != 0) {
        messages.send(me, 0, tag, bytes.data(), bytes.size(), waiter);
        return {};
    }
    std::vector<SweepRecord> all = {own};
    for (int other = 1; other < ranks; ++other) {  // all records have the same size
        messages.receive(0, other, tag, bytes.data(), bytes.size(), waiter);
        all.push_back(read_sweep_record(bytes));
    }
    return all;
}

/// The ranks of this process of a run on several: the first process returns the records of all.
template <class Endpoint>
std::vector<SweepRecord> sweep_with_others(const SweepPlan& plan, Endpoint& endpoint, bool crowded) {
    endpoint.use({plan.ranks(), endpoint.processes()});
    const RankLayout layout = endpoint.layout();
    const int first = layout.first_rank(endpoint.process());
    const int last = layout.first_rank(endpoint.process() + 1);
    SweepRanks ranks(plan, first, last);
    std::vector<SweepRecord> records;
    const auto execute = [&](const auto& make, const auto& body) {
        ProcessWaiter waiter(waiting_on(endpoint, crowded));
        run_process(endpoint, waiter, make, body);
    };
    with_messages<Endpoint>(plan.options().protocol, layout, first, last, execute,
                            [&](auto& messages, int me, auto& waiter) {
                                meet(messages, me, layout.ranks, waiter);
                                ranks[me].run(messages, waiter);
                                auto all = gathered(messages, me, layout.ranks, ranks[me].record(), waiter);
                                if (me == 0) records = std::move(all);
                            });
    return records;
}

}  // namespace narrows
