#include "model/unit_suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

/// How people write a part of a unit, and how it is written here. Single letters are told apart by their case.
struct Spelling {
    std::string_view written;
    std::string_view meant;
};

constexpr std::array bases = {
    Spelling{"bits", "bit"}, Spelling{"bit", "bit"},       Spelling{"b", "bit"},        Spelling{"bytes", "B"},
    Spelling{"byte", "B"},   Spelling{"B", "B"},           Spelling{"seconds", "s"},    Spelling{"second", "s"},
    Spelling{"secs", "s"},   Spelling{"sec", "s"},         Spelling{"s", "s"},          Spelling{"hertz", "Hz"},
    Spelling{"Hz", "Hz"},    Spelling{"cycles", "cycles"}, Spelling{"cycle", "cycles"},
};

constexpr std::array prefixes = {
    Spelling{"", ""},        Spelling{"k", "k"},     Spelling{"K", "k"},   Spelling{"kilo", "k"},
    Spelling{"M", "M"},      Spelling{"mega", "M"},  Spelling{"G", "G"},   Spelling{"g", "G"},
    Spelling{"giga", "G"},   Spelling{"T", "T"},     Spelling{"t", "T"},   Spelling{"tera", "T"},
    Spelling{"Ki", "Ki"},    Spelling{"kibi", "Ki"}, Spelling{"Mi", "Mi"}, Spelling{"mebi", "Mi"},
    Spelling{"Gi", "Gi"},    Spelling{"gibi", "Gi"}, Spelling{"Ti", "Ti"}, Spelling{"tebi", "Ti"},
    Spelling{"m", "m"},      Spelling{"milli", "m"}, Spelling{"u", "u"},   Spelling{"\u00b5", "u"},
    Spelling{"\u03bc", "u"}, Spelling{"micro", "u"}, Spelling{"n", "n"},   Spelling{"nano", "n"},
    Spelling{"p", "p"},      Spelling{"pico", "p"},
};

/// A unit taken apart, its parts as they are written here.
struct Meaning {
    std::string prefix;
    std::string base;
    bool per_second = false;
};

bool is_spelt(std::string_view text, std::string_view written) {
    if (written.size() < 2) return text == written;
    return std::equal(text.begin(), text.end(), written.begin(), written.end(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

std::optional<std::string_view> prefix_of(std::string_view text) {
    for (const auto& [written, meant] : prefixes) {
        if (is_spelt(text, written)) return meant;
    }
    return std::nullopt;
}

/// Takes `/s` and the like off `text`; `ps` too where that is not picoseconds but stands behind bits or bytes.
bool take_per_second(std::string_view& text) {
    for (const std::string_view end : {"/seconds", "/second", "/secs", "/sec", "/s", "ps"}) {
        if (text.size() <= end.size() || !is_spelt(text.substr(text.size() - end.size()), end)) continue;
        const std::string_view rest = text.substr(0, text.size() - end.size());
        if (end == "ps" && std::string_view("bBtTeEsS").find(rest.back()) == std::string_view::npos) continue;
        text = rest;
        return true;
    }
    return false;
}

std::optional<Meaning> meaning_of(std::string_view text) {
    Meaning meaning;
    meaning.per_second = take_per_second(text);
    for (const auto& [written, meant] : bases) {
        if (text.size() < written.size() || !is_spelt(text.substr(text.size() - written.size()), written)) continue;
        const std::string_view before = text.substr(0, text.size() - written.size());
        const auto prefix = prefix_of(before);
        if (!prefix) continue;
        meaning.base = meant;
        meaning.prefix = before == "m" && meant != "s" ? "M" : *prefix;  // nobody has thousandths of a byte
        return meaning;
    }
    return std::nullopt;
}

bool suits(Dimension dimension, std::optional<Dimension> expected) {
    if (!expected || dimension == *expected) return true;
    return (*expected == Dimension::time && dimension == Dimension::cycles) ||
           (*expected == Dimension::time_per_byte && dimension == Dimension::cycles_per_byte);
}

std::vector<std::string_view> suitable(std::span<const NamedUnit> known, std::optional<Dimension> expected) {
    std::vector<std::string_view> names;
    for (const NamedUnit& unit : known) {
        const bool listed = std::ranges::any_of(names, [&](auto other) { return is_spelt(unit.name, other); });
        if (!unit.name.empty() && !listed && suits(unit.dimension, expected)) names.push_back(unit.name);
    }
    return names;
}

using Names = std::vector<std::string_view>;

/// The units of `names` that are exactly what was meant. Bits, which only bandwidths are counted in, may lack their
/// `/s`.
Names with_meaning(const Meaning& meaning, const Names& names) {
    Names found;
    for (const bool per_second : {meaning.per_second, true}) {
        const std::string meant = meaning.prefix + meaning.base + (per_second ? "/s" : "");
        for (const std::string_view name : names) {
            const bool kilo = meaning.prefix == "k" && is_spelt(name, meant);
            if (found.empty() && (name == meant || kilo)) found.push_back(name);
        }
    }
    return found;
}

/// The units of `names` that begin with a prefix that stands alone, such as `M`.
Names beginning_with(std::string_view prefix, const Names& names) {
    Names found;
    for (const std::string_view name : names) {
        const bool kilo = prefix == "k" && name.starts_with('K');
        if (name.size() > prefix.size() && (kilo || name.starts_with(prefix))) found.push_back(name);
    }
    return found;
}

std::string question(const Names& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == names.size() ? " or " : ", ", names[i]);
    }
    return ", did you mean " + text + "?";
}

/// What is near by its letters. The first one is kept, as it may be all that tells M from G.
std::string misspelt(std::string_view name, const Names& names) {
    Names near;
    std::copy_if(names.begin(), names.end(), std::back_inserter(near),
                 [&](std::string_view other) { return other.front() == name.front(); });
    return name.size() < 2 ? "" : did_you_mean(std::string(name), near);
}

}  // namespace

std::string unit_suggestion(std::string_view name, std::optional<Dimension> expected,
                            std::span<const NamedUnit> known) {
    const Names names = suitable(known, expected);
    const auto meaning = meaning_of(name);
    const auto prefix = prefix_of(name);
    std::string found;
    if (meaning) {
        const Names same = with_meaning(*meaning, names);
        if (!same.empty()) found = question(same);
    } else if (prefix && expected) {
        const bool small = *prefix == "m" && *expected != Dimension::time;
        const Names same = beginning_with(small ? "M" : *prefix, names);
        if (!same.empty()) found = question(same);
    } else if (!name.empty()) {
        found = misspelt(name, names);
    }
    if (!found.empty()) return found;
    if (meaning && meaning->base == "bit" && expected == Dimension::data)
        return fmt::format(": an amount of data is in bytes, of 8 bits each, such as '{}'", example(*expected));
    if (expected) return fmt::format(": {} is written like '{}'", describe(*expected), example(*expected));
    return ": units are such as 'ns', 'cycles', 'MiB', 'GB/s', 'MHz'";
}

}  // namespace narrows
