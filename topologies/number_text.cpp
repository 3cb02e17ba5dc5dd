#include "topologies/number_text.hpp"

#include <charconv>
#include <cmath>

namespace narrows {

std::optional<double> to_number(std::string_view word) {
    double value = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool good = status == std::errc() && end == word.data() + word.size() && std::isfinite(value);
    return good ? std::optional(value) : std::nullopt;
}

int decimals(std::string_view word) {
    const auto point = word.find('.');
    return point == std::string_view::npos ? 0 : static_cast<int>(word.size() - point) - 1;
}

}  // namespace narrows
