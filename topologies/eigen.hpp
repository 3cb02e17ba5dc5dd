#pragma once

// Eigen as this project uses it. Without assertions a mismatch of sizes gives a wrong answer in silence, so that they
// stay on in every build and throw. Include this header before any of Eigen's own: its functions must be compiled alike
// everywhere. Not for public headers.
#include <stdexcept>

#define eigen_assert(condition)                                                     \
    do {                                                                            \
        if (!(condition)) throw std::logic_error("Eigen asserts that " #condition); \
    } while (false)

#include <Eigen/Core>
