#pragma once

#include <string>
#include <vector>

#include "calibrate/kernels/sweep3d/sweep_ranks.hpp"
#include "calibrate/messaging/process_run.hpp"
#include "calibrate/messaging/with_messages.hpp"

namespace narrows {

/// Where ranks of several processes come together: nobody goes on before all have come.
template <class Messages, class Waiter>
void meet(Messages& messages, int me, int ranks, Waiter& waiter) {
    constexpr int tag = 1;
    char token = 0;
    if (me != 0) {
        messages.send(me, 0, tag, &token, sizeof token, waiter);
        messages.receive(me, 0, tag, &token, sizeof token, waiter);
        return;
    }
    for (int other = 1; other < ranks; ++other) messages.receive(0, other, tag, &token, sizeof token, waiter);
    for (int other = 1; other < ranks; ++other) messages.send(0, other, tag, &token, sizeof token, waiter);
}

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

/// This process's rank of a run of one rank a process, started by a launcher: rank 0 returns the records of all.
template <class Endpoint>
std::vector<SweepRecord> sweep_with_others(const SweepPlan& plan, Endpoint& endpoint, int rank, bool crowded) {
    SweepRanks ranks(plan, rank, rank + 1);
    const RankLayout layout = process_layout(endpoint);
    std::vector<SweepRecord> records;
    const auto execute = [&](const auto& make, const auto& body) {
        ProcessWaiter waiter(waiting_on(endpoint, crowded));
        run_process(endpoint, waiter, make, body);
    };
    with_messages<Endpoint>(plan.options().protocol, layout, rank, rank + 1, execute,
                            [&](auto& messages, int me, auto& waiter) {
                                meet(messages, me, layout.ranks, waiter);
                                ranks[me].run(messages, waiter);
                                records = gathered(messages, me, layout.ranks, ranks[me].record(), waiter);
                            });
    return records;
}

}  // namespace narrows
