#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/csv.hpp"
#include "model/program/expression.hpp"

namespace narrows {

/// The numbers that a paper's text states: `text.csv` beside its tables. InputError for an unknown key.
class PublishedText {
  public:
    explicit PublishedText(const std::filesystem::path& folder);

    /// The value of a provenance line, empty when there is none.
    std::string about(std::string_view key) const { return table_.about(key); }
    bool has(std::string_view key) const;
    std::vector<std::string> keys() const;
    /// The value as printed.
    const std::string& printed(std::string_view key) const;
    /// Where the paper states it: `Section 6.1`.
    const std::string& section(std::string_view key) const;

  private:
    const std::string& cell(std::string_view key, const char* column) const;

    CsvTable table_;
};

/// A text of a file of cells, with its place.
struct CellText {
    std::string text;
    Origin origin;
};

/// A text of a field that holds where its condition, an expression, is not zero; an empty one always is.
struct CellChoice {
    CellText when;
    CellText text;
};

/// A cell, or several that share fields, once for each row of a table or each value of loops.
struct CellBlock {
    Origin origin;
    std::map<std::string, std::vector<CellChoice>> fields;                ///< of each the first text that holds counts
    std::string table;                                                    ///< file of the paper, empty for none
    std::vector<std::pair<std::string, std::vector<std::string>>> loops;  ///< the last one changes fastest
    std::vector<CellBlock> blocks;                                        ///< none: this is a cell
};

/// What is recomputed of a paper: its `cells.yaml`, whose format `docs/published-cells.md` has.
struct PublishedCells {
    std::filesystem::path folder;
    std::map<std::string, std::vector<std::string>> machines;  ///< own names: a machine, then each `PATH=VALUE`
    std::map<std::string, CellText> names;                     ///< of expressions
    CellBlock cells;
};

/// Names of the papers shipped, in alphabetical order.
std::vector<std::string> published_papers();

/// The cells of a shipped paper, or of the folder `paper` when it has a slash. InputError with a suggestion when there
/// is none, and as above.
PublishedCells load_cells(const std::string& paper);

}  // namespace narrows
