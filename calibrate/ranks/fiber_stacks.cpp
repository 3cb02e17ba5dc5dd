#include "calibrate/ranks/fiber_stacks.hpp"

#include <algorithm>
#include <cstdint>

namespace narrows {

namespace {

constexpr std::size_t line = 64;
constexpr std::size_t page = 4096;
constexpr std::size_t stagger = 5 * line;
constexpr std::size_t canary_words = line / sizeof(std::uint64_t);

std::size_t round_up(std::size_t value, std::size_t unit) {
    return (value + unit - 1) / unit * unit;
}

std::uint64_t canary(int fiber) {
    return 0x9e3779b97f4a7c15ULL * (static_cast<std::uint64_t>(fiber) + 1);
}

}  // namespace

// Guarded: a guard page, a page of slack so that a small overrun meets the canary and not the guard, then the stack.
FiberStacks::FiberStacks(int count, std::size_t bytes, PageSize pages)
    : bytes_(round_up(std::max(bytes, page), count <= most_guarded_stacks ? page : line)),
      stride_(count <= most_guarded_stacks ? bytes_ + 2 * page : bytes_ + stagger),
      first_(2 * page),
      mapping_(first_ + stride_ * static_cast<std::size_t>(count),
               count <= most_guarded_stacks ? PageSize::small : pages) {
    if (count > most_guarded_stacks) return;
    for (int fiber = 0; fiber < count; ++fiber) {
        mapping_.protect(static_cast<std::size_t>(fiber) * stride_, page);
    }
}

void FiberStacks::arm(int fiber) {
    auto* words = reinterpret_cast<volatile std::uint64_t*>(bottom(fiber));
    for (std::size_t i = 0; i < canary_words; ++i) words[i] = canary(fiber);
}

bool FiberStacks::intact(int fiber) const {
    const auto* words = reinterpret_cast<const volatile std::uint64_t*>(bottom(fiber));
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < canary_words; ++i) difference |= words[i] ^ canary(fiber);
    return difference == 0;
}

}  // namespace narrows
