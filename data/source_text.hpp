#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topologies/origin.hpp"

namespace narrows {

/// Line and column in a text, both from 1. A column counts characters, not bytes, so that a caret stands right.
struct Place {
    int line = 1;
    int column = 1;
};

/// A text with its file's name, able to say where something is wrong in it.
class SourceText {
  public:
    SourceText(std::string file, std::string text);

    const std::string& file() const { return file_; }
    const std::string& text() const { return text_; }
    /// Bytes of the longest line and the longest scalar of a machine file.
    static constexpr std::size_t longest_line = 10000;

    int lines() const { return static_cast<int>(starts_.size()); }
    /// The line's text without its end; empty beyond the last line.
    std::string_view line(int number) const;
    /// The place of the byte `column` of line `line`, both from 0.
    Place place(int line, int column) const;

    /// `place` with its file and line, for what outlives this text.
    Origin origin(Place place) const;
    /// Throws InputError at `place`.
    [[noreturn]] void fail(Place place, const std::string& message) const;

    /// Throws InputError at the first byte that is not UTF-8 text: malformed sequences and control characters.
    void require_text() const;

  private:
    std::string file_;
    std::string text_;
    std::vector<std::string::size_type> starts_;  // of lines
};

}  // namespace narrows
