#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "calibrate/kernels/gups/gups.hpp"
#include "calibrate/kernels/gups/variants.hpp"
#include "calibrate/messaging/gateway_memory.hpp"
#include "calibrate/messaging/messaging_memory.hpp"
#include "calibrate/ranks/fiber_stacks.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

namespace {

constexpr std::uint64_t most_updates = std::uint64_t{1} << 60;
constexpr int most_in_transit = 64;

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

void choose_ranks(GupsOptions& options) {
    if (options.ranks < 0) throw InputError(fmt::format("{} ranks cannot run: give 1 or more", options.ranks));
    if (options.workers < 0) rank_layout(1, options.workers);
    const bool shaped = options.variant == GupsVariant::routed || options.variant == GupsVariant::exchanged;
    if (!shaped && !options.shape.empty()) {
        throw InputError("only the routed and exchanged variants have a shape: leave the shape out");
    }
    if (options.ranks == 0) {
        const bool each_worker = options.variant == GupsVariant::local;
        options.ranks = each_worker ? rank_layout(std::numeric_limits<int>::max(), options.workers).workers
                                    : product(options.shape);
    }
    if (shaped && options.shape.empty()) options.shape = {options.ranks};
    if (options.domain < 0)
        throw InputError(fmt::format("a domain of {} ranks cannot be: give 1 or more", options.domain));
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
    options.workers = options.clock ? 1 : rank_layout(options.ranks, options.workers).workers;
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
    if (options.variant == GupsVariant::exchanged || options.variant == GupsVariant::shmem) {
        GatewayShape shape;
        shape.ranks = options.ranks;
        shape.domain = std::max(1, options.domain);
        const int all = options.domain == 0 ? options.ranks : shape.total();
        if (options.ranks > most_packet_ranks || all > most_packet_ranks) {
            throw InputError(fmt::format("{} ranks are too many for messages: give at most {}{}", options.ranks,
                                         most_packet_ranks, options.domain == 0 ? "" : " with their gateways"));
        }
    }
}

void check_counts(const GupsOptions& options) {
    check_messaging(options);
    if (options.updates > most_updates) {
        throw InputError(fmt::format("{} updates are too many: give at most {}", options.updates, most_updates));
    }
    if (options.in_transit < 1 || options.in_transit > most_in_transit) {
        throw InputError(fmt::format("{} packets in transit a pair are not possible: give 1 to {}", options.in_transit,
                                     most_in_transit));
    }
    if (options.variant != GupsVariant::routed) {
        if (options.bucket != 0 || options.receive_buffers != 0) {
            throw InputError("only the routed variant has a bucket size and receive buffers: leave them out");
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

void check_memory(const GupsOptions& options) {
    const long double table = static_cast<long double>(options.table_words) * sizeof(Word);
    long double ranks = 0;
    if (options.variant == GupsVariant::bucketed) ranks = static_cast<long double>(bucketed_memory(options));
    if (options.variant == GupsVariant::shmem) ranks = static_cast<long double>(shmem_memory(options));
    if (options.variant == GupsVariant::routed) ranks = static_cast<long double>(routed_memory(options));
    if (options.variant == GupsVariant::exchanged) {
        ranks = static_cast<long double>(
            messaging_memory(options.protocol, options.domain, options.ranks, options.workers));
    } else if (options.ranks > options.workers || options.clock) {
        ranks += static_cast<long double>(options.ranks) * default_stack_bytes;
    }
    const long double have = static_cast<long double>(available_memory());
    if (table + ranks <= have) return;
    const auto mebibytes = [](long double bytes) { return static_cast<double>(bytes / (1024.0L * 1024.0L)); };
    throw InputError(
        fmt::format("a table of {:.0f} MiB and {:.0f} MiB for the ranks do not fit in the {:.0f} MiB of memory "
                    "that are free: give a smaller table{}",
                    mebibytes(table), mebibytes(ranks), mebibytes(have), ranks > table ? " and fewer ranks" : ""));
}

}  // namespace

GupsOptions checked(const GupsOptions& options) {
    GupsOptions chosen = options;
    choose_ranks(chosen);
    check_table(chosen);
    if (chosen.updates == 0) {
        if (chosen.table_words > most_updates / 4) throw InputError("the table is too large: give a smaller table");
        chosen.updates = 4 * chosen.table_words;
    }
    check_counts(chosen);
    if (chosen.variant == GupsVariant::routed) {
        const RoutePlan plan(chosen.shape, table_ownership(chosen), chosen.bucket);
        chosen.bucket = plan.bucket_words();
        if (chosen.receive_buffers == 0) chosen.receive_buffers = plan.dimension_count();
    }
    check_memory(chosen);
    return chosen;
}

}  // namespace narrows
