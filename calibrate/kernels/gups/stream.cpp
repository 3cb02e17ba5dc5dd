#include "calibrate/kernels/gups/stream.hpp"

#include <array>
#include <bit>

namespace narrows {

namespace {

// The product of two polynomials over GF(2) modulo x^64 + x^2 + x + 1.
constexpr Word multiply(Word a, Word b) {
    Word product = 0;
    for (; b != 0; b >>= 1) {
        if ((b & 1) != 0) product ^= a;
        a = next_update(a);
    }
    return product;
}

// x^(2^k)
constexpr auto powers = [] {
    std::array<Word, 64> all{2};
    for (std::size_t k = 1; k < all.size(); ++k) all[k] = multiply(all[k - 1], all[k - 1]);
    return all;
}();

}  // namespace

Word stream_start(std::uint64_t position) {
    Word start = 1;
    for (; position != 0; position &= position - 1) {
        start = multiply(powers[static_cast<std::size_t>(std::countr_zero(position))], start);
    }
    return start;
}

}  // namespace narrows
