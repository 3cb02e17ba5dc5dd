#include "calibrate/study/gups_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "model/gups/routed.hpp"
#include "model/gups/workload.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::size_t word = 8;

const char* name_of_role(GupsRole role) {
    switch (role) {
        case GupsRole::update:
            return "update";
        case GupsRole::update_small_pages:
            return "update_4KiB_pages";
        case GupsRole::route:
            return "route";
        case GupsRole::bucket:
            return "bucket";
    }
    throw std::logic_error("unknown role");
}

GupsCase update_case(std::uint64_t table_words, int workers, PageSize pages) {
    constexpr std::uint64_t most_updates = std::uint64_t{1} << 25;
    GupsCase made;
    made.role = pages == PageSize::large ? GupsRole::update : GupsRole::update_small_pages;
    made.options.variant = GupsVariant::local;
    made.options.ranks = workers;
    made.options.workers = workers;
    made.options.table_words = table_words;
    made.options.updates = most_updates;
    made.options.pages = pages;
    made.options.verify = false;
    return made;
}

GupsCase ranks_case(GupsVariant variant, std::vector<int> shape, int bucket, int workers) {
    const std::int64_t ranks = shape_nodes(shape);
    GupsCase made;
    made.role = variant == GupsVariant::routed ? GupsRole::route : GupsRole::bucket;
    made.options.variant = variant;
    made.options.ranks = static_cast<int>(ranks);
    if (variant == GupsVariant::routed) made.options.shape = std::move(shape);
    made.options.bucket = bucket;
    made.options.workers = workers;
    made.options.table_words = study_table_words(ranks);
    made.options.updates = study_updates(ranks);
    made.options.verify = false;
    return made;
}

bool can_route(const std::vector<int>& shape) {
    return std::accumulate(shape.begin(), shape.end(), 0) <= 1024;
}

// The default arrangement, the same with small packets, and arrangements with fewer and more hops: together they
// separate the cost of a hop from that of a packet.
void add_route_cases(std::vector<GupsCase>& cases, int ranks, int workers) {
    const std::vector<int> cubic = most_cubic_shape(ranks, 3);
    const int bucket = routed_bucket(cubic);
    cases.push_back(ranks_case(GupsVariant::routed, cubic, bucket, workers));
    if (bucket >= 4) cases.push_back(ranks_case(GupsVariant::routed, cubic, bucket / 4, workers));
    for (const int dimensions : {2, 6}) {
        const std::vector<int> shape = most_cubic_shape(ranks, dimensions);
        const bool new_shape = std::count(shape.begin(), shape.end(), 1) == 0;
        if (new_shape && can_route(shape)) {
            cases.push_back(ranks_case(GupsVariant::routed, shape, routed_bucket(shape), workers));
        }
    }
}

}  // namespace

std::string GupsCase::name() const {
    return fmt::format("{} ranks={} shape={} bucket={} table={} updates={} workers={}", name_of_role(role),
                       options.ranks, options.shape.empty() ? "-" : format_shape(options.shape), options.bucket,
                       options.table_words * word, options.updates, options.workers);
}

std::uint64_t study_table_words(std::int64_t ranks) {
    return std::bit_ceil(static_cast<std::uint64_t>(default_table(ranks) / bytes(word)));
}

std::uint64_t study_updates(std::int64_t ranks) {
    constexpr std::int64_t least = std::int64_t{1} << 23;
    constexpr std::int64_t each = 1024;
    return static_cast<std::uint64_t>(std::max(least, ranks * each));
}

std::vector<int> fitted_ranks(Effort effort, std::size_t available_memory) {
    constexpr std::size_t bytes_a_rank = 48 * 1024;  // table, buckets, inboxes and stack, with room to spare
    std::vector<int> sizes = effort == Effort::full ? std::vector<int>{4, 12, 64, 512, 3072, 12288, 49152, 98304}
                                                    : std::vector<int>{4, 64, 1536, 6144};
    std::erase_if(sizes,
                  [&](int ranks) { return static_cast<std::size_t>(ranks) * bytes_a_rank > available_memory / 2; });
    return sizes;
}

std::vector<GupsCase> calibration_cases(Effort effort, int workers, std::size_t available_memory) {
    constexpr std::uint64_t smallest = std::uint64_t{1} << 16;  // words: 512 KiB
    const std::uint64_t step = effort == Effort::full ? 4 : 16;
    const std::uint64_t largest = std::uint64_t{1} << (effort == Effort::full ? 27 : 25);
    std::vector<GupsCase> cases;
    for (std::uint64_t words = smallest; words <= largest && words * word * 2 < available_memory; words *= step) {
        cases.push_back(update_case(words, workers, PageSize::large));
        cases.push_back(update_case(words, workers, PageSize::small));
    }
    for (const int ranks : fitted_ranks(effort, available_memory)) {
        add_route_cases(cases, ranks, std::min(workers, ranks));
    }
    for (const int ranks : effort == Effort::full ? std::vector<int>{8, 96, 768, 6144} : std::vector<int>{8, 768}) {
        cases.push_back(ranks_case(GupsVariant::bucketed, {ranks}, 0, std::min(workers, ranks)));
    }
    return cases;
}

}  // namespace narrows
