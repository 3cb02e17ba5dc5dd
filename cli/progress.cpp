#include "cli/progress.hpp"

#include <fmt/format.h>

#include <cmath>

namespace narrows {

double share_of_way(double from, double to, double value) {
    if (from == to) return 1;
    const bool by_ratio = from > 0 && to > 0 && value > 0;
    const double share = by_ratio ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
    return std::clamp(share, 0.0, 1.0);
}

void Progress::at(double fraction) {
    const auto now = Clock::now();
    fraction = std::min(fraction, 1.0);  // sums of parts may be a little more
    if (fraction < done_) {              // another part, of which nobody knew how many there would be
        begin_ = now;
        ++part_;
    }
    done_ = fraction;
    if (now < next_) return;
    next_ = now + std::chrono::seconds(2);
    constexpr double least_told = 0.01;  // of less nobody can say how long the rest takes
    constexpr double seconds_in_full = 100;
    const double left = std::chrono::duration<double>(now - begin_).count() * (1 - fraction) / fraction;
    std::string rest;
    if (fraction >= least_told) {
        rest =
            left < seconds_in_full ? fmt::format(", {:.0f} s left", left) : fmt::format(", {:.0f} min left", left / 60);
    }
    const std::string part = part_ > 1 ? fmt::format(" (part {})", part_) : "";
    std::string line = fmt::format("{}{}: {:.0f} %{}\n", what_, part, 100 * fraction, rest);
    if (line != last_) out_ << line << std::flush;
    last_ = std::move(line);
}

}  // namespace narrows
