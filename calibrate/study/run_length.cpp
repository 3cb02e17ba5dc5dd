#include "calibrate/study/run_length.hpp"

#include <algorithm>

namespace narrows {

namespace {

// What follows a short run of `probed` that took `seconds`: the length of another one while it took too little to tell;
// else 0 and that of a run of some seven seconds at that pace, of 1 at least and of the usual length at most.
Launch::Numbers next_length(const RunLength& length, std::uint64_t probed, double seconds) {
    constexpr double enough = 0.5;
    constexpr double wanted = 7;
    constexpr double least_growth = 2, most_growth = 64;
    const auto so_far = static_cast<double>(probed);
    if (seconds < enough) {
        const double growth = seconds > 0 ? std::clamp(enough / seconds, least_growth, most_growth) : most_growth;
        const auto again = static_cast<std::uint64_t>(growth * so_far);
        if (again < length.usual) return {again, 0};
    }
    if (seconds * static_cast<double>(length.usual) <= wanted * so_far) return {0, length.usual};
    return {0, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(so_far * wanted / seconds))};
}

}  // namespace

std::uint64_t length_in_time(const RunLength& length, const std::function<double(std::uint64_t)>& run,
                             const std::function<Launch::Numbers(const Launch::Numbers&)>& first_says) {
    std::uint64_t probe = length.first;
    while (probe < length.usual) {
        const Launch::Numbers said = first_says(next_length(length, probe, run(probe)));
        if (said.at(0) == 0) return said.at(1);
        probe = said.at(0);
    }
    return length.usual;
}

}  // namespace narrows
