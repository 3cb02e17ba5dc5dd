#include "model/gups/residuals.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "model/gups/bucket_size.hpp"
#include "model/gups/routed.hpp"

namespace narrows {
namespace {

constexpr double line_bytes = 64;
constexpr double word_bytes = 8;

// Of less than a line the next power of two.
double lines_of_bucket(int bucket) {
    return std::min(lines_of_packet(bucket), std::bit_ceil(static_cast<unsigned>(bucket)) * word_bytes / line_bytes);
}

double dimensions_with_peers(std::span<const int> shape) {
    return static_cast<double>(std::ranges::count_if(shape, [](int size) { return size > 1; }));
}

}  // namespace

Data routed_state(std::span<const int> shape, int bucket) {
    constexpr double router = 1024;
    // Of an inbox, for each dimension with peers: two packets a peer or as many words, in 96 lines where two need no
    // more.
    constexpr double most_lines = 96;
    const double packet = lines_of_packet(bucket);
    const auto buckets = std::accumulate(shape.begin(), shape.end(), 0.0);
    const double peers = buckets - static_cast<double>(shape.size());
    const double dimensions = dimensions_with_peers(shape);
    const double words = 2 * peers * routed_bucket(shape);
    const double inbox = std::min(words / bucket, dimensions * std::max(2.0, std::floor(most_lines / packet)));
    return bytes((buckets * lines_of_bucket(bucket) + inbox * packet) * line_bytes + router);
}

std::string residuals_of(GupsCode code) {
    return "gups-" + std::string(name_of(code));
}

std::vector<ResidualVariable> residual_variables(const GupsQuery& query, const Placement& placement, Data table,
                                                 double updates) {
    const auto ranks = static_cast<double>(placement.ranks());
    const ResidualVariable of_table = {{"table", true, true}, table.si()};
    const ResidualVariable of_rank = {{"a rank's part of the table", true, true}, table.si() / ranks};
    const ResidualVariable of_ranks = {{"ranks", true}, ranks};
    const ResidualVariable pages = {{"small pages"}, query.small_pages ? 1.0 : 0.0};
    if (query.variant == GupsCode::sequential) return {of_table, pages};
    if (query.variant != GupsCode::routed) return {of_ranks, of_table, of_rank, pages};
    const std::vector<int>& shape = placement.shape;
    const int bucket = checked_bucket(shape, query.bucket);
    const double hops = routed_hops(shape);
    const double buckets = std::accumulate(shape.begin(), shape.end(), 0.0);
    const double flushed = finishing_packets(shape, bucket, updates / ranks);
    const double ends = (buckets - static_cast<double>(shape.size())) * ranks / updates;
    const double state = ranks / placement.workers * routed_state(shape, bucket).si();
    const auto with_peers = [](int size) { return size > 1 ? size : held_updates; };
    const double shortest = std::transform_reduce(
        shape.begin(), shape.end(), held_updates, [](int a, int b) { return std::min(a, b); }, with_peers);
    const double longest = *std::ranges::max_element(shape);
    return {{{"packets an update", true}, hops / bucket + flushed + 1e-9},
            of_ranks,
            {{"memory of the routers", true, true}, state},
            {{"hops"}, hops},
            {{"dimensions", true}, std::max(1.0, dimensions_with_peers(shape))},
            of_table,
            of_rank,
            pages,
            {{"updates a packet", true}, static_cast<double>(bucket)},
            {{"ends of the finishing phase an update"}, ends},
            {{"ranks of the longest dimension", true}, longest},
            {{"ranks of the shortest dimension", true}, shortest},
            {{"updates of a rank", true}, updates / ranks}};
}

}  // namespace narrows
