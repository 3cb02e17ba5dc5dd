#include "calibrate/kernels/messages/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "calibrate/kernels/messages/message_program.hpp"
#include "calibrate/measure/elapsed.hpp"
#include "calibrate/messaging/messaging_memory.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/transport/tcp_job.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

template <class Value>
struct Name {
    Value value;
    std::string_view name;
};

constexpr std::array kernel_names = {
    Name<MessageKernel>{MessageKernel::ping_pong, "ping-pong"},
    Name<MessageKernel>{MessageKernel::stream, "stream"},
    Name<MessageKernel>{MessageKernel::send_overhead, "send-overhead"},
    Name<MessageKernel>{MessageKernel::receive_overhead, "receive-overhead"},
    Name<MessageKernel>{MessageKernel::exchange, "exchange"},
    Name<MessageKernel>{MessageKernel::overlap, "overlap"},
    Name<MessageKernel>{MessageKernel::allreduce, "allreduce"},
    Name<MessageKernel>{MessageKernel::matvec, "matvec"},
};

constexpr std::array transport_names = {
    Name<Transport>{Transport::shared, "shared"},
    Name<Transport>{Transport::tcp, "tcp"},
    Name<Transport>{Transport::mpi, "mpi"},
};

template <class Names, class Value>
std::string_view name_in(const Names& names, Value value) {
    const auto is_it = [value](const auto& one) { return one.value == value; };
    return std::find_if(names.begin(), names.end(), is_it)->name;
}

template <class Value, std::size_t n>
std::optional<Value> value_in(const std::array<Name<Value>, n>& names, std::string_view name) {
    for (const Name<Value>& one : names) {
        if (one.name == name) return one.value;
    }
    return std::nullopt;
}

// A sample of a kernel takes as long as one of so many times the messages.
int weight_of(const MessageOptions& options) {
    // Threads that share cores wait for each other's turns, some milliseconds each.
    const bool shares_cores = options.progress == MessageProgress::thread && 2 * options.ranks > Cores().count();
    switch (options.kernel) {
        case MessageKernel::matvec:         // thousands of messages
        case MessageKernel::send_overhead:  // before a call is timed all settles
        case MessageKernel::receive_overhead:
            return 100;
        case MessageKernel::overlap:  // several messages for one
            return shares_cores ? 1000 : 10;
        default:
            return 1;
    }
}

SamplePlan plan_of(const MessageOptions& options) {
    constexpr int least_messages = 8;
    const bool one = options.kernel == MessageKernel::stream && from_one(options.pattern);
    const int pairs = one ? 1 : std::max(1, options.ranks / 2);
    SamplePlan plan =
        sample_plan(options.sizes, options.repeats,
                    std::max(least_messages, options.messages / (pairs * weight_of(options))), options.seed);
    // From one rank a message to each, or the answers would be most of the time; of overlap enough for a median.
    const int least = one ? options.ranks - 1 : options.kernel == MessageKernel::overlap ? 25 : 0;
    for (SampleOfSize& sample : plan.samples) sample.messages = std::max(sample.messages, least);
    return plan;
}

/// Samples of each size, in the order of sizes.
std::map<std::size_t, std::vector<double>> by_size(const SamplePlan& plan, const std::vector<double>& samples) {
    std::map<std::size_t, std::vector<double>> sizes;
    for (std::size_t i = 0; i < samples.size(); ++i) sizes[plan.samples[i].bytes].push_back(samples[i]);
    return sizes;
}

// Of a run whose ranks have all come back.
void add_checks(MessageRun& run, const SamplePlan& plan, const std::vector<RankRecord>& records) {
    std::uint64_t checked = 0;
    for (const RankRecord& record : records) {
        checked += record.checked;
        run.errors += record.errors;
    }
    run.verified = checked >= plan.samples.size();
}

void take_over(MessageRun& run, MessageKernel kernel, const SamplePlan& plan, const RankRecord& record) {
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
    run.seconds = times.seconds;
    run.cpu_seconds = times.cpu_seconds;
    run.involuntary_switches = times.involuntary_switches;
    run.pinned = times.pinned;
    add_checks(run, plan, program.records());
    take_over(run, options.kernel, plan, program.records().front());
    run.overlaps = overlaps_of(plan, program.records().front());
    return run;
}

MessageRun over_tcp(const MessageOptions& options, const SamplePlan& plan) {
    const double start = wall_seconds();
    const bool crowded = options.ranks > Cores().count();  // a process that is pinned sees one core
    const auto outcomes = run_tcp_processes(options.ranks, [&](TcpEndpoint& endpoint, int rank) {
        return run_message_process(options, plan, endpoint, rank, crowded);
    });
    result_of(outcomes);  // throws what a process threw
    std::vector<RankRecord> records;
    for (const ProcessOutcome& outcome : outcomes) records.push_back(read_record(outcome.text));
    MessageRun run;
    run.workers = options.ranks;
    run.pinned = !crowded;
    run.seconds = wall_seconds() - start;
    add_checks(run, plan, records);
    take_over(run, options.kernel, plan, records.front());
    return run;
}

