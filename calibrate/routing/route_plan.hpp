#pragma once

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include <bit>
#include <cstdint>
#include <vector>

#include "calibrate/transport/word.hpp"

namespace narrows {

/// Eight words treated alike, as the processor's vector registers do.
using Lanes = Word __attribute__((vector_size(64)));

/// Most words that a rank may hold, by the rules of RandomAccess.
inline constexpr int most_held = 1024;

/// Most dimensions of a shape: a hypercube of 2^24 ranks.
inline constexpr int most_dimensions = 24;

/// Which rank owns a word: the table's 2^log2_table entries are dealt out in order, `ranks` shares of sizes that
/// differ by at most one, and a word belongs to the entry that its low bits name.
struct Ownership {
    int log2_table = 0;
    int ranks = 1;

    Word index_mask() const { return (Word{1} << log2_table) - 1; }
    int owner(Word word) const {
        return static_cast<int>(((word & index_mask()) * static_cast<Word>(ranks)) >> log2_table);
    }
    /// The first entry of `rank`, or the table's size for `rank == ranks`.
    Word first_entry(int rank) const {
        const Word shares = static_cast<Word>(ranks);
        return ((static_cast<Word>(rank) << log2_table) + shares - 1) / shares;
    }
};

/// One dimension of a shape, as the router uses it.
struct RouteDimension {
    int size = 1;
    /// Distance in ranks between neighbours.
    int stride = 1;
    /// The coordinate's place in packed coordinates.
    int shift = 0;
    Word mask = 0;
    /// Index of the bucket for coordinate 0.
    int first_bucket = 0;
};

/// Throws InputError unless the sizes of `shape` are positive and their product is the number of ranks.
void check_rank_shape(const std::vector<int>& shape, int ranks);

/// Dimension-ordered software routing (garg2006, Sections 5.2 and 5.3) for a shape of any number of dimensions: a word
/// goes first to the rank that has its owner's coordinate in the first dimension that differs, and so on. The first
/// dimension is the fastest-varying digit of the rank.
class RoutePlan {
  public:
    /// `bucket` words to a bucket, 0 for the most that fit: floor(1024 / sum of X_i).
    /// Throws InputError when a size is below 1, the product is not `ownership.ranks`, or the buckets hold over 1024.
    RoutePlan(const std::vector<int>& shape, const Ownership& ownership, int bucket);

    const Ownership& ownership() const { return ownership_; }
    const std::vector<RouteDimension>& dimensions() const { return dimensions_; }
    int dimension_count() const { return static_cast<int>(dimensions_.size()); }
    /// Buckets of a rank: sum of X_i. In each dimension the one of the own coordinate has no peer.
    int bucket_count() const { return static_cast<int>(bucket_dimension_.size()); }
    /// Words of a full bucket.
    int bucket_words() const { return bucket_words_; }
    /// Ranks that a rank sends to, in all dimensions.
    int peer_count() const { return bucket_count() - dimension_count(); }
    int dimension_of_bucket(int bucket) const { return bucket_dimension_[static_cast<std::size_t>(bucket)]; }

    int coordinate(int rank, int dimension) const {
        const RouteDimension& d = dimensions_[static_cast<std::size_t>(dimension)];
        return rank / d.stride % d.size;
    }
    /// The rank that has coordinate `coordinate` in `dimension` and is otherwise `rank`.
    int neighbour(int rank, int dimension, int coordinate_there) const {
        return rank + (coordinate_there - coordinate(rank, dimension)) *
                          dimensions_[static_cast<std::size_t>(dimension)].stride;
    }
    /// The bucket for words of `rank` itself: that of its own coordinate in the first dimension.
    int own_bucket(int rank) const { return coordinate(rank, 0); }
    /// The coordinates of `rank`, each in bits of its own, first dimension lowest.
    Word packed(int rank) const;

    /// For each of eight words at `rank`: the bucket of its next hop, or `own_bucket(rank)` when it has arrived.
    /// Only dimensions from `from` on are considered: what came along a dimension needs no earlier one.
    void next_buckets(Lanes& buckets, const Lanes& words, Word packed_here, Word own, int from) const {
        Lanes chosen = Lanes{} + own;
        if (powers_of_two_) {
            const Lanes there = (words & mask_) >> shift_;
            const Lanes differ = there ^ packed_here;
            for (int d = dimension_count() - 1; d >= from; --d) {
                const RouteDimension& dimension = dimensions_[static_cast<std::size_t>(d)];
                const Lanes digit = (there >> dimension.shift) & dimension.mask;
                const Lanes differs = differ & (dimension.mask << dimension.shift);
                chosen = differs != 0 ? digit + static_cast<Word>(dimension.first_bucket) : chosen;
            }
        } else {
            // An entry as a share of the table, in fixed point: times the size of the slowest dimension its whole part
            // is the owner's coordinate there, and what is behind the point says the same of the next dimension.
            Lanes rest = words & mask_;
            for (int d = dimension_count() - 1; d >= from; --d) {
                const RouteDimension& dimension = dimensions_[static_cast<std::size_t>(d)];
                scale(rest, static_cast<Word>(dimension.size));
                const Lanes digit = rest >> ownership_.log2_table;
                rest &= mask_;
                const Word here = (packed_here >> dimension.shift) & dimension.mask;
                chosen = digit != here ? digit + static_cast<Word>(dimension.first_bucket) : chosen;
            }
        }
        buckets = chosen;
    }

    /// The bits of a word that name its owner, and that owner's number in these places, for sizes of powers of two.
    Word owner_mask() const { return mask_ >> shift_ << shift_; }
    Word owner_bits(Word packed) const { return packed << shift_; }
    bool powers_of_two() const { return powers_of_two_; }

    /// The bucket of the next hop of one word, as `next_buckets` gives it.
    int next_bucket(Word word, Word packed_here, int own, int from) const;

  private:
    // Sixteen of the product's bits at least are free, as sizes are at most 1024 and entries are less than 2^48.
    void scale(Lanes& rest, Word size) const {
        // GCC takes three multiplications for one of words, even where their upper halves are known to be zero.
#if defined(__AVX512F__)
        if (ownership_.log2_table <= 32) {
            rest = std::bit_cast<Lanes>(_mm512_maskz_mul_epu32(0xff, std::bit_cast<__m512i>(rest),
                                                               _mm512_set1_epi64(static_cast<long long>(size))));
            return;
        }
#elif defined(__SSE2__)
        if (ownership_.log2_table <= 32) {
            const __m128i sizes = _mm_set1_epi64x(static_cast<long long>(size));
            auto* const pairs = reinterpret_cast<__m128i*>(&rest);
            for (std::size_t pair = 0; pair < sizeof(Lanes) / sizeof(__m128i); ++pair) {
                _mm_store_si128(pairs + pair, _mm_mul_epu32(_mm_load_si128(pairs + pair), sizes));
            }
            return;
        }
#endif
        rest *= size;
    }

    Ownership ownership_;
    std::vector<RouteDimension> dimensions_;
    std::vector<std::uint8_t> bucket_dimension_;
    bool powers_of_two_ = true;  // every size, so that packed coordinates are the rank
    Word mask_ = 0;
    int shift_ = 0;
    int bucket_words_ = 0;
};

}  // namespace narrows
