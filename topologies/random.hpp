#pragma once

#include <cstdint>
#include <random>

namespace narrows {

/// A number below `bound`, each as likely, the same on every machine: distributions differ between libraries.
inline std::uint64_t random_below(std::mt19937_64& random, std::uint64_t bound) {
    const std::uint64_t fair = std::mt19937_64::max() / bound * bound;
    std::uint64_t drawn = random();
    while (drawn >= fair) drawn = random();
    return drawn % bound;
}

}  // namespace narrows
