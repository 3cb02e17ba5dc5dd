#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "calibrate/kernels/messages/exchange.hpp"
#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/messaging/buffered_memory.hpp"
#include "calibrate/messaging/gateway_memory.hpp"
#include "calibrate/messaging/messaging_memory.hpp"
#include "calibrate/messaging/node_segments.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/transport/shared_memory.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

void check_kernel(const MessageOptions& options) {
    if (options.kernel == MessageKernel::exchange && (options.neighbours < 1 || options.neighbours > most_neighbours)) {
        throw InputError(fmt::format("an exchange with {} neighbours is not possible: give 1 to {}", options.neighbours,
                                     most_neighbours));
    }
    if (options.kernel == MessageKernel::exchange && options.neighbours > 2 * (options.ranks - 1)) {
        throw InputError(fmt::format("a rank among {} has at most {} neighbours: give fewer", options.ranks,
                                     2 * (options.ranks - 1)));
    }
    const bool doubles = options.kernel == MessageKernel::allreduce ||
                         options.kernel == MessageKernel::reduce_scatter || options.kernel == MessageKernel::matvec;
    const std::size_t unit = unit_bytes(options);
    for (const std::size_t bytes : options.sizes) {
        if (!doubles || (bytes != 0 && bytes % unit == 0)) continue;
        throw InputError(
            fmt::format("{} B do not divide into doubles for every rank: give a multiple of {} B", bytes, unit))
            .of_setting("bytes");
    }
}

void check_algorithm(const MessageOptions& options) {
    if (algorithms_of(options.kernel).empty()) return;
    MessageOptions known = options;
    choose_algorithm(known, algorithm_name(options));
    if (algorithm_of(options) != Algorithm::node_shared) return;
    if (options.node_ranks < 1) throw std::logic_error("check_algorithm: nodes without ranks");
    if (options.transport != Transport::shared) {
        throw InputError(fmt::format("over {} the ranks of a node do not share memory: leave the transport out, or "
                                     "choose the algorithm 'node'",
                                     name_of(options.transport)))
            .of_setting("transport");
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
        throw InputError("a stream through gateways goes between pairs only: leave the pattern or the domain out");
    }
    if (options.pattern != StreamPattern::bidirectional) return;
    const std::size_t most = *std::ranges::max_element(options.sizes);
    if (most <= record_of(options.protocol).longest_free) return;
    throw InputError(
        fmt::format("{} sends of {} B wait for their receives, so that they cannot go both ways at once: choose "
                    "active-message or command-queue, or buffered up to {} B",
                    name_of(options.protocol), most, most_buffered_bytes));
}

// Who computes keeps others from running on its thread.
void check_overlap(const MessageOptions& options) {
    if (options.kernel != MessageKernel::overlap) return;
    if (options.transport != Transport::shared) {
        throw InputError("overlap is measured over shared memory only: leave the transport out")
            .of_setting("transport");
    }
    if (options.domain != 0) throw InputError("overlap is not measured through gateways: leave the domain out");
    const RankLayout layout = rank_layout(options.ranks, options.workers);
    if (layout.threads()) return;
    throw InputError(
        fmt::format("overlap needs a thread for each rank, but {} ranks on {} workers are fibers: give {} ranks, or "
                    "{} workers",
                    layout.ranks, layout.workers, std::max(2, layout.workers), layout.ranks))
        .of_setting("ranks");
}

void check_memory(const MessageOptions& options) {
    const auto ranks = static_cast<long double>(options.ranks);
    const std::size_t most = *std::ranges::max_element(options.sizes);
    long double bytes = ranks * buffer_bytes(options, most);
    if (options.algorithm == Algorithm::node_shared) {
        const SegmentShape shape = SegmentShape::up_to(most);
        bytes += std::ceil(ranks / options.node_ranks) * static_cast<long double>(NodeSegments::bytes_per_node(shape));
    }
    const ProtocolRecord& protocol = record_of(options.protocol);
    if (protocol.puts && !protocol.handles && from_one(options.pattern)) bytes += 8 * ranks * ranks;
    const bool shared = options.transport == Transport::shared;
    const int workers =
        shared ? rank_layout(options.ranks, options.workers).workers : options.ranks / options.ranks_per_process;
    const bool puts = least_bytes(options.kernel, options.protocol) > 0;
    const auto messaging =
        static_cast<long double>(puts ? stack_memory(options.ranks, workers)
                                      : messaging_memory(options.protocol, options.domain, options.ranks, workers));
    bytes += messaging;
    if (shared) bytes += static_cast<long double>(SharedRings::bytes(workers));
    if (options.transport == Transport::mpi) bytes /= workers;  // there each may have its own host
    const auto have = static_cast<long double>(available_memory());
    if (bytes <= have) return;
    throw InputError(
        fmt::format("the ranks need {:.0f} MiB for their messages, and {:.0f} MiB of memory are free: give fewer ranks "
                    "or less bytes",
                    mebibytes(bytes), mebibytes(have)));
}

}  // namespace

