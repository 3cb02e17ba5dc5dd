#include "calibrate/kernels/gups/stream.hpp"

namespace narrows {

namespace {

// The product of two polynomials over GF(2) modulo x^64 + x^2 + x + 1.
Word multiply(Word a, Word b) {
    Word product = 0;
    for (; b != 0; b >>= 1) {
        if ((b & 1) != 0) product ^= a;
        a = next_update(a);
    }
    return product;
}

}  // namespace

Word stream_start(std::uint64_t position) {
    Word power = 2;
    Word start = 1;
    for (; position != 0; position >>= 1) {
        if ((position & 1) != 0) start = multiply(start, power);
        power = multiply(power, power);
    }
    return start;
}

}  // namespace narrows
