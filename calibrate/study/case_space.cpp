#include "calibrate/study/case_space.hpp"

#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include "model/demand/placement.hpp"
#include "model/gups/bucket_size.hpp"
#include "model/gups/routed.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr int most_dimensions_drawn = 6;

// One of the numbers that divide `whole`.
int divisor(double place, int whole) {
    const std::vector<std::int64_t> all = divisors(whole);
    return static_cast<int>(all[static_cast<std::size_t>(one_of(place, all.size()))]);
}

bool holds_buckets(const std::vector<int>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{0}) <= held_updates;
}

// About so many ranks in so many dimensions, whose logarithms share that of the ranks as `weights` say.
std::vector<int> uneven_shape(double ranks, int dimensions, const std::array<double, most_dimensions_drawn>& weights) {
    const double sum = std::accumulate(weights.begin(), weights.begin() + dimensions, 0.0);
    std::vector<int> shape;
    for (int d = 0; d < dimensions; ++d) {
        const double size = std::pow(ranks, weights[static_cast<std::size_t>(d)] / sum);
        if (size >= 1.5) shape.push_back(static_cast<int>(std::lround(size)));
    }
    if (shape.empty()) shape.push_back(2);
    return shape;
}

// Halves the longest dimension until a rank holds the buckets.
void shorten(std::vector<int>& shape, std::int64_t most_ranks) {
    while (!holds_buckets(shape) || shape_nodes(shape) > most_ranks) {
        int& longest = *std::ranges::max_element(shape);
        longest = std::max(1, longest / 2);
    }
}

bool fits(const GupsOptions& options, const CaseLimits& limits) {
    try {
        return 2 * needed_memory(checked(options)) <= static_cast<double>(limits.memory);
    } catch (const InputError&) {
        return false;
    }
}

void halve_ranks(GupsOptions& options) {
    if (options.shape.empty()) {
        options.ranks = std::max(2, options.ranks / 2);
        return;
    }
    shorten(options.shape, std::max(2, options.ranks / 2));
    options.ranks = static_cast<int>(shape_nodes(options.shape));
    options.bucket = std::min(options.bucket, routed_bucket(options.shape));
}

}  // namespace

GupsCase gups_case_at(const UnitNumbers& next, const CaseLimits& given) {
    CaseLimits limits = given;
    const double code = next();
    const auto ranks = log_uniform<int>(next(), 2, std::max(2, limits.most_ranks));
    const bool usual_shape = next() < 0.5;
    const int dimensions = 1 + one_of(next(), most_dimensions_drawn);
    std::array<double, most_dimensions_drawn> weights{};
    for (double& weight : weights) weight = -std::log(1 - next());  // all splits are as likely
    const double table = next();
    const double bucket = next();
    const bool small_pages = next() >= 0.75;
    if (small_pages)
        limits.memory = static_cast<std::size_t>(static_cast<double>(given.memory) / given.small_page_cost);

    GupsCase made;
    GupsOptions& options = made.options;
    options.verify = false;
    options.pages = small_pages ? PageSize::small : PageSize::large;
    options.ranks = ranks;
    if (code < 0.6) {
        options.variant = GupsVariant::routed;
        options.shape = default_rank_shape(ranks);
        if (!usual_shape || !holds_buckets(options.shape)) options.shape = uneven_shape(ranks, dimensions, weights);
        shorten(options.shape, std::max(2, limits.most_ranks));
        options.ranks = static_cast<int>(shape_nodes(options.shape));
        const int most = routed_bucket(options.shape);
        options.bucket = bucket < 0.5 ? most : log_uniform<int>(2 * bucket - 1, 1, most);
    } else if (code < 0.85) {
        options.variant = GupsVariant::bucketed;
    } else {
        options.variant = GupsVariant::sequential;
        options.ranks = 1;
    }
    const std::uint64_t most_words = std::bit_floor(limits.memory / 2 / sizeof(Word));
    const double least_words = std::min<double>(1 << 17, static_cast<double>(most_words));
    options.table_words =
        std::bit_floor(log_uniform<std::uint64_t>(table, least_words, 2 * static_cast<double>(most_words) - 1));
    options.table_words = std::min(
        std::max<std::uint64_t>(options.table_words, std::bit_ceil(static_cast<unsigned>(options.ranks))), most_words);
    while (options.ranks > 2 && !fits(options, limits)) halve_ranks(options);
    options.workers = std::min(limits.workers, options.ranks);
    options.updates = study_updates(options.ranks);
    return made;
}

SweepCase sweep_case_at(const UnitNumbers& next, const CaseLimits& limits) {
    constexpr int most_side = 16;
    constexpr int most_cells = 32;
    constexpr int most_planes = 128;
    SweepCase made;
    made.role = SweepRole::between;
    SweepOptions& options = made.options;
    SweepProblem& problem = options.problem;
    options.protocol = Protocol::receiver_initiated;
    for (std::size_t axis : {0, 1}) {
        const auto side = log_uniform<int>(next(), 1, most_side);
        options.grid[axis] = side;
        // Uneven unless by chance: ranks have this many cells or one more.
        const auto cells = log_uniform<int>(next(), 1, most_cells);
        problem.cells[axis] = side * cells + one_of(next(), side);
    }
    while (options.grid[0] * options.grid[1] > limits.most_ranks) {
        int& longer = *std::ranges::max_element(options.grid);
        longer /= 2;
    }
    problem.cells[2] = log_uniform<int>(next(), 1, most_planes);
    options.planes = divisor(next(), problem.cells[2]);
    problem.angles = next() < 0.5 ? 6 : 3;
    options.angle_block = divisor(next(), problem.angles);
    problem.moments = next() < 0.5 ? 4 : 1;
    options.workers = std::min(limits.workers, options.grid[0] * options.grid[1]);
    problem.iterations = 2;
    return made;
}

}  // namespace narrows
