#include "cli/byte_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/options.hpp"
#include "model/unit.hpp"
#include "topologies/text.hpp"

namespace narrows {
namespace {

constexpr double most_bytes = 1 << 30;

std::int64_t byte_size(const std::string& text, const std::string& option) {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    const double bytes = with_option_context(option, [&] { return parse_data(digits ? text + " B" : text); }).si();
    if (bytes < 0 || bytes > most_bytes || bytes != std::floor(bytes)) {
        throw InputError(fmt::format("{} {}: a message has a whole number of bytes up to 1 GiB", option, text));
    }
    return static_cast<std::int64_t>(bytes);
}

void append(std::vector<std::int64_t>& sizes, const std::string& part, const std::string& option) {
    const std::size_t dots = part.find("..");
    if (dots == std::string::npos) {
        sizes.push_back(byte_size(part, option));
        return;
    }
    const auto up = [&] {
        return InputError(fmt::format("{} {}: a range goes up from 1 or more, such as 8..4MiB", option, part));
    };
    if (dots == 0 || dots + 2 == part.size()) throw up();
    const std::int64_t first = byte_size(part.substr(0, dots), option);
    const std::int64_t last = byte_size(part.substr(dots + 2), option);
    if (first < 1 || last < first) throw up();
    for (std::int64_t bytes = first; bytes < last; bytes *= 2) sizes.push_back(bytes);
    sizes.push_back(last);
}

}  // namespace

std::vector<std::int64_t> parse_byte_sizes(const std::string& text, const std::string& option) {
    std::vector<std::int64_t> sizes;
    for (const std::string_view part : split(text, ',')) append(sizes, std::string(part), option);
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

std::string size_text(Data size) {
    const bool whole = size.si() >= 1024 && std::fmod(size.si(), 1024) == 0;
    return whole ? print(size) : fmt::format("{:.0f} B", size.si());
}

}  // namespace narrows
