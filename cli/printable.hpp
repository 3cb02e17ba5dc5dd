#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "cli/document.hpp"

namespace narrows {

/// `text` as it may reach a terminal: control characters and bytes that are no UTF-8 stand as \x1b, characters that end
/// a line or turn the direction of what follows as \u202e. Line ends, tabs and everything else stay as they are.
std::string printable(std::string_view text);

/// All that `document` shows to people, each cell of its tables in one line; its JSON stays as it is.
Document printable(Document document);

/// A line of a file that an error quotes, and a line below it that points at a character.
struct QuotedLine {
    std::string text;   ///< printable, at most 200 characters around the place, with "..." where some are left out
    std::string caret;  ///< spaces and a '^' below the place; tabs stay tabs, so that it stands right however wide
};

/// `line` with a caret below its character `column`, from 1.
QuotedLine quoted_line(std::string_view line, int column);

/// Hands on to `to` what is printed, line by line, as `printable` shows it.
class PrintableStream : public std::ostream {
  public:
    explicit PrintableStream(std::ostream& to) : std::ostream(&lines_), lines_(to) {}
    PrintableStream(const PrintableStream&) = delete;
    PrintableStream& operator=(const PrintableStream&) = delete;
    ~PrintableStream() override { flush(); }

  private:
    class Lines : public std::streambuf {
      public:
        explicit Lines(std::ostream& to) : to_(to) {}

      protected:
        int_type overflow(int_type character) override;
        int sync() override;

      private:
        std::ostream& to_;
        std::string line_;
    };

    Lines lines_;
};

}  // namespace narrows
