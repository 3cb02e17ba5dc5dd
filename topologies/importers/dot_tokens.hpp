#pragma once

#include <string>
#include <string_view>

#include "topologies/importers/source.hpp"

namespace narrows {

enum class DotTokenKind { identifier, symbol, undirected_edge, directed_edge, end };

struct DotToken {
    DotTokenKind kind = DotTokenKind::end;
    /// What it stands for: of a quoted identifier without quotes and escapes.
    std::string text;
    /// Where it stands.
    std::string_view place;
    bool is_quoted = false;

    bool is(std::string_view symbol) const { return kind == DotTokenKind::symbol && text == symbol; }
    /// Keywords are in any case, and no keywords between quotes.
    bool is_keyword(std::string_view keyword) const;
};

/// Splits DOT into tokens: names, numerals, quoted strings (joined by '+'), HTML strings, `{ } [ ] ; , = :`, `--` and
/// `->`; leaves out comments and lines that begin with '#'.
class DotTokens {
  public:
    explicit DotTokens(const Source& source) : source_(source), rest_(source.text()) {}

    /// Throws InputError at a character that begins no token and at a string or comment without its end.
    DotToken next();

  private:
    void skip_blank();
    DotToken take(DotTokenKind kind, std::size_t length);
    DotToken quoted_string();
    void append_string(std::string& text);
    DotToken html_string();

    const Source& source_;
    std::string_view rest_;
};

}  // namespace narrows
