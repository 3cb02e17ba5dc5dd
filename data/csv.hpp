#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace narrows {

/// A table of texts with its provenance: `# key: value` lines, then the columns' names, then rows of as many cells.
struct CsvTable {
    std::string file;                                             ///< for errors
    std::vector<std::pair<std::string, std::string>> provenance;  ///< paper, item, title, units, transcribed, notes
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
    std::vector<int> lines;  ///< of each row in the file; empty for a table that is not from a file

    /// The value of the provenance line `key`, empty when there is none.
    std::string about(std::string_view key) const;
    /// Number of the column `name`. Throws InputError with a suggestion when there is none.
    std::size_t column(std::string_view name) const;
    /// The text of a cell. Precondition: `row` < rows.size().
    const std::string& cell(std::size_t row, std::string_view column_name) const;
    /// The number in a cell, `1/16` included; nothing for an empty cell and for `-`.
    /// Throws InputError with file and line for anything else.
    std::optional<double> number(std::size_t row, std::string_view column_name) const;
};

/// Reads `text`, which errors call `file`. Cells with a comma, quote or line break are quoted, quotes doubled.
/// Throws InputError with file and line: unequal rows, an open quote, a column twice, no header row.
CsvTable parse_csv(const std::string& text, const std::string& file);

/// `parse_csv` of a file.
CsvTable read_csv(const std::filesystem::path& path);

/// One line of cells, quoted where needed, with its line break.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace narrows
