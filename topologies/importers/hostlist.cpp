#include "topologies/importers/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace narrows {
namespace {

constexpr std::size_t most_names = std::size_t{1} << 20;

/// Cuts up to the next `separator` outside brackets off `list`.
std::string_view cut_part(std::string_view& list, char separator) {
    int depth = 0;
    std::size_t end = 0;
    for (; end < list.size(); ++end) {
        if (list[end] == '[') ++depth;
        if (list[end] == ']') --depth;
        if (list[end] == separator && depth == 0) break;
    }
    const std::string_view part = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    return part;
}

void require_few(const Source& source, std::string_view place, std::size_t names) {
    if (names > most_names) {
        throw source.error(place, fmt::format("this stands for more than {} names: give fewer", most_names));
    }
}

/// The numbers of what stands in brackets, as texts: `001-003,7`.
std::vector<std::string> expand_ranges(const Source& source, std::string_view ranges) {
    std::vector<std::string> texts;
    const std::string_view whole = ranges;
    do {
        const std::string_view range = cut_part(ranges, ',');
        const std::size_t dash = range.find('-');
        const std::string_view low_text = range.substr(0, dash);
        const std::string_view high_text = dash == range.npos ? low_text : range.substr(dash + 1);
        const std::optional<std::int64_t> low = to_count(low_text);
        const std::optional<std::int64_t> high = to_count(high_text);
        if (!low || !high || *high < *low) {
            throw source.error(range, fmt::format("{} is neither a number nor a range such as 01-18", quoted(range)));
        }
        require_few(source, range, texts.size() + static_cast<std::size_t>(*high - *low) + 1);
        for (std::int64_t number = *low; number <= *high; ++number) {
            texts.push_back(fmt::format("{:0{}}", number, low_text.size()));
        }
    } while (!ranges.empty());
    if (whole.ends_with(',')) throw source.error(whole, "a comma ends this bracket: remove it");
    return texts;
}

/// The names of one comma-separated part of a list.
std::vector<std::string> expand_part(const Source& source, std::string_view part) {
    std::vector<std::string> names{""};
    for (std::string_view rest = part; !rest.empty();) {
        const std::size_t open = std::min(rest.find_first_of("[]"), rest.size());
        for (std::string& name : names) name += rest.substr(0, open);
        rest.remove_prefix(open);
        if (rest.empty()) break;
        const std::size_t close = rest.find(']');
        if (rest.front() == ']' || close == rest.npos) {
            throw source.error(rest, "a bracket of this list has no other: write it like node[01-18]");
        }
        const std::vector<std::string> numbers = expand_ranges(source, rest.substr(1, close - 1));
        require_few(source, rest, names.size() * numbers.size());
        std::vector<std::string> longer;
        longer.reserve(names.size() * numbers.size());
        for (const std::string& name : names) {
            for (const std::string& number : numbers) longer.push_back(name + number);
        }
        names = std::move(longer);
        rest.remove_prefix(close + 1);
    }
    return names;
}

}  // namespace

std::vector<std::string> expand_hostlist(const Source& source, std::string_view list) {
    std::vector<std::string> names;
    const std::string_view whole = list;
    while (!list.empty()) {
        const std::string_view part = cut_part(list, ',');
        if (part.empty()) throw source.error(part, "a name is missing before this comma");
        std::vector<std::string> more = expand_part(source, part);
        require_few(source, part, names.size() + more.size());
        names.insert(names.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    if (names.empty()) throw source.error(whole, "a list of names is missing here");
    return names;
}

}  // namespace narrows
