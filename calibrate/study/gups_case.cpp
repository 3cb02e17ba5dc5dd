#include "calibrate/study/gups_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>

#include "calibrate/kernels/messages/named_value.hpp"
#include "calibrate/study/case_words.hpp"
#include "model/gups/bucket_size.hpp"
#include "model/gups/routed.hpp"
#include "model/gups/workload.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr const char* small_pages = "_4KiB_pages";  // behind the name of a role

/// What a case is called by what it runs.
constexpr NamesInOrder<7> variants = {"sequential", "update", "bucket", "", "", "", "route"};
static_assert(variants.size() == static_cast<std::size_t>(GupsVariant::routed) + 1);

GupsCase update_case(std::uint64_t table_words, int workers, PageSize pages) {
    constexpr std::uint64_t few_updates = std::uint64_t{1} << 25;
    constexpr std::uint64_t cached_words = std::uint64_t{1} << 20;
    GupsCase made;
    made.options.variant = GupsVariant::local;
    made.options.ranks = workers;
    made.options.workers = workers;
    made.options.table_words = table_words;
    made.options.updates = table_words <= cached_words ? 2 * few_updates : few_updates;  // long enough to time
    made.options.pages = pages;
    made.options.verify = false;
    return made;
}

GupsCase ranks_case(GupsVariant variant, std::vector<int> shape, int bucket, int workers) {
    const std::int64_t ranks = shape_nodes(shape);
    GupsCase made;
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

void add_route_case(std::vector<GupsCase>& cases, const std::vector<int>& shape, int bucket, int workers) {
    if (bucket < 1) return;
    cases.push_back(ranks_case(GupsVariant::routed, shape, bucket, workers));
    GupsOptions& made = cases.back().options;
    constexpr int few = 4;
    if (made.ranks > few) made.updates /= 2;  // fewer make all of them in a few hundredths of a second
    if (bucket == 1) made.updates /= 4;       // each takes about four times as long
    constexpr std::uint64_t most_updates = std::uint64_t{1} << 24;
    constexpr std::uint64_t usual_of_rank = 1024;
    made.updates = std::max(made.updates, std::min(most_updates, usual_of_rank * static_cast<unsigned>(made.ranks)));
}

// What a rank takes once a run is told by a run of few updates, where there are so many ranks that it counts.
void add_short_route_case(std::vector<GupsCase>& cases, int ranks) {
    constexpr int many_ranks = 1024;
    constexpr std::uint64_t few_of_rank = 256;
    if (ranks < many_ranks) return;
    GupsCase made = cases.back();
    made.options.updates = std::min(few_of_rank * ranks, made.options.updates / 4);
    cases.push_back(std::move(made));
}

// The default arrangement, the same with smaller packets, and arrangements with fewer and more hops: together they
// separate the cost of a hop from that of a packet and of its lines. What there is between them the design has.
void add_route_cases(std::vector<GupsCase>& cases, int ranks, int workers) {
    constexpr int few = 64;
    constexpr int most_drawn = 65536;  // for more there is one long run: others take too long
    const std::vector<int> usual = default_rank_shape(ranks);
    const int bucket = routed_bucket(usual);
    if (ranks > 2) add_route_case(cases, usual, bucket, workers);  // of two it is left to validation
    if (ranks > most_drawn) return;
    add_short_route_case(cases, ranks);
    add_route_case(cases, usual, bucket / 4, workers);
    constexpr int quick_alone = 1024;  // so many ranks' packets of one update take no longer than other cases
    if (ranks <= quick_alone) add_route_case(cases, usual, 1, workers);
    // Between few ranks each packet waits for lines to come from another core, which many ranks hide.
    if (ranks <= few) add_route_case(cases, usual, bucket / 16, workers);
    for (const int dimensions : {2, 6}) {
        const std::vector<int> shape = most_cubic_shape(ranks, dimensions);
        const bool new_shape = shape != usual && std::ranges::count(shape, 1) == 0;
        const bool holds = std::accumulate(shape.begin(), shape.end(), 0) <= held_updates;
        if (new_shape && holds) add_route_case(cases, shape, routed_bucket(shape), workers);
    }
}

}  // namespace

std::string GupsCase::name() const {
    return fmt::format("{}{} ranks={} shape={} bucket={} table={} updates={} workers={}",
                       name_in(variants, options.variant), options.pages == PageSize::small ? small_pages : "",
                       options.ranks, options.shape.empty() ? "-" : format_shape(options.shape), options.bucket,
                       options.table_words * sizeof(Word), options.updates, options.workers);
}

namespace {

bool is_shape_of(const std::vector<int>& shape, int ranks) {
    for (const int size : shape) {
        if (size < 1 || ranks % size != 0) return false;
        ranks /= size;
    }
    return ranks == 1;
}

}  // namespace

