#pragma once

namespace narrows {

/// How many of a unit are in one with the prefix: what the papers print their numbers in.
inline constexpr double giga = 1e9;
inline constexpr double mega = 1e6;
inline constexpr double kibi = 1024;
inline constexpr double micro = 1e-6;
inline constexpr double nano = 1e-9;

}  // namespace narrows
