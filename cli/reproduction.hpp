#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv.hpp"

namespace narrows {

/// One published number beside the computed one.
struct Cell {
    std::string item;  ///< "Table 3", "Figure 12", "(4)", "Section 6.1"
    std::string row;
    std::string column;
    std::string published;           ///< as printed; empty when the paper gives the equation only
    std::optional<double> computed;  ///< nothing where the paper does not pin the number down
    std::string status;              ///< match, explained, off, measured, computed, open
    std::string note;

    std::optional<double> published_value() const;
    std::optional<double> relative_error() const;
};

/// Whether the computed value stands for the printed one: within `tolerance`, or equal once rounded to its digits where
/// those are two or more (leading zeros are none).
bool agrees(const std::string& published, double computed, double tolerance = 0.005);

/// The numbers that a paper's text states: `text.csv` beside its tables. An unknown key is a std::logic_error.
class PublishedText {
  public:
    explicit PublishedText(const std::string& paper);

    /// The value as printed.
    const std::string& printed(std::string_view key) const;
    /// Where the paper states it: `Section 6.1`.
    const std::string& section(std::string_view key) const;
    /// The value as a number, in the file's unit; a range such as `28-40` is an InputError.
    double number(std::string_view key) const;

  private:
    std::size_t row_of(std::string_view key) const;

    CsvTable table_;
};

/// The cells of a paper, with their status decided as they are added.
class Reproduction {
  public:
    explicit Reproduction(std::string paper) : paper_(std::move(paper)) {}

    /// A number that the model must reproduce: `match`, or `off`.
    void compare(std::string item, std::string row, std::string column, const std::string& published, double computed,
                 double tolerance = 0.005, std::string note = "");
    /// A number that the paper says is exceeded (`over 2048`): `match` when the computed one is larger, else `off`.
    void exceeds(std::string item, std::string row, std::string column, const std::string& published, double computed,
                 std::string note);
    /// A number that the paper gives as `about`, in one digit: `match` within a tenth of it, else `off`.
    void about(std::string item, std::string row, std::string column, const std::string& published, double computed,
               std::string note);
    /// A number that contradicts the paper's own others for the reason in `note`: `explained`; `match` if it agrees.
    void contradiction(std::string item, std::string row, std::string column, const std::string& published,
                       double computed, std::string note);
    /// A measurement beside the model's prediction.
    void measured(std::string item, std::string row, std::string column, const std::string& published, double computed,
                  std::string note = "");
    /// A number that only the equation gives.
    void computed(std::string item, std::string row, std::string column, double value, std::string note = "");

    /// A number that the paper does not pin down; `note` says what would. `published` is empty where only a figure has
    /// it.
    void open(std::string item, std::string row, std::string column, const std::string& published, std::string note);

    const std::string& paper() const { return paper_; }
    const std::vector<Cell>& cells() const { return cells_; }

  private:
    std::string paper_;
    std::vector<Cell> cells_;
};

/// A paper's cells whose published number is one that its text states: item, row and number come from its key.
class TextReproduction {
  public:
    explicit TextReproduction(const std::string& paper) : text_(paper), cells_(paper) {}

    double value(const char* key) const { return text_.number(key); }
    void compare(const char* key, const std::string& column, double computed, const std::string& note = "");
    void about(const char* key, const std::string& column, double computed, const std::string& note);
    void exceeds(const char* key, const std::string& column, double computed, const std::string& note);
    void contradiction(const char* key, const std::string& column, double computed, const std::string& note);
    void measured(const char* key, const std::string& column, double computed, const std::string& note);
    void open(const char* key, const std::string& column, const std::string& note);

    /// The cells that are not of the text, and all of them at the end.
    Reproduction& cells() { return cells_; }

  private:
    PublishedText text_;
    Reproduction cells_;
};

/// The papers of this release, computed afresh from the shipped machines and the published tables.
Reproduction reproduce_garg2006();
Reproduction reproduce_kumar2007();
Reproduction reproduce_kumar2008();
Reproduction reproduce_pakin2009();
Reproduction reproduce_underwood2008();

}  // namespace narrows
