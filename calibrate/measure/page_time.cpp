#include "calibrate/measure/page_time.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>

#include "calibrate/ranks/mapping.hpp"

namespace narrows {

double first_write_seconds() {
    constexpr std::size_t bytes = std::size_t{32} << 20;
    constexpr std::size_t page = 4096;
    double least = std::numeric_limits<double>::infinity();
    for (int time = 0; time < 3; ++time) {
        const auto begin = std::chrono::steady_clock::now();
        const Mapping memory(bytes, PageSize::small);
        for (std::size_t at = 0; at < bytes; at += page) memory.data()[at] = std::byte{1};
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        least = std::min(least, taken.count());
    }
    return least / bytes;
}

}  // namespace narrows
