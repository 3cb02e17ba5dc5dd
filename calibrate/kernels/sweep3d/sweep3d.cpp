#include "calibrate/kernels/sweep3d/sweep3d.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "calibrate/kernels/messages/socket_run.hpp"
#include "calibrate/kernels/sweep3d/process_sweep.hpp"
#include "calibrate/kernels/sweep3d/sweep_ranks.hpp"
#include "calibrate/measure/elapsed.hpp"
#include "calibrate/messaging/virtual_run.hpp"
#include "calibrate/messaging/with_messages.hpp"
#include "calibrate/ranks/cores.hpp"

namespace narrows {
namespace {

// Progress of one of so many workers, in blocks swept.
std::function<void(std::uint64_t)> report_of(const SweepPlan& plan, int workers) {
    const auto& progress = plan.options().progress;
    if (!progress) return {};
    const double blocks =
        8.0 * plan.angle_blocks() * plan.plane_blocks() * plan.problem().iterations * plan.ranks() / workers;
    return [&progress, blocks](std::uint64_t done) { progress(std::min(1.0, static_cast<double>(done) / blocks)); };
}

SweepRun over_shared_memory(const SweepPlan& plan) {
    const SweepOptions& options = plan.options();
    SweepRanks ranks(plan, 0, plan.ranks());
    RankOptions how;
    how.layout = rank_layout(plan.ranks(), options.workers);
    how.report = report_of(plan, how.layout.workers);
    const RankTimes times =
        run_messages(options.protocol, options.domain, how,
                     [&ranks](auto& messages, int rank, auto& waiter) { ranks[rank].run(messages, waiter); });
    SweepRun run = gathered_run(plan, ranks.records());
    run.workers = how.layout.workers;
    run.cpu_seconds = times.cpu_seconds;
    run.involuntary_switches = times.involuntary_switches;
    run.pinned = times.pinned;
    return run;
}

SweepRun in_virtual_time(const SweepPlan& plan) {
    const SweepOptions& options = plan.options();
    SweepRanks ranks(plan, 0, plan.ranks());
    const double start = wall_seconds();
    const VirtualTimes times =
        run_virtual(plan.ranks(), options.domain, options.virtual_clock->costs, report_of(plan, 1),
                    [&ranks](auto& messages, int rank, auto& waiter) { ranks[rank].run(messages, waiter); });
    SweepRun run = gathered_run(plan, ranks.records());
    run.workers = run.cores = 1;
    run.switches = times.switches;
    const auto first_gateway = times.busy.begin() + plan.ranks();
    run.rank_busy = std::accumulate(times.busy.begin(), first_gateway, 0.0) / (times.seconds * plan.ranks());
    if (first_gateway != times.busy.end()) {
        const double all = times.seconds * static_cast<double>(times.busy.end() - first_gateway);
        run.gateway_busy = std::accumulate(first_gateway, times.busy.end(), 0.0) / all;
        run.busiest_gateway = *std::max_element(first_gateway, times.busy.end()) / times.seconds;
    }
    run.wall_seconds = wall_seconds() - start;
    return run;
}

SweepRun over_tcp(const SweepPlan& plan) {
    const SocketRun job = run_over_sockets(plan.options(), plan.ranks(), [&](TcpEndpoint& endpoint, bool crowded) {
        return swept_part(plan, endpoint, crowded);
    });
    SweepRun run = run_of_parts(plan, job.texts);
    run.pinned = !job.crowded;
    return run;
}

}  // namespace

SweepRun gathered_run(const SweepPlan& plan, const std::vector<SweepRecord>& records) {
    SweepRun run;
    const SweepProblem& problem = plan.problem();
    run.iterations.assign(static_cast<std::size_t>(problem.iterations), {});
    double begin = records.front().begin;
    double end = records.front().end;
    for (const SweepRecord& record : records) {
        begin = std::min(begin, record.begin);
        end = std::max(end, record.end);
        run.messages += record.messages;
        run.bytes += record.bytes;
        run.balance.source += record.emitted;
        run.balance.absorption += record.absorption;
        for (std::size_t face = 0; face < record.leakage.size(); ++face) {
            run.balance.leakage[face] += record.leakage[face];
        }
        for (std::size_t i = 0; i < run.iterations.size(); ++i) {
            run.iterations[i].error = std::max(run.iterations[i].error, record.iterations[i].error);
            run.iterations[i].fixed += record.iterations[i].fixed;
            run.iterations[i].imbalance += record.iterations[i].imbalance;
        }
    }
    // By a machine's clock nothing may take no time.
    run.seconds = plan.options().virtual_clock ? end - begin : elapsed(end - begin);
    run.vectors = plan.vectors();
    run.ranks = plan.ranks();
    run.cell_angles = std::int64_t{8} * problem.angles;
    for (const int cells : problem.cells) run.cell_angles *= cells;
    run.workers = run.cores = plan.ranks() / plan.options().ranks_per_process;
    return run;
}

SweepRun run_of_parts(const SweepPlan& plan, const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += part;
    const std::size_t bytes = text.size() / static_cast<std::size_t>(plan.ranks());  // of each record
    std::vector<SweepRecord> records;
    for (std::size_t at = 0; at < text.size(); at += bytes)
        records.push_back(read_sweep_record(text.substr(at, bytes)));
    return gathered_run(plan, records);
}

std::uint64_t SweepRun::errors() const {
    constexpr double rounding = 1e-10;
    return static_cast<std::uint64_t>(std::ranges::count_if(iterations, [this](const SweepIteration& iteration) {
        return !(std::abs(iteration.imbalance) <= rounding * balance.source);
    }));
}

double SweepRun::grind_time() const {
    return iteration_seconds() * cores / static_cast<double>(cell_angles);
}

SweepRun run_sweep3d_at(const TcpPlace& place, const JobSecret& secret, const SweepOptions& options) {
    const SweepPlan plan(options);
    SweepRun run;
    run_tcp_rank(place, secret, [&](TcpEndpoint& endpoint, int /*process*/) {
        run = sweep_with_others(plan, endpoint, endpoint.crowded());
        return std::string();
    });
    return run;
}

SweepRun run_sweep3d(const SweepOptions& options) {
    const SweepPlan plan(checked(options));
    if (plan.options().virtual_clock) return in_virtual_time(plan);
    SweepRun run = options.transport == Transport::shared ? over_shared_memory(plan) : over_tcp(plan);
    run.cores = std::min(run.workers, Cores().count());
    return run;
}

}  // namespace narrows
