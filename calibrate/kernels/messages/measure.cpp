#include "calibrate/kernels/messages/measure.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "calibrate/kernels/messages/message_program.hpp"
#include "calibrate/kernels/messages/socket_run.hpp"
#include "calibrate/measure/elapsed.hpp"

namespace narrows {
namespace {

// A sample of a kernel takes as long as one of so many times the messages.
std::int64_t weight_of(const MessageOptions& options) {
    // Threads that share cores wait for each other's turns, some milliseconds each.
    const bool shares_cores = options.progress == MessageProgress::thread && 2 * options.ranks > Cores().count();
    switch (options.kernel) {
        case MessageKernel::matvec:         // thousands of messages
        case MessageKernel::send_overhead:  // before a call is timed all settles
        case MessageKernel::receive_overhead:
            return 100;
        case MessageKernel::overlap:  // several messages for one
            return shares_cores ? 1000 : 10;
        case MessageKernel::all_to_all:  // blocks of all
        case MessageKernel::allgather:
            return std::int64_t{2} * options.ranks;
        case MessageKernel::reduce_scatter:
            return 2;
        default:
            return 1;
    }
}

/// Samples of each size, in the order of sizes.
std::map<std::size_t, std::vector<double>> by_size(const SamplePlan& plan, const std::vector<double>& samples) {
    std::map<std::size_t, std::vector<double>> sizes;
    for (std::size_t i = 0; i < samples.size(); ++i) sizes[plan.samples[i].bytes].push_back(samples[i]);
    return sizes;
}

void take_over_cores(MessageRun& run, const CoreTime& cores) {
    run.cpu_seconds = cores.processor_seconds;
    run.awake_seconds = cores.awake_seconds;
    run.involuntary_switches = cores.involuntary_switches;
    run.own_cores = !cores.crowded;
}

void take_over(MessageRun& run, MessageKernel kernel, const SamplePlan& whole, const RankRecord& record) {
    SamplePlan plan = whole;
    plan.samples.resize(record.seconds.size());
    run.cut_by = record.cut_by;
    run.errors = record.errors;
    if (run.cut_by.empty()) run.verified = record.checked >= plan.samples.size();
    const bool call = kernel == MessageKernel::send_overhead || kernel == MessageKernel::receive_overhead;
    for (std::size_t i = 0; i < plan.samples.size(); ++i) {
        const auto [bytes, messages] = plan.samples[i];
        const bool unseen = call && record.seconds[i] == 0;  // a call may be too short to be seen
        run.samples.push_back({bytes, messages, unseen ? 0 : elapsed(record.seconds[i])});
    }
    for (auto& [bytes, seconds] : by_size(plan, record.seconds)) {
        run.points.push_back({bytes, median_estimate(seconds)});
    }
}

std::vector<OverlapRatios> overlaps_of(const SamplePlan& plan, const RankRecord& record) {
    const auto receives = by_size(plan, record.receive_overlap);
    std::vector<OverlapRatios> overlaps;
    for (const auto& [bytes, sends] : by_size(plan, record.send_overlap)) {
        overlaps.push_back({median_estimate(sends), median_estimate(receives.at(bytes))});
    }
    return overlaps;
}

MessageRun over_shared_memory(const MessageOptions& options, const SamplePlan& plan) {
    RankOptions ranks;
    ranks.layout = rank_layout(options.ranks, options.workers);
    if (options.between) ranks.cores = {options.between->first, options.between->second};
    MessageProgram<SharedEndpoint> program(options, plan, ranks.layout, 0, options.ranks);
    const RankTimes times =
        options.domain > 0
            ? run_messages(options.protocol, options.domain, ranks, program.two_sided(), options.overlap_legs)
            : program.run([&](const auto& make, const auto& body) { return run_shared(ranks, make, body); });
    MessageRun run;
    run.workers = ranks.layout.workers;
    static_cast<WorkerTimes&>(run) = static_cast<const WorkerTimes&>(times);
    run.awake_seconds = times.seconds * run.workers;
    run.own_cores = times.pinned;
    const RankRecord record = program.record_of_all();
    take_over(run, options.kernel, plan, record);
    run.overlaps = overlaps_of(plan, record);
    return run;
}

MessageRun over_tcp(const MessageOptions& options, const SamplePlan& plan) {
    const double start = wall_seconds();
    const SocketRun job = run_over_sockets(options, options.ranks, [&](TcpEndpoint& endpoint, bool crowded) {
        return run_message_process(options, plan, endpoint, crowded);
    });
    const RankRecord record = read_record(job.texts.front());
    MessageRun run;
    run.workers = job.processes;
    run.pinned = !job.crowded;
    run.seconds = wall_seconds() - start;
    take_over(run, options.kernel, plan, record);
    take_over_cores(run, record.cores);
    return run;
}

}  // namespace

SamplePlan message_plan(const MessageOptions& options) {
    const std::int64_t least_messages = std::min(8, options.messages);
    const bool one = options.kernel == MessageKernel::stream && from_one(options.pattern);
    const int pairs = one ? 1 : std::max(1, options.ranks / 2);
    const auto messages = static_cast<int>(std::max(least_messages, options.messages / (pairs * weight_of(options))));
    SamplePlan plan = sample_plan(options.sizes, options.repeats, messages, options.seed);
    // From one rank a message to each, or the answers would be most of the time; of overlap enough for a median.
    const int least = one ? options.ranks - 1 : options.kernel == MessageKernel::overlap ? 25 : 0;
    for (SampleOfSize& sample : plan.samples) sample.messages = std::max(sample.messages, least);
    return plan;
}

MessageRun measure_messages(const MessageOptions& options) {
    if (options.transport == Transport::mpi) throw std::logic_error("measure_messages: MPI has its own launcher");
    check_messages(options);
    const SamplePlan plan = message_plan(options);
    MessageRun run =
        options.transport == Transport::shared ? over_shared_memory(options, plan) : over_tcp(options, plan);
    run.ranks = options.ranks;
    return run;
}

MessageRun measure_part(const MessageOptions& options, int rank, const RankPart& part) {
    check_messages(options);
    const SamplePlan plan = message_plan(options);
    const double start = wall_seconds();
    const RankRecord record = part(options, plan);
    MessageRun run;
    run.ranks = options.ranks;
    run.workers = options.ranks / options.ranks_per_process;
    run.seconds = wall_seconds() - start;
    run.pinned = Cores().count() == 1;
    if (rank == 0) take_over(run, options.kernel, plan, record);
    take_over_cores(run, record.cores);
    return run;
}

}  // namespace narrows
