#pragma once

#include <chrono>
#include <cstdint>

namespace narrows {

/// Messages that all exchanges of a stress test are to have together: what the environment asks for by
/// NARROWS_STRESS_MESSAGES, else 10^8. Throws std::invalid_argument when that is no number.
std::uint64_t stress_messages();

/// A line of a stress test's output, printed when its exchanges have ended.
class StressLine {
  public:
    StressLine(const char* protocol, const char* endpoint, int ranks)
        : protocol_(protocol), endpoint_(endpoint), ranks_(ranks) {}

    /// Prints how many messages there were, and in what time. Returns `messages`.
    std::uint64_t print(std::uint64_t messages) const;

  private:
    const char* protocol_;
    const char* endpoint_;
    int ranks_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace narrows
