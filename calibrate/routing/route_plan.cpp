#include "calibrate/routing/route_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "topologies/input_error.hpp"

namespace narrows {

namespace {

int checked_bucket(int bucket, std::int64_t buckets) {
    if (buckets > most_held) {
        throw InputError(
            fmt::format("the shape's sizes add up to {}, but a rank may hold {} updates, one a bucket: "
                        "give more dimensions of smaller sizes",
                        buckets, most_held));
    }
    const auto most = static_cast<int>(most_held / buckets);
    if (bucket == 0) return most;
    if (bucket < 0 || bucket > most) {
        throw InputError(
            fmt::format("a bucket of {} updates is not possible: the shape needs {} buckets, and a rank may "
                        "hold {} updates, so give 1 to {}",
                        bucket, buckets, most_held, most));
    }
    return bucket;
}

}  // namespace

void check_rank_shape(const std::vector<int>& shape, int ranks) {
    if (shape.size() > most_dimensions) {
        throw InputError(
            fmt::format("a shape of {} dimensions is too deep: give at most {}", shape.size(), most_dimensions));
    }
    std::int64_t product = 1;
    for (const int size : shape) {
        if (size < 1) throw InputError(fmt::format("shape {} has a size below 1", fmt::join(shape, "x")));
        product *= size;
        if (product > ranks) break;
    }
    if (shape.empty() || product != ranks) {
        throw InputError(
            fmt::format("shape {} does not have {} ranks: make the product of its sizes the number of ranks",
                        shape.empty() ? "''" : fmt::format("{}", fmt::join(shape, "x")), ranks));
    }
}

RoutePlan::RoutePlan(const std::vector<int>& shape, const Ownership& ownership, int bucket) : ownership_(ownership) {
    check_rank_shape(shape, ownership.ranks);
    std::int64_t buckets = 0;
    for (const int size : shape) buckets += size;
    bucket_words_ = checked_bucket(bucket, buckets);

    RouteDimension next;
    for (const int size : shape) {
        next.size = size;
        next.mask = std::bit_ceil(static_cast<unsigned>(size)) - 1;
        powers_of_two_ = powers_of_two_ && std::has_single_bit(static_cast<unsigned>(size));
        bucket_dimension_.insert(bucket_dimension_.end(), static_cast<std::size_t>(size),
                                 static_cast<std::uint8_t>(dimensions_.size()));
        dimensions_.push_back(next);
        next.shift += static_cast<int>(std::bit_width(next.mask));
        next.stride *= size;
        next.first_bucket += size;
    }
    mask_ = ownership.index_mask();
    if (powers_of_two_) shift_ = ownership.log2_table - std::countr_zero(static_cast<unsigned>(ownership.ranks));
}

Word RoutePlan::packed(int rank) const {
    Word packed = 0;
    for (int d = 0; d < dimension_count(); ++d) {
        packed |= static_cast<Word>(coordinate(rank, d)) << dimensions_[static_cast<std::size_t>(d)].shift;
    }
    return packed;
}

int RoutePlan::next_bucket(Word word, Word packed_here, int own, int from) const {
    Lanes bucket{};
    next_buckets(bucket, Lanes{} + word, packed_here, static_cast<Word>(own), from);
    return static_cast<int>(bucket[0]);
}

}  // namespace narrows
