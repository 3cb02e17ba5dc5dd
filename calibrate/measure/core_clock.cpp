#include "calibrate/measure/core_clock.hpp"

#include <chrono>
#include <vector>

namespace narrows {
namespace {

#if defined(__x86_64__) || defined(__aarch64__)
constexpr bool known_processor = true;
#else
constexpr bool known_processor = false;
#endif

// Eight additions, each to the result of the one before. Of a register: processors fold additions of constants.
inline void eight_cycles([[maybe_unused]] unsigned long& value, [[maybe_unused]] unsigned long one) {
#if defined(__x86_64__)
    asm volatile("add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0"
                 : "+r"(value)
                 : "r"(one)
                 : "cc");
#elif defined(__aarch64__)
    asm volatile(
        "add %0, %0, %1\n add %0, %0, %1\n add %0, %0, %1\n add %0, %0, %1\n"
        "add %0, %0, %1\n add %0, %0, %1\n add %0, %0, %1\n add %0, %0, %1"
        : "+r"(value)
        : "r"(one));
#endif
}

double clock_now() {
    using Clock = std::chrono::steady_clock;
    constexpr int rounds = 5000;
    unsigned long value = 0;
    const auto start = Clock::now();
    for (int round = 0; round < rounds; ++round) eight_cycles(value, 1);
    return 8.0 * rounds / std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

std::optional<OrderEstimate> core_clock() {
    if (!known_processor) return std::nullopt;
    constexpr int measurements = 400;
    for (int i = 0; i < measurements / 4; ++i) clock_now();  // until the core has sped up
    std::vector<double> rates;
    for (int i = 0; i < measurements; ++i) rates.push_back(clock_now());
    return median_estimate(rates);
}

}  // namespace narrows
