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
    std::string published;  ///< as printed; empty when the paper gives the equation only
    double computed = 0;
    std::string status;  ///< match, explained, off, measured, computed
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
    /// A number that contradicts the paper's own others for the reason in `note`: `explained`; `match` if it agrees.
    void contradiction(std::string item, std::string row, std::string column, const std::string& published,
                       double computed, std::string note);
    /// A measurement beside the model's prediction.
    void measured(std::string item, std::string row, std::string column, const std::string& published, double computed,
                  std::string note = "");
    /// A number that only the equation gives.
    void computed(std::string item, std::string row, std::string column, double value, std::string note = "");

    const std::string& paper() const { return paper_; }
    const std::vector<Cell>& cells() const { return cells_; }

  private:
    std::string paper_;
    std::vector<Cell> cells_;
};

/// The two papers of this release, computed afresh from the shipped machines and the published tables.
Reproduction reproduce_garg2006();
Reproduction reproduce_underwood2008();

}  // namespace narrows