void check_kernel(const MessageOptions& options) {
    if (options.kernel == MessageKernel::exchange && (options.neighbours < 1 || options.neighbours > most_neighbours)) {
        throw InputError(
            fmt::format("an exchange with {} neighbours cannot be: give 1 to {}", options.neighbours, most_neighbours));
    }
    if (options.kernel == MessageKernel::exchange && options.neighbours > 2 * (options.ranks - 1)) {
        throw InputError(fmt::format("among {} ranks the neighbours beyond {} are the rank itself: give fewer",
                                     options.ranks, 2 * (options.ranks - 1)));
    }
    const bool doubles = options.kernel == MessageKernel::allreduce || options.kernel == MessageKernel::matvec;
    const std::size_t unit = unit_bytes(options);
    for (const std::size_t bytes : options.sizes) {
        if (!doubles || (bytes != 0 && bytes % unit == 0)) continue;
        throw InputError(
            fmt::format("{} B are no whole doubles for each of the ranks: give a multiple of {} B", bytes, unit));
    }
}

void check_allreduce(const MessageOptions& options) {
    if (options.kernel != MessageKernel::allreduce || options.algorithm != Allreduce::node_shared) return;
    if (options.node_ranks < 1) throw std::logic_error("check_allreduce: nodes without ranks");
    if (options.transport != Transport::shared) {
        throw InputError(
            fmt::format("the ranks of a node share no memory over {}: leave --transport out, or give --algorithm node",
                        name_of(options.transport)));
    }
    if (options.domain % options.node_ranks != 0) {
        throw InputError(
            fmt::format("the {} ranks of a node share memory only within a domain, of {}: give a domain of whole nodes",
                        options.node_ranks, options.domain));
    }
}

// Both ways at once a rank sends before it receives.
void check_pattern(const MessageOptions& options) {
    if (options.kernel != MessageKernel::stream || options.pattern == StreamPattern::pairs) return;
    if (options.domain != 0) {
        throw InputError("through gateways only pairs stream: leave the pattern or the domain out");
    }
    if (options.pattern != StreamPattern::bidirectional) return;
    const std::size_t most = *std::max_element(options.sizes.begin(), options.sizes.end());
    const bool waits = options.protocol == Protocol::rendezvous || options.protocol == Protocol::receiver_initiated ||
                       (options.protocol == Protocol::eager && most > eager_bytes) ||
                       (options.protocol == Protocol::buffered && most > most_buffered_bytes);
    if (!waits) return;
    throw InputError(
        fmt::format("{} sends of {} B wait for their receives, so that they cannot go both ways at once: choose "
                    "active-message or command-queue, or buffered up to {} B",
                    name_of(options.protocol), most, most_buffered_bytes));
}

// Who computes keeps others from running on its thread.
void check_overlap(const MessageOptions& options) {
    if (options.kernel != MessageKernel::overlap) return;
    if (options.transport != Transport::shared) {
        throw InputError("overlap is measured over shared memory only: leave --transport out");
    }
    if (options.domain != 0) throw InputError("overlap is not measured through gateways: leave the domain out");
    const RankLayout layout = rank_layout(options.ranks, options.workers);
    if (layout.threads()) return;
    throw InputError(
        fmt::format("overlap needs a thread for each rank, but {} ranks on {} workers are fibers: give --ranks {}, or "
                    "--workers {}",
                    layout.ranks, layout.workers, std::max(2, layout.workers), layout.ranks));
}

void check_memory(const MessageOptions& options) {
    const auto ranks = static_cast<long double>(options.ranks);
    const auto most = static_cast<long double>(*std::max_element(options.sizes.begin(), options.sizes.end()));
    long double bytes = 2 * most * ranks;
    if (options.kernel == MessageKernel::matvec) bytes += most / sizeof(double) * most;
    if (options.algorithm == Allreduce::node_shared) {
        const SegmentShape shape = SegmentShape::up_to(static_cast<std::size_t>(most));
        bytes += std::ceil(ranks / options.node_ranks) * static_cast<long double>(NodeSegments::bytes_per_node(shape));
    }
    if (options.protocol == Protocol::command_queue && from_one(options.pattern)) bytes += 8 * ranks * ranks;
    const bool shared = options.transport == Transport::shared;
    const int workers = shared ? rank_layout(options.ranks, options.workers).workers : options.ranks;
    const bool puts = least_bytes(options.kernel, options.protocol) > 0;
    const auto messaging =
        static_cast<long double>(puts ? stack_memory(options.ranks, workers)
                                      : messaging_memory(options.protocol, options.domain, options.ranks, workers));
    bytes += options.transport == Transport::mpi ? messaging / ranks : messaging;  // there each may have its own host
    const auto have = static_cast<long double>(available_memory());
    if (bytes <= have) return;
    const auto mebibytes = [](long double size) { return static_cast<double>(size / (1024.0L * 1024.0L)); };
    throw InputError(
        fmt::format("the ranks need {:.0f} MiB for their messages, and {:.0f} MiB of memory are free: give fewer ranks "
                    "or less bytes",
                    mebibytes(bytes), mebibytes(have)));
}

}  // namespace

