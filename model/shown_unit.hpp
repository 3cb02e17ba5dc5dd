#pragma once

#include <string>

namespace narrows {

/// What a result measures, and how it is shown.
struct ShownUnit {
    std::string quantity;  ///< `rate` or `time`, for sentences
    std::string unit;      ///< as shown: `GUPS`, `µs`
    double scale = 1;      ///< shown over SI
    bool bounded = false;  ///< its parts are bounds; else terms that sum to it
};

}  // namespace narrows
