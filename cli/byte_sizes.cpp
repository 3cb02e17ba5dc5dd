#include "cli/byte_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/options.hpp"
#include "model/unit.hpp"
#include "topologies/text.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_of_message = std::int64_t{1} << 30;
constexpr std::int64_t most_data = std::int64_t{1} << 50;

std::int64_t byte_size(const std::string& text, const std::string& option, std::int64_t most) {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    const double bytes = with_option_context(option, [&] { return parse_data(digits ? text + " B" : text); }).si();
    if (bytes < 0 || bytes > static_cast<double>(most) || bytes != std::floor(bytes)) {
        throw InputError(fmt::format("{} {}: {}", option, text,
                                     most == most_of_message ? "a message has a whole number of bytes up to 1 GiB"
                                                             : "give a whole number of bytes up to 1024 TiB"));
    }
    return static_cast<std::int64_t>(bytes);
}

void append(std::vector<std::int64_t>& sizes, const std::string& part, const std::string& option, std::int64_t most) {
    const std::size_t dots = part.find("..");
    if (dots == std::string::npos) {
        sizes.push_back(byte_size(part, option, most));
        return;
    }
    const auto up = [&] {
        return InputError(fmt::format("{} {}: a range goes up from 1 or more, such as 8..4MiB", option, part));
    };
    if (dots == 0 || dots + 2 == part.size()) throw up();
    const std::int64_t first = byte_size(part.substr(0, dots), option, most);
    const std::int64_t last = byte_size(part.substr(dots + 2), option, most);
    if (first < 1 || last < first) throw up();
    for (std::int64_t bytes = first; bytes < last; bytes *= 2) sizes.push_back(bytes);
    sizes.push_back(last);
}

std::vector<std::int64_t> sizes_up_to(std::int64_t most, const std::string& text, const std::string& option) {
    std::vector<std::int64_t> sizes;
    for (const std::string_view part : split(text, ',')) append(sizes, std::string(part), option, most);
    std::sort(sizes.begin(), sizes.end());
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
    return whole ? print(size) : fmt::format("{:.0f} B", size.si());
}

}  // namespace narrows
