#include "cli/options.hpp"

#include <fmt/format.h>

#include "model/unit.hpp"

namespace narrows {

double positive_seconds(const std::string& option, const std::string& text) {
    const Time time = with_option_context(option, [&] { return parse_time(text); });
    if (time.si() <= 0) throw InputError(fmt::format("{} {}: give a time above zero, such as '60 s'", option, text));
    return time.si();
}

std::size_t positive_bytes(const std::string& option, const std::string& text) {
    const double bytes = with_option_context(option, [&] { return parse_data(text); }).si();
    constexpr double most = 1e18;
    if (bytes < 1 || bytes > most) {
        throw InputError(
            fmt::format("{} {}: give an amount above zero that a machine has, such as '4 GiB'", option, text));
    }
    return static_cast<std::size_t>(bytes);
}

}  // namespace narrows
