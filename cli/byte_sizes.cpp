#include "cli/byte_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/value_list.hpp"
#include "model/unit.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_of_message = std::int64_t{1} << 30;
constexpr std::int64_t most_data = std::int64_t{1} << 50;

std::int64_t byte_size(const std::string& text, std::int64_t most) {
    const bool digits = !text.empty() && text.find_first_not_of("+-.eE0123456789") == std::string::npos;
    const double bytes = parse_data(digits ? text + " B" : text).si();
    if (bytes < 0 || bytes > static_cast<double>(most) || bytes != std::floor(bytes)) {
        throw InputError(fmt::format("{}: {}", text,
                                     most == most_of_message ? "a message has a whole number of bytes up to 1 GiB"
                                                             : "give a whole number of bytes up to 1024 TiB"));
    }
    return static_cast<std::int64_t>(bytes);
}

std::vector<std::int64_t> sizes_up_to(std::int64_t most, const std::string& text, const std::string& option) {
    std::vector<std::int64_t> sizes = whole_values(
        option, text, [most](const std::string& size) { return byte_size(size, most); }, true);
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

}  // namespace

std::vector<std::int64_t> parse_byte_sizes(const std::string& text, const std::string& option) {
    return sizes_up_to(most_of_message, text, option);
}

std::vector<std::int64_t> parse_data_sizes(const std::string& text, const std::string& option) {
    return sizes_up_to(most_data, text, option);
}

std::string size_text(Data size) {
    const bool whole = size.si() >= 1024 && std::fmod(size.si(), 1024) == 0;
    return whole ? print(size) : fmt::format("{} B", size.si());
}

}  // namespace narrows
