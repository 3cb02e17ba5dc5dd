#include "data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/source_text.hpp"
#include "data/whole_file.hpp"
#include "model/unit.hpp"
#include "topologies/input_error.hpp"
#include "topologies/text.hpp"

namespace narrows {
namespace {

// Reads records one after the other; a quoted cell may span lines.
class CsvReader {
  public:
    CsvReader(const std::string& text, const std::string& file) : source_(file, text), rest_(source_.text()) {
        table_.file = file;
    }

    CsvTable read() {
        source_.require_text();
        while (rest_.starts_with('#')) read_provenance();
        while (!rest_.empty()) read_record();
        if (table_.columns.empty()) source_.fail({line_, 1}, "there is no row of column names: add one");
        return std::move(table_);
    }

  private:
    void read_provenance() {
        std::string_view line = source_.line(line_);
        line.remove_prefix(1);
        const auto colon = line.find(':');
        if (colon == std::string_view::npos) {
            source_.fail({line_, 1}, "a line of provenance is '# key: value': add the colon");
        }
        table_.provenance.emplace_back(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
        next_line();
    }

    void read_record() {
        const int line = line_;
        if (source_.line(line).empty()) return next_line();
        std::vector<std::string> cells;
        do {
            cells.push_back(rest_.starts_with('"') ? quoted_cell() : plain_cell());
        } while (take(','));
        take('\r');
        if (!rest_.empty() && !take('\n')) source_.fail({line_, 1}, "text follows a closing quote: add a comma");
        ++line_;
        keep(std::move(cells), line);
    }

    void keep(std::vector<std::string> cells, int line) {
        if (table_.columns.empty()) {
            table_.columns = std::move(cells);
            refuse_equal_columns(line);
        } else if (cells.size() != table_.columns.size()) {
            source_.fail({line, 1},
                         fmt::format("{} cells, but {} columns: make them equal", cells.size(), table_.columns.size()));
        } else {
            table_.rows.push_back(std::move(cells));
            table_.lines.push_back(line);
        }
    }

    void refuse_equal_columns(int line) const {
        std::vector<std::string> names = table_.columns;
        std::ranges::sort(names);
        const auto twice = std::ranges::adjacent_find(names);
        if (twice != names.end()) {
            source_.fail({line, 1}, fmt::format("column '{}' comes twice: rename one", *twice));
        }
    }

    std::string plain_cell() {
        const auto end = std::min(rest_.find_first_of(",\r\n"), rest_.size());
        std::string cell(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return cell;
    }

    std::string quoted_cell() {
        const int opened = line_;
        std::string cell;
        rest_.remove_prefix(1);
        while (!rest_.empty()) {
            const char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '\n') ++line_;
            if (c == '"' && !take('"')) return cell;
            cell += c;
        }
        source_.fail({opened, 1}, "a quote is opened and never closed: close it");
    }

    bool take(char c) {
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    void next_line() {
        const auto end = rest_.find('\n');
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        ++line_;
    }

    SourceText source_;
    std::string_view rest_;
    CsvTable table_;
    int line_ = 1;
};

}  // namespace

std::string CsvTable::about(std::string_view key) const {
    for (const auto& [name, value] : provenance) {
        if (name == key) return value;
    }
    return "";
}

std::size_t CsvTable::column(std::string_view name) const {
    const auto found = std::ranges::find(columns, name);
    if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
    throw InputError(fmt::format("{} has no column '{}'{}", file, name, did_you_mean(std::string(name), columns)));
}

const std::string& CsvTable::cell(std::size_t row, std::string_view column_name) const {
    return rows.at(row)[column(column_name)];
}

std::optional<double> CsvTable::number(std::size_t row, std::string_view column_name) const {
    const std::string& text = cell(row, column_name);
    if (text.empty() || text == "-") return std::nullopt;
    try {
        const Measure measure = parse_measure(text);
        if (measure.dimension == Dimension::number) return measure.value;
    } catch (const InputError&) {
        // Told below with the place, as any text that is not a number.
    }
    const int line = row < lines.size() ? lines[row] : 0;
    throw InputError(file, line, 1, csv_line(rows[row]).substr(0, csv_line(rows[row]).size() - 1),
                     fmt::format("'{}' in column '{}' is not a number: write one, or '-' for none", text, column_name));
}

CsvTable parse_csv(const std::string& text, const std::string& file) {
    return CsvReader(text, file).read();
}

CsvTable read_csv(const std::filesystem::path& path) {
    return parse_csv(read_whole_file(path), path.string());
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += ',';
        const bool needs_quotes = cells[i].find_first_of(",\"\r\n") != std::string::npos || cells[i].starts_with('#') ||
                                  (cells.size() == 1 && cells[i].empty());
        if (!needs_quotes) {
            line += cells[i];
            continue;
        }
        line += '"';
        for (const char c : cells[i]) line += c == '"' ? std::string(2, c) : std::string(1, c);
        line += '"';
    }
    return line + '\n';
}

}  // namespace narrows
