#include "cli/value_list.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/options.hpp"
#include "model/unit.hpp"
#include "topologies/shape.hpp"
#include "topologies/text.hpp"

namespace narrows {
namespace {

std::size_t operator_of(const std::string& text) {
    for (std::size_t at = text.size(); at-- > 1;) {
        const bool exponent = text[at] == '+' && (text[at - 1] == 'e' || text[at - 1] == 'E');
        if ((text[at] == '*' || text[at] == '+' || text[at] == ':') && !exponent) return at;
    }
    return std::string::npos;
}

double ratio_of(const std::string& text) {
    const Measure ratio = parse_measure(text);
    if (ratio.dimension == Dimension::number) return ratio.value;
    throw InputError(fmt::format("'*{}': a ratio has no unit: write a number, such as *2", text));
}

// `+5%` as the step of a range of shares is a twentieth, not 1.05 times.
double difference_of(const ReadNumber& read, const RangeText& range) {
    if (!is_change_by_share(range.last)) return required_number(read, range.step);
    return required_number(read, "+" + range.step) - 1;
}

Steps steps_of(const ReadNumber& read, const RangeText& range, double ratio_before, double before) {
    const bool goes_on = range.first.empty();
    const double first = goes_on ? before * ratio_before : required_number(read, range.first);
    const double last = required_number(read, range.last);
    // The last value lies before the next one: there are no more.
    const bool is_reached = goes_on && (first - last) * (last - before) >= 0 && first != last;
    if (is_reached) return {first, 0, false, 0};
    switch (range.by) {
        case '*':
            return steps_by_ratio(first, last, ratio_of(range.step));
        case '+':
            return steps_by_difference(first, last, difference_of(read, range));
        case ':':
            return steps_of_count(first, last,
                                  parse_count(range.step, "the number of values", 2, std::int64_t{1} << 40));
        default:
            return steps_by_ratio(first, last, goes_on ? ratio_before : 2);
    }
}

// `5,10,15,..60` is no ratio to any reader.
void refuse_even_steps(const Values& known, const RangeText& going_on) {
    const std::int64_t count = known.runs.empty() ? 0 : known.size();
    if (count < 3) return;
    const double a = known.number(count - 3), b = known.number(count - 2), c = known.number(count - 1);
    if (b - a != c - b || b == a) return;
    throw InputError(
        fmt::format("'..{0}' goes on by the ratio of the two values before it, and the three before it are "
                    "evenly apart: write a difference, such as {1:g}..{0}+{2:g}",
                    going_on.last, a, b - a));
}

}  // namespace

std::int64_t Values::size() const {
    auto count = static_cast<std::int64_t>(texts.size());
    for (const Steps& run : runs) count += run.count;
    return count;
}

double Values::number(std::int64_t position) const {
    const Steps* run = runs.data();
    for (; position >= run->count; ++run) position -= run->count;
    return run->at(position);
}

bool Values::has(double number) const {
    for (std::int64_t i = 0; i < size(); ++i) {
        if (this->number(i) == number) return true;
    }
    return false;
}

std::optional<RangeText> range_in(const std::string& typed) {
    const std::string text(trimmed(typed));
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos || std::string_view("0123456789.+-").find(text[0]) == std::string_view::npos) {
        return std::nullopt;
    }
    if (text.starts_with("../") || (dots > 0 && text[dots - 1] == '/')) return std::nullopt;
    RangeText range{std::string(trimmed(text.substr(0, dots))), std::string(trimmed(text.substr(dots + 2))), 0, ""};
    const std::size_t by = operator_of(range.last);
    if (by == std::string::npos) return range;
    range.by = range.last[by];
    range.step = trimmed(range.last.substr(by + 1));
    range.last = trimmed(range.last.substr(0, by));
    return range;
}

bool is_change_by_share(const std::string& text) {
    return text.ends_with('%') && (text.starts_with('+') || text.starts_with('-'));
}

bool is_varied(const std::string& text) {
    return text.find(',') != std::string::npos || range_in(text);
}

std::vector<std::string> items_of(const std::string& option, const std::string& list) {
    std::vector<std::string> items;
    for (const std::string_view item : split(list, ',')) {
        items.emplace_back(trimmed(item));
        if (items.back().empty() && list.find(',') != std::string::npos)
            throw InputError(fmt::format("{} '{}' lacks a value beside a comma", option, list));
    }
    return items;
}

double required_number(const ReadNumber& read, const std::string& text) {
    if (const auto number = read(text)) return *number;
    throw InputError(fmt::format("'{}' is no number, as the ends of a range are", text));
}

Values values_of(const std::vector<std::string>& items, const ReadNumber& read, bool includes_end) {
    Values values;
    for (const std::string& item : items) {
        if (item.empty()) throw InputError("a value is missing: write values like 1,2,4 or 1..64*2");
        const auto range = range_in(item);
        const std::int64_t known = values.runs.empty() ? 0 : values.size();
        if (range && range->first.empty() && known == 0) throw InputError("'..' needs a value before it");
        if (range) {
            if (range->last.empty()) throw InputError(fmt::format("'{}' has no end: write it like 32..4096", item));
            if (range->by != 0 && range->step.empty()) {
                throw InputError(
                    fmt::format("'{}' has no step behind its '{}': write one such as 8..64*2", item, range->by));
            }
            if (range->first.empty() && range->by == 0) refuse_even_steps(values, *range);
            const double before = known > 0 ? values.number(known - 1) : 0;
            const double ratio = known > 1 ? before / values.number(known - 2) : 2;
            values.runs.push_back(
                with_option_context(fmt::format("'{}'", item), [&] { return steps_of(read, *range, ratio, before); }));
            if (includes_end && range->by == 0) {
                const double end = required_number(read, range->last);
                if (values.size() == 0 || values.number(values.size() - 1) != end) values.runs.push_back({end});
            }
        } else if (const auto number = read(item)) {
            values.runs.push_back({*number, 0, false, 1});
        } else {
            values.texts.push_back(item);
        }
    }
    if (!values.runs.empty() && !values.texts.empty()) return Values{{}, items};
    return values;
}

Values nearest_whole(const Values& values) {
    Values whole{{}, values.texts};
    for (const Steps& run : values.runs) {
        const std::vector<Steps> runs = nearest_whole(run);
        whole.runs.insert(whole.runs.end(), runs.begin(), runs.end());
    }
    return whole;
}

std::vector<std::int64_t> whole_values(const std::string& option, const std::string& list,
                                       const std::function<std::int64_t(const std::string& text)>& read,
                                       bool includes_end) {
    constexpr std::int64_t most = 1'000'000;
    const std::vector<std::string> items = items_of(option, list);
    return with_option_context(option, [&] {
        const Values values = nearest_whole(values_of(
            items, [&read](const std::string& text) { return static_cast<double>(read(text)); }, includes_end));
        if (values.size() > most)
            throw InputError(fmt::format("{} values are more than {}: give fewer", values.size(), most));
        std::vector<std::int64_t> whole;
        for (const Steps& run : values.runs) {
            for (std::int64_t i = 0; i < run.count; ++i) whole.push_back(std::llround(run.at(i)));
        }
        return whole;
    });
}

}  // namespace narrows
