#include "topologies/routes/text_lines.hpp"

#include <algorithm>

#include "topologies/text.hpp"
#include "topologies/utf8.hpp"

namespace narrows {
namespace {

constexpr std::string_view between = " \t\r,";

std::size_t end_of_word(std::string_view line, std::size_t at) {
    return std::min(line.find_first_of(name_breaks, at), line.size());
}

}  // namespace

const WordLine* WordLines::next() {
    while (const auto text = cut_line(rest_)) {
        line_.text = *text;
        ++line_.line;
        read_words();
        if (!line_.words.empty()) return &line_;
    }
    return nullptr;
}

void WordLines::read_words() {
    line_.words.clear();
    std::size_t at = line_.text.find_first_not_of(between);
    while (at != std::string_view::npos) {
        const PlacedWord word = word_at(at);
        if (word.text.empty() && !word.host) return;  // a comment
        line_.words.push_back(word);
        const auto end = static_cast<std::size_t>(word.text.data() + word.text.size() - line_.text.data());
        const bool in_quotes = word.text.data() != line_.text.data() + at;
        at = line_.text.find_first_not_of(between, end + (in_quotes ? 1 : 0));
    }
}

PlacedWord WordLines::word_at(std::size_t at) const {
    const std::string_view rest = line_.text.substr(at);
    const int column = characters_in(line_.text.substr(0, at)) + 1;
    std::size_t end = end_of_word(rest, 1);
    PlacedWord longest{rest.substr(0, 0), column, std::nullopt};
    for (int breaks = 0; breaks <= hosts_.most_breaks(); ++breaks) {
        if (const auto host = hosts_.find(rest.substr(0, end))) longest = {rest.substr(0, end), column, host};
        if (end == rest.size()) break;
        end = end_of_word(rest, end + 1);
    }
    if (longest.host) return longest;
    if (rest.front() == '#') return longest;
    const std::size_t quote = rest.front() == '"' ? rest.find('"', 1) : std::string_view::npos;
    if (quote != std::string_view::npos && quote > 1) {
        return {rest.substr(1, quote - 1), column + 1, hosts_.find(rest.substr(1, quote - 1))};
    }
    const std::size_t bracket = rest.front() == '(' ? rest.find(')') : std::string_view::npos;
    if (bracket != std::string_view::npos) return {rest.substr(0, bracket + 1), column, std::nullopt};
    return {rest.substr(0, std::min(rest.find_first_of(name_breaks), rest.size())), column, std::nullopt};
}

}  // namespace narrows
