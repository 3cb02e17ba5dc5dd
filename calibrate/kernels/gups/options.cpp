#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "calibrate/kernels/gups/gups.hpp"
#include "calibrate/kernels/gups/variants.hpp"
#include "calibrate/messaging/gateway_memory.hpp"
#include "calibrate/messaging/messaging_memory.hpp"
#include "calibrate/ranks/fiber_stacks.hpp"
#include "calibrate/transport/shared_memory.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

namespace {

constexpr std::uint64_t most_updates = std::uint64_t{1} << 60;

int product(const std::vector<int>& shape) {
    std::int64_t ranks = 1;
    for (const int size : shape) {
        if (size < 1)
            throw InputError(fmt::format("a shape with the size {} is not possible: sizes are 1 or more", size));
        ranks *= size;
        if (ranks > std::numeric_limits<int>::max())
            throw InputError("the shape has too many ranks: give smaller sizes");
    }
    return static_cast<int>(ranks);
}

void choose_processes(GupsOptions& options) {
    if (options.variant == GupsVariant::sequential || options.variant == GupsVariant::local) {
        throw InputError("a run without exchange is one process: leave the transport out").of_setting("transport");
    }
    if (options.clock || options.domain != 0 || options.receive_buffers == 1) {
        throw InputError(
            "a clock, gateways and a single receive buffer are for ranks of one process: leave the transport out")
            .of_setting("transport");
    }
    check_processes(options.ranks, options.ranks_per_process, options.transport, options.workers);
    options.workers = options.ranks / options.ranks_per_process;
}

void choose_ranks(GupsOptions& options) {
    if (options.ranks < 0) throw InputError(fmt::format("{} ranks cannot run: give 1 or more", options.ranks));
    if (options.workers < 0) rank_layout(1, options.workers);
    const bool shaped = options.variant == GupsVariant::routed || options.variant == GupsVariant::exchanged;
    if (options.variant == GupsVariant::naive && options.bucket == 0) options.bucket = 1;
    if (!shaped && !options.shape.empty()) {
        throw InputError("only the routed and exchanged variants have a shape: leave the shape out");
    }
    if (options.ranks == 0) {
        const bool each_worker = options.variant == GupsVariant::local;
        options.ranks = each_worker ? rank_layout(std::numeric_limits<int>::max(), options.workers).workers
                                    : product(options.shape);
    }
    const bool one_dimension = options.variant == GupsVariant::naive || (shaped && options.shape.empty());
    if (one_dimension) options.shape = {options.ranks};
    if (options.domain < 0)
        throw InputError(fmt::format("a domain of {} ranks is not possible: give 1 or more", options.domain));
    if (options.variant == GupsVariant::sequential && options.ranks != 1) {
        throw InputError(
            fmt::format("the sequential variant has one rank, not {}: leave the ranks out", options.ranks));
    }
    if (options.variant == GupsVariant::sequential && options.workers > 1) {
        throw InputError(
            fmt::format("the sequential variant has one worker, not {}: leave the workers out", options.workers));
    }
    if (options.variant == GupsVariant::local) {
        if (options.workers != 0 && options.workers != options.ranks) {
            throw InputError(
                fmt::format("the local variant has a worker for each of {} ranks, not {} workers: leave "
                            "the ranks or the workers out",
                            options.ranks, options.workers));
        }
        options.workers = options.ranks;
    }
    if (options.transport != Transport::shared) {
        choose_processes(options);
    } else {
        check_processes(options.ranks, options.ranks_per_process, options.transport);
        options.workers = options.clock ? 1 : rank_layout(options.ranks, options.workers).workers;
    }
}

// A bucket of one update for each rank, the same as a shape of one dimension.
void check_naive(const GupsOptions& options) {
    if (options.variant != GupsVariant::naive || options.ranks <= most_held) return;
    throw InputError(
        fmt::format("{} ranks are too many for the naive variant, where each holds an update for every other: give at "
                    "most {}, or the routed variant, whose shape may have several dimensions",
                    options.ranks, most_held));
}

void check_table(const GupsOptions& options) {
    const std::uint64_t words = options.table_words;
    if (!std::has_single_bit(words)) {
        throw InputError(fmt::format("a table of {} words is not possible: give a power of two", words));
    }
    if (words < static_cast<std::uint64_t>(options.ranks)) {
        throw InputError(fmt::format("a table of {} words is too small for {} ranks: give at least a word a rank",
                                     words, options.ranks));
    }
}

void check_messaging(const GupsOptions& options) {
    const bool by_messages = options.variant == GupsVariant::exchanged || options.variant == GupsVariant::shmem;
    if (by_messages || options.transport != Transport::shared) {
        check_rank_count(options.ranks, options.domain, options.transport, options.ranks_per_process);
    }
}

void check_counts(const GupsOptions& options) {
    check_messaging(options);
    const bool carried = routes(options.variant) || options.variant == GupsVariant::bucketed;
    if (options.processor.any() && (!carried || options.transport == Transport::shared)) {
        throw InputError(
            "a slower processor is for the naive, bucketed and routed variants over TCP, UDP or MPI: leave its costs "
            "out, or choose another transport")
            .of_setting("transport");
    }
    if (options.updates > most_updates) {
        throw InputError(fmt::format("{} updates are too many: give at most {}", options.updates, most_updates));
    }
    if (options.first_update > most_updates) {
        throw InputError(
            fmt::format("the first update cannot be number {}: give at most {}", options.first_update, most_updates));
    }
    if (options.in_transit < 1 || options.in_transit > most_in_transit) {
        throw InputError(fmt::format("{} packets in transit a pair are not possible: give 1 to {}", options.in_transit,
                                     most_in_transit));
    }
    if (!routes(options.variant)) {
        if (options.bucket != 0 || options.receive_buffers != 0) {
            throw InputError(
                "only the routed and naive variants have a bucket size and receive buffers: leave them out");
        }
        return;
    }
    const auto dimensions = static_cast<int>(options.shape.size());
    if (options.receive_buffers != 0 && options.receive_buffers != 1 && options.receive_buffers != dimensions) {
        throw InputError(
            fmt::format("{} receive buffers are not possible: give {}, one a dimension, or 1, which may "
                        "deadlock",
                        options.receive_buffers, dimensions));
    }
}

struct Needed {
    long double table = 0;  // bytes
    long double ranks = 0;
};

Needed needed_of(const GupsOptions& options) {
    const long double table = static_cast<long double>(options.table_words) * sizeof(Word);
    constexpr long double large_page = 2 << 20;
    long double ranks = 0;
    if (options.variant == GupsVariant::local && options.pages == PageSize::large) {  // a table a rank
        ranks = std::max(0.0L, options.ranks * large_page - table);
    }
    if (options.variant == GupsVariant::bucketed) ranks = static_cast<long double>(bucketed_memory(options));
    if (options.variant == GupsVariant::shmem) ranks = static_cast<long double>(shmem_memory(options));
    if (routes(options.variant)) ranks = static_cast<long double>(routed_memory(options));
    if (options.variant == GupsVariant::exchanged) {
        ranks = static_cast<long double>(
                    messaging_memory(options.protocol, options.domain, options.ranks, options.workers)) +
                static_cast<long double>(exchanged_memory(options));
    } else if (options.ranks > options.workers || options.clock) {
        ranks += static_cast<long double>(options.ranks) * default_stack_bytes;
    }
    const bool rings = options.variant == GupsVariant::exchanged || options.variant == GupsVariant::shmem;
    if (rings && options.transport == Transport::shared)
        ranks += static_cast<long double>(SharedRings::bytes(rank_layout(options.ranks, options.workers).workers));
    return {table, ranks};
}

void check_memory(const GupsOptions& options) {
    const auto [table, ranks] = needed_of(options);
    // Under MPI each process may have its own host.
    const int hosts = options.transport == Transport::mpi ? options.workers : 1;
    const long double have = static_cast<long double>(available_memory()) * hosts;
    if (table + ranks <= have) return;
    throw InputError(
        fmt::format("a table of {:.0f} MiB and {:.0f} MiB for the ranks do not fit in the {:.0f} MiB of memory "
                    "that are free: give a smaller table{}",
                    mebibytes(table), mebibytes(ranks), mebibytes(have), ranks > table ? " and fewer ranks" : ""));
}

}  // namespace

