#pragma once

#include <string>
#include <string_view>

#include "topologies/input_error.hpp"
#include "topologies/number_text.hpp"
#include "topologies/text.hpp"

namespace narrows {

/// The text of a file and its name. Readers hand on views into the text, and a view is all that an error needs to be
/// given its line and column.
class Source {
  public:
    Source(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

    std::string_view text() const { return text_; }
    const std::string& file() const { return file_; }
    /// The text from `place`, which points into it, on.
    std::string_view from(const char* place) const {
        return text_.substr(static_cast<std::size_t>(place - text_.data()));
    }
    /// Line, from 1, in which `part` begins; the last one when `part` is no view into the text.
    int line(std::string_view part) const;
    /// `part` where it is a view into the text, else its first copy there; empty at the text's end without one.
    std::string_view place_of(std::string_view part) const;
    /// An error where `part`, a view into the text, begins. The column counts characters.
    InputError error(std::string_view part, const std::string& message) const;
    /// An error at a byte of the text, or at its end when `offset` is beyond.
    InputError error_at(std::size_t offset, const std::string& message) const;
    /// An error where the text ends.
    InputError error_at_end(const std::string& message) const;
    /// An error of the file as a whole.
    InputError error_of_file(const std::string& message) const { return {file_, 0, 0, "", message}; }

  private:
    std::string_view text_;
    std::string file_;
};

/// The capacity that `word` is. Throws InputError at `place` unless it is a positive number from 1e-100 to 1e100.
double to_capacity(const Source& source, std::string_view word, std::string_view place);

/// The same, at `word` itself.
double to_capacity(const Source& source, std::string_view word);

/// `word` shortened to what fits in a sentence.
std::string quoted(std::string_view word);

}  // namespace narrows
