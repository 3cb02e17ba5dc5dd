#include "cli/verdict.hpp"

#include <fmt/format.h>

namespace narrows {

std::optional<double> ratio(double before, double after) {
    if (before == 0) return after == 0 ? std::optional<double>(1) : std::nullopt;
    return after / before;
}

TableCell ratio_cell(double before, double after) {
    const auto found = ratio(before, after);
    return found ? number_cell(*found) : "-";
}

std::optional<double> value_of(const Answer& answer, const std::string& name) {
    for (const Part& part : answer.parts) {
        if (part.name == name) return part.value;
    }
    return answer.figures.bounded ? std::nullopt : std::optional<double>(0);  // a term that is left out takes no time
}

namespace {

// Words for a result and a bottleneck that are as they were.
std::string no_change(const Answer& after) {
    const std::string& unit = after.figures.unit;
    if (after.value == 0) return "no change: it takes no time";
    const double value = value_of(after, after.bottleneck).value_or(after.value);
    return after.figures.bounded
               ? fmt::format("no change: {} still binds at {} {}", after.bottleneck, after.text(value), unit)
               : fmt::format("no change: {} is still the largest term, {} {}", after.bottleneck, after.text(value),
                             unit);
}

// How the result has moved.
std::string change_of(const Answer& before, const Answer& after) {
    const std::string times = ratio_cell(before.value, after.value).text;
    if (times == "1") return "no change";
    if (before.value == 0) return fmt::format("{} {}, not 0", after.text(after.value), after.figures.unit);
    return fmt::format("{} times {}", times, before.figures.bounded ? "as fast" : "the time");
}

}  // namespace

std::string verdict(const Answer& before, const Answer& after) {
    const std::string result = change_of(before, after);
    const char* role = before.figures.bounded ? "the bottleneck" : "the largest term";
    if (before.bottleneck != after.bottleneck) {
        return fmt::format("{}; {} moves from {} to {}", result, role, before.bottleneck, after.bottleneck);
    }
    if (result == "no change") return no_change(after);
    return fmt::format("{}; {} remains {}", result, before.bottleneck, role);
}

}  // namespace narrows