GupsOptions checked(const GupsOptions& options) {
    GupsOptions chosen = options;
    choose_ranks(chosen);
    check_naive(chosen);
    check_table(chosen);
    if (chosen.updates == 0) {
        if (chosen.table_words > most_updates / 4) throw InputError("the table is too large: give a smaller table");
        chosen.updates = 4 * chosen.table_words;
    }
    check_counts(chosen);
    if (chosen.variant == GupsVariant::exchanged) check_rank_shape(chosen.shape, chosen.ranks);
    if (routes(chosen.variant)) {
        const RoutePlan plan(chosen.shape, table_ownership(chosen), chosen.bucket);
        chosen.bucket = plan.bucket_words();
        if (chosen.receive_buffers == 0) chosen.receive_buffers = plan.dimension_count();
    }
    check_memory(chosen);
    return chosen;
}

double needed_memory(const GupsOptions& options) {
    const auto [table, ranks] = needed_of(options);
    return static_cast<double>(table + ranks);
}

std::vector<std::size_t> job_plan(const GupsOptions& options) {
    std::vector<std::size_t> plan = {static_cast<std::size_t>(options.variant),
                                     static_cast<std::size_t>(options.protocol), options.table_words, options.updates,
                                     options.first_update};
    for (const int number : {options.ranks, options.ranks_per_process, options.bucket, options.in_transit}) {
        plan.push_back(static_cast<std::size_t>(number));
    }
    plan.insert(plan.end(), options.shape.begin(), options.shape.end());
    for (const double cost : {options.processor.update, options.processor.send, options.processor.receive}) {
        plan.push_back(static_cast<std::size_t>(std::llround(1e12 * cost)));
    }
    return plan;
}

}  // namespace narrows
