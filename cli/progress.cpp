#include "cli/progress.hpp"

#include <fmt/format.h>

namespace narrows {

void Progress::at(double fraction) {
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::seconds(2);
    std::string line = fmt::format("{}: {:.0f} %\n", what_, 100 * fraction);
    if (line != last_) out_ << line << std::flush;
    last_ = std::move(line);
}

}  // namespace narrows
