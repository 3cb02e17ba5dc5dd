#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "topologies/routes/host_names.hpp"

namespace narrows {

/// A word of a text file and the column, from 1, in which it stands. `host` is the one that it names, if it does.
struct PlacedWord {
    std::string_view text;
    int column = 0;
    std::optional<int> host;
};

/// A line of a text file that has words, counted from 1, and these.
struct WordLine {
    std::string_view text;
    int line = 0;
    std::vector<PlacedWord> words;
};

/// The lines of a text that have words, one after the other, so that a large file costs no more memory than its text.
/// Words are parted by spaces, tabs, commas and carriage returns, and what follows a # is none. The longest name of a
/// host that stands where a word begins is one word whatever is in it; so is what stands between two '"', and a host's
/// coordinates.
class WordLines {
  public:
    /// `text` and `hosts` outlive this.
    WordLines(std::string_view text, const HostFinder& hosts) : rest_(text), hosts_(hosts) {}

    /// The next one, which is valid until this is called again; null at the end.
    const WordLine* next();

  private:
    void read_words();
    PlacedWord word_at(std::size_t at) const;

    std::string_view rest_;
    const HostFinder& hosts_;
    WordLine line_;
};

}  // namespace narrows