std::optional<GupsCase> gups_case_named(const std::string& name) {
    GupsCase found;
    GupsOptions& options = found.options;
    options.verify = false;
    const CaseWords words(name);
    std::string role = words.first();
    if (role.ends_with(small_pages)) {
        options.pages = PageSize::small;
        role.resize(role.size() - std::string_view(small_pages).size());
    }
    const std::optional<GupsVariant> variant = value_in<GupsVariant>(variants, role);
    if (!variant) return std::nullopt;
    options.variant = *variant;
    options.ranks = words.number("ranks=");
    options.shape = words.sizes("shape=");
    options.bucket = words.number("bucket=");
    options.table_words = words.number<std::uint64_t>("table=") / sizeof(Word);
    options.updates = words.number<std::uint64_t>("updates=");
    options.workers = words.number("workers=");
    const bool routed = options.variant == GupsVariant::routed;
    const bool is_run = options.ranks > 0 && options.workers > 0 && options.updates > 0 && options.table_words > 0 &&
                        (!routed || (options.bucket > 0 && is_shape_of(options.shape, options.ranks)));
    if (!is_run || found.name() != name) return std::nullopt;
    return found;
}

std::uint64_t study_table_words(std::int64_t ranks) {
    constexpr std::int64_t least = std::int64_t{1} << 19;
    constexpr std::int64_t each = 1024;
    return std::bit_ceil(static_cast<std::uint64_t>(std::max(least, ranks * each)));
}

std::uint64_t study_updates(std::int64_t ranks) {
    constexpr std::int64_t least = std::int64_t{1} << 23;
    constexpr std::int64_t each = 256;
    return static_cast<std::uint64_t>(std::max(least, ranks * each));
}

bool fits_in(int ranks, std::size_t available_memory) {
    constexpr std::size_t bytes_a_rank = std::size_t{48} << 10;
    return static_cast<std::size_t>(ranks) * bytes_a_rank <= available_memory / 2;
}

// Powers of two, as are most machines and all of validation: other numbers need a look-up more for each hop.
std::vector<int> fitted_ranks(Effort effort, std::size_t available_memory) {
    std::vector<int> sizes = effort == Effort::full ? std::vector<int>{2, 4, 64, 1024, 4096, 16384, 131072}
                                                    : std::vector<int>{2, 4, 64, 1024, 4096};
    std::erase_if(sizes, [available_memory](int ranks) { return !fits_in(ranks, available_memory); });
    return sizes;
}

std::vector<GupsCase> calibration_cases(Effort effort, int workers, std::size_t available_memory) {
    constexpr std::uint64_t smallest = std::uint64_t{1} << 16;  // words: 512 KiB
    // Where a table leaves the shared cache its updates take four times as long within a factor of four.
    constexpr std::uint64_t beyond_caches = std::uint64_t{1} << 24;  // 128 MiB
    // From some GiB on the tables that translate addresses leave the caches: 8 GiB take a fifth longer with large
    // pages, three times as long with small ones.
    constexpr std::uint64_t far_translations = std::uint64_t{1} << 28;  // 2 GiB
    const auto step = [effort](std::uint64_t words) -> std::uint64_t {
        return effort == Effort::quick ? 16 : words < beyond_caches || words >= far_translations ? 2 : 4;
    };
    const std::uint64_t largest = std::uint64_t{1} << (effort == Effort::full ? 30 : 25);
    std::vector<GupsCase> cases;
    for (std::uint64_t words = smallest; words <= largest && words * sizeof(Word) * 2 < available_memory;
         words *= step(words)) {
        cases.push_back(update_case(words, workers, PageSize::large));
        cases.push_back(update_case(words, workers, PageSize::small));
    }
    if (effort == Effort::full && workers > 1 && !cases.empty()) {
        // One processor works on all of the largest, as the sequential code's does.
        cases.push_back(update_case(cases.back().options.table_words, 1, PageSize::large));
    }
    for (const int ranks : fitted_ranks(effort, available_memory)) {
        add_route_cases(cases, ranks, std::min(workers, ranks));
    }
    for (const int ranks :
         effort == Effort::full ? std::vector<int>{8, 32, 96, 256, 512, 768, 1536, 6144} : std::vector<int>{8, 768}) {
        cases.push_back(ranks_case(GupsVariant::bucketed, {ranks}, 0, std::min(workers, ranks)));
    }
    if (effort == Effort::full) return cases;
    // Three runs of every case fit into the minute on a slow machine that others use.
    for (GupsCase& each : cases) each.options.updates /= 2;
    return cases;
}

}  // namespace narrows
