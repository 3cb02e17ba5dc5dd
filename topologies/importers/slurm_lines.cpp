#include "topologies/importers/slurm_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace narrows::slurm {
namespace {

constexpr int deepest_include = 16;
constexpr std::size_t most_included = 1000;
const std::array<std::string, 4> known_keys{"switchname", "nodes", "switches", "linkspeed"};

// Of `Key=value`, `Key = value` or `Key="a value"` at the beginning of the text, or of a word that is none.
std::size_t end_of_word(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    const auto begin_of_rest = [&](std::size_t from) {
        return std::min(text.find_first_not_of(blanks, from), text.size());
    };
    std::size_t end = std::min(text.find_first_of(" \t="), text.size());
    if (const std::size_t equals = begin_of_rest(end); equals < text.size() && text[equals] == '=') {
        end = begin_of_rest(equals + 1);
        if (end < text.size() && text[end] == '"' && text.find('"', end + 1) != text.npos) {
            return text.find('"', end + 1) + 1;
        }
        const std::size_t begin = end;
        end = std::min(text.find_first_of(blanks, begin), text.size());
        if (begin > equals + 1 && text.substr(begin, end - begin).find('=') != text.npos) return equals + 1;
    }
    return end;
}

std::string_view unquoted(std::string_view text) {
    text = trimmed(text);
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return text;
    return text.substr(1, text.size() - 2);
}

}  // namespace

std::optional<std::string_view> Line::value(const std::string& key) const {
    const auto found = values.find(key);
    return found == values.end() ? std::nullopt : std::optional(found->second);
}

Lines::Lines(const Source& source, ReadIncluded read_included) : read_included_(std::move(read_included)) {
    read(source, 0);
}

void Lines::read(const Source& source, int depth) {
    std::string_view rest = source.text();
    std::vector<std::string_view> words;
    while (std::optional<std::string_view> line = cut_line(rest)) {
        std::string_view text = trimmed(line->substr(0, line->find('#')));
        const bool continued = text.ends_with('\\');
        if (continued) text.remove_suffix(1);
        while (!text.empty()) {
            const std::size_t end = end_of_word(text);
            if (end > 0) words.push_back(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (continued && !rest.empty()) continue;
        if (!words.empty()) add(source, words, depth);
        words.clear();
    }
}

void Lines::add(const Source& source, const std::vector<std::string_view>& words, int depth) {
    if (lower_case(words.front()) == "include") return include(source, words, depth);
    Line line{&source, words.front(), {}};
    for (const std::string_view word : words) {
        const std::size_t equals = word.find('=');
        if (equals == word.npos) {
            throw source.error(
                word,
                fmt::format("{} is not Key=value: a line is 'SwitchName=... Nodes=... Switches=...'", quoted(word)));
        }
        const std::string_view name = trimmed(word.substr(0, equals)), value = unquoted(word.substr(equals + 1));
        const std::string key = lower_case(name);
        if (key.starts_with("block")) {
            throw source.error(word,
                               "this is a file of Slurm's block plugin, which describes no links: give one of its "
                               "tree plugin");
        }
        if (std::ranges::find(known_keys, key) == known_keys.end()) {
            throw source.error(
                word, fmt::format("{} is not a key of topology.conf{}", quoted(name), did_you_mean(key, known_keys)));
        }
        if (value.empty()) throw source.error(word, fmt::format("{} has no value", quoted(word)));
        if (!line.values.try_emplace(key, value).second) {
            throw source.error(word, fmt::format("{} comes twice in this line: keep one", quoted(name)));
        }
    }
    if (!line.value("switchname")) throw source.error(line.place, "this line has no SwitchName=: give it one");
    lines_.push_back(std::move(line));
}

void Lines::include(const Source& source, const std::vector<std::string_view>& words, int depth) {
    if (words.size() != 2) throw source.error(words.front(), "an include is 'Include PATH'");
    if (depth >= deepest_include || included_.size() >= most_included) {
        throw source.error(words.front(), "files include each other too deeply: remove a circle of includes");
    }
    const std::string path(words[1]);
    std::optional<std::string> text = read_included_ ? read_included_(path) : std::nullopt;
    if (!text) {
        throw source.error(words[1], fmt::format("{} cannot be read: put its lines here instead", quoted(path)));
    }
    included_texts_.push_back(std::move(*text));
    included_.emplace_back(included_texts_.back(), path);
    read(included_.back(), depth + 1);
}

}  // namespace narrows::slurm