void check_messages(const MessageOptions& options) {
    constexpr int most_processes = 64;
    if (options.ranks < 2) throw InputError("a message needs two ranks: give --ranks 2 or more");
    const int most = options.transport == Transport::tcp ? most_processes : most_packet_ranks;
    const int gateways = options.domain == 0 ? 0 : GatewayShape{options.ranks, options.domain}.gateways();
    if (options.ranks > most - gateways) {
        throw InputError(fmt::format("{} ranks are too many: give at most {}{}", options.ranks, most,
                                     gateways == 0 ? "" : " with their gateways"));
    }
    if (options.transport != Transport::shared && options.workers != 0) {
        throw InputError("over TCP and MPI every rank is a process: leave the workers out");
    }
    if (options.sizes.empty() || options.repeats < 1 || options.messages < 1) {
        throw std::logic_error("measure_messages: nothing to measure");
    }
    if (options.domain != 0 &&
        (options.protocol != Protocol::receiver_initiated || options.transport != Transport::shared)) {
        throw InputError("gateways forward receiver-initiated messages over shared memory only: leave the domain out");
    }
    if (options.overlap_legs && options.domain == 0) {
        throw InputError(
            "only a message through gateways has legs to overlap: give a domain, or leave the overlap out");
    }
    check_kernel(options);
    check_allreduce(options);
    check_pattern(options);
    check_overlap(options);
    check_memory(options);
    const std::size_t least = least_bytes(options.kernel, options.protocol);
    for (const std::size_t bytes : options.sizes) {
        if (least == 0 || (bytes >= least && bytes % least == 0)) continue;
        throw InputError(
            fmt::format("{} B cannot be put: give whole words of {} B, or another --protocol", bytes, least));
    }
}

std::string_view name_of(MessageKernel kernel) {
    return name_in(kernel_names, kernel);
}

std::optional<MessageKernel> message_kernel(std::string_view name) {
    return value_in(kernel_names, name);
}

std::string_view name_of(Transport transport) {
    return name_in(transport_names, transport);
}

std::optional<Transport> transport_named(std::string_view name) {
    return value_in(transport_names, name);
}

bool between_pairs(MessageKernel kernel) {
    return kernel == MessageKernel::ping_pong || kernel == MessageKernel::stream ||
           kernel == MessageKernel::send_overhead || kernel == MessageKernel::receive_overhead;
}

std::size_t least_bytes(MessageKernel kernel, Protocol protocol) {
    const bool pairs = between_pairs(kernel);
    const bool puts = (pairs && protocol == Protocol::command_queue) ||
                      (pairs && protocol == Protocol::active_message && kernel != MessageKernel::stream);
    return puts ? sizeof(std::uint64_t) : 0;
}

std::size_t unit_bytes(const MessageOptions& options) {
    if (options.kernel == MessageKernel::allreduce) return sizeof(double);
    if (options.kernel == MessageKernel::matvec) return sizeof(double) * static_cast<std::size_t>(options.ranks);
    return std::max<std::size_t>(1, least_bytes(options.kernel, options.protocol));
}

MessageRun measure_messages(const MessageOptions& options) {
    if (options.transport == Transport::mpi) throw std::logic_error("measure_messages: MPI has its own launcher");
    check_messages(options);
    const SamplePlan plan = plan_of(options);
    MessageRun run =
        options.transport == Transport::shared ? over_shared_memory(options, plan) : over_tcp(options, plan);
    run.ranks = options.ranks;
    return run;
}

MessageRun measure_part(const MessageOptions& options, int rank, const RankPart& part) {
    check_messages(options);
    const SamplePlan plan = plan_of(options);
    const double start = wall_seconds();
    const RankRecord record = part(options, plan);
    MessageRun run;
    run.ranks = options.ranks;
    run.workers = options.ranks;
    run.seconds = wall_seconds() - start;
    run.pinned = Cores().count() == 1;
    run.errors = record.errors;
    if (record.checked == plan.samples.size()) run.verified = true;
    if (rank == 0) take_over(run, options.kernel, plan, record);
    return run;
}

}  // namespace narrows
