#include "topologies/routes/text_lines.hpp"

#include <algorithm>
#include <utility>

namespace narrows {
namespace {

std::vector<PlacedWord> words_of(std::string_view line, int number) {
    constexpr std::string_view between = " \t\r,";
    std::vector<PlacedWord> words;
    line = line.substr(0, line.find('#'));
    for (std::size_t at = line.find_first_not_of(between); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(between, at), line.size());
        words.push_back({std::string(line.substr(at, end - at)), number, static_cast<int>(at) + 1});
        at = line.find_first_not_of(between, end);
    }
    return words;
}

}  // namespace

std::vector<WordLine> word_lines(std::string_view text) {
    std::vector<WordLine> lines;
    int number = 0;
    while (!text.empty()) {
        ++number;
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        auto words = words_of(line, number);
        if (!words.empty()) lines.push_back({std::string(line), number, std::move(words)});
    }
    return lines;
}

}  // namespace narrows
