#include "stress_report.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace narrows {

std::uint64_t stress_messages() {
    const char* text = std::getenv("NARROWS_STRESS_MESSAGES");
    if (text == nullptr) return 100'000'000;
    const std::string_view digits = text;
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end != digits.data() + digits.size() || count == 0) {
        throw std::invalid_argument(
            fmt::format("NARROWS_STRESS_MESSAGES={}: give a number of messages, such as 1000000", text));
    }
    return count;
}

std::uint64_t StressLine::print(std::uint64_t messages) const {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    fmt::print("{:<18} over {:<13} {:>2} ranks: {:>10} messages, {:.1f} s\n", protocol_, endpoint_, ranks_, messages,
               seconds);
    std::fflush(stdout);
    return messages;
}

}  // namespace narrows