void check_processes(int ranks, int ranks_per_process, Transport transport, int workers) {
    if (transport != Transport::shared && workers != 0) {
        throw InputError("over TCP, UDP and MPI workers are processes: give the ranks of one in place of the workers")
            .of_setting("ranks-per-process");
    }
    if (ranks_per_process == 1) return;
    if (transport == Transport::shared) {
        throw InputError("over shared memory there is one process of all ranks: choose the transport tcp, udp or mpi")
            .of_setting("ranks-per-process");
    }
    if (ranks_per_process >= 1 && ranks % ranks_per_process == 0) return;
    throw InputError(fmt::format("{} ranks do not fill processes of {}: give a divisor", ranks, ranks_per_process))
        .of_setting("ranks-per-process");
}

void check_rank_count(std::int64_t ranks, int domain, Transport transport, int ranks_per_process) {
    std::int64_t most = most_packet_ranks;
    if (over_sockets(transport)) most = std::min(most, std::int64_t{most_processes} * ranks_per_process);
    if (ranks <= most && with_gateways(static_cast<int>(ranks), domain) <= most) return;
    throw InputError(fmt::format("{} ranks are too many: give at most {}{}", ranks, most,
                                 domain == 0 ? "" : " with their gateways"));
}

void check_messages(const MessageOptions& options) {
    if (options.ranks < 2 && options.kernel != MessageKernel::program) {
        throw InputError("a message needs two ranks: give 2 or more").of_setting("ranks");
    }
    check_processes(options.ranks, options.ranks_per_process, options.transport, options.workers);
    check_rank_count(options.ranks, options.domain, options.transport, options.ranks_per_process);
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
    check_algorithm(options);
    check_pattern(options);
    check_overlap(options);
    check_memory(options);
    const std::size_t least = least_bytes(options.kernel, options.protocol);
    for (const std::size_t bytes : options.sizes) {
        if (least == 0 || (bytes >= least && bytes % least == 0)) continue;
        throw InputError(fmt::format("{} B cannot be put: give whole words of {} B, or another protocol", bytes, least))
            .of_setting("protocol");
    }
}

Algorithm algorithm_of(const MessageOptions& options) {
    if (options.algorithm || algorithms_of(options.kernel).empty()) {
        return options.algorithm.value_or(Algorithm::recursive_doubling);
    }
    return algorithms_of(options.kernel).front();
}

std::string_view algorithm_name(const MessageOptions& options) {
    if (algorithms_of(options.kernel).empty()) return "";
    return options.by_rounds != nullptr ? options.by_rounds->name : name_of(algorithm_of(options));
}

void choose_algorithm(MessageOptions& options, std::string_view name) {
    std::vector<std::string> names;
    for (const Algorithm one : algorithms_of(options.kernel)) {
        names.emplace_back(name_of(one));
        if (names.back() != name) continue;
        options.algorithm = one;
        return;
    }
    for (const CollectiveAlgorithm* one : algorithms_by_rounds(options.kernel)) {
        names.emplace_back(one->name);
        if (names.back() != name) continue;
        options.by_rounds = one;
        return;
    }
    refuse_name(fmt::format("{} has no algorithm", name_of(options.kernel)), name, names, Offered::all_it_has);
}

std::size_t bytes_of_work(const MessageOptions& options) {
    constexpr std::size_t of_all = std::size_t{256} << 20;
    return std::min<std::size_t>(options.program->most_memory, of_all / static_cast<std::size_t>(options.ranks));
}

long double buffer_bytes(const MessageOptions& options, std::size_t bytes) {
    const auto one = static_cast<long double>(bytes);
    const long double all = one * options.ranks;
    const bool passes_on = options.algorithm == Algorithm::bruck;
    if (options.by_rounds != nullptr) {  // three of the largest message, which may have all blocks
        const bool has_blocks =
            options.kernel == MessageKernel::all_to_all || options.kernel == MessageKernel::allgather;
        return 3 * (has_blocks ? all : one);
    }
    switch (options.kernel) {
        case MessageKernel::all_to_all:
            return passes_on ? 3 * all : 2 * all;
        case MessageKernel::allgather:
            return passes_on ? 2 * all : all;
        case MessageKernel::broadcast:
            return one;
        case MessageKernel::program:
            return 3 * static_cast<long double>(options.program->most_bytes) +
                   static_cast<long double>(bytes_of_work(options));
        case MessageKernel::matvec:
            return 2 * one + one / options.ranks * (one / sizeof(double));
        default:
            return 2 * one;
    }
}

std::size_t least_bytes(MessageKernel kernel, Protocol protocol) {
    const ProtocolRecord& known = record_of(protocol);
    const bool puts = known.puts && between_pairs(kernel) && !(known.handles && kernel == MessageKernel::stream);
    return puts ? sizeof(std::uint64_t) : 0;
}

std::size_t unit_bytes(const MessageOptions& options) {
    if (options.kernel == MessageKernel::allreduce || options.kernel == MessageKernel::reduce_scatter) {
        return sizeof(double);
    }
    if (options.kernel == MessageKernel::matvec) return sizeof(double) * static_cast<std::size_t>(options.ranks);
    return std::max<std::size_t>(1, least_bytes(options.kernel, options.protocol));
}

}  // namespace narrows
