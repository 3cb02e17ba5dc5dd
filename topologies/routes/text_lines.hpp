#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace narrows {

/// A word of a text file and where it stands, line and column from 1.
struct PlacedWord {
    std::string text;
    int line = 0;
    int column = 0;
};

/// A line of a text file that has words, and these, parted by spaces, tabs, commas and carriage returns. What follows a
/// # is none.
struct WordLine {
    std::string text;
    int line = 0;
    std::vector<PlacedWord> words;
};

/// All lines of `text` that have words.
std::vector<WordLine> word_lines(std::string_view text);

}  // namespace narrows
