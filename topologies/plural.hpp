#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace narrows {

/// "1 link", "2 links".
inline std::string plural(std::int64_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace narrows
