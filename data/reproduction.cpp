#include "data/reproduction.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "topologies/input_error.hpp"
#include "topologies/number_text.hpp"

namespace narrows {
namespace {

// The number in a printed figure, `1/16` included; nothing for a range such as `28-40`.
std::optional<double> value_of(const std::string& text) {
    const auto slash = text.find('/');
    const std::optional<double> value = to_number(std::string_view(text).substr(0, slash));
    if (!value || slash == std::string::npos) return value;
    const double below = to_number(std::string_view(text).substr(slash + 1)).value_or(0);
    return below != 0 ? std::optional(*value / below) : std::nullopt;
}

// Digits of a decimal number without the zeros in front; none for `1/16`.
int significant_digits(const std::string& text) {
    int digits = 0;
    for (const char c : text) {
        if (c == '/' || c == 'e' || c == 'E') return 0;
        const bool digit = c >= '0' && c <= '9';
        if (digit && (c != '0' || digits > 0)) ++digits;
    }
    return digits;
}

// The status of a cell with both numbers, by its rule:
// ``             `match`, or `consistent` where no model was asked; else `off`
// `exceeds`      the same of a number that the paper says is exceeded (`over 2048`)
// `about`        the same of one that it gives as `about`, in one digit: within a tenth of it
// `contradiction` the same, but `explained` where it does not agree: the note says what it contradicts in the paper
// `measured`     always `measured`: a measurement beside the model's prediction
// InputError for another rule.
std::string status_by(const std::string& rule, const std::string& published, double computed, double tolerance,
                      bool asked_model) {
    if (rule == "measured") return rule;
    const auto printed = value_of(published);
    bool agreed = false;
    if (rule.empty() || rule == "contradiction") {
        agreed = agrees(published, computed, tolerance);
    } else if (rule == "exceeds") {
        agreed = printed && computed > *printed;
    } else if (rule == "about") {
        agreed = printed && std::abs(computed - *printed) <= 0.1 * std::abs(*printed);
    } else {
        throw InputError(
            fmt::format("there is no rule '{}' (there are: exceeds, about, contradiction, measured)", rule));
    }
    if (!agreed) return rule == "contradiction" ? "explained" : "off";
    return asked_model ? "match" : "consistent";
}

class Reproducer {
  public:
    Reproducer(const PublishedCells& paper, const CellLanguage& language, const std::function<void(double)>& told)
        : told_(told), values_(paper, language) {}

    std::vector<Cell> run(const CellBlock& block) {
        whole_ = &block;
        walk(block, {});
        return std::move(cells_);
    }

  private:
    using Fields = std::map<std::string, const std::vector<CellChoice>*>;

    // A field of a block is that of all its cells, until one has its own.
    void walk(const CellBlock& block, Fields fields) {
        if (block.fields.contains("key")) {
            for (const char* by_key : {"item", "row", "printed"}) fields.erase(by_key);
        }
        for (const auto& [name, choices] : block.fields) fields[name] = &choices;
        values_.usual_machine = fields.contains("machine") ? text(fields, "machine") : "";
        for_each_row(block, [&] {
            if (!block.fields.contains("when") || holds(block.fields.at("when").front().text)) inside(block, fields);
        });
    }

    void inside(const CellBlock& block, Fields fields) {
        fields.erase("when");
        double reached = 0;
        for (const CellBlock& one : block.blocks) {
            walk(one, fields);
            if (&block == whole_) told_(++reached / static_cast<double>(block.blocks.size()));
        }
        if (block.blocks.empty()) cells_.push_back(block.origin.located([&] { return cell_of(block.origin, fields); }));
    }

    bool holds(const CellText& condition) { return values_.amount(condition).value != 0; }

    void for_each_row(const CellBlock& block, const std::function<void()>& then) {
        if (block.table.empty()) return for_each_value(block, 0, then);
        const CsvTable& table = values_.table(block.table);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            std::map<std::string, std::string> names = {{"row_number", std::to_string(row + 1)}};
            for (const std::string& column : table.columns) names[column] = table.cell(row, column);
            values_.with(names, [&] { for_each_value(block, 0, then); });
        }
    }

    void for_each_value(const CellBlock& block, std::size_t loop, const std::function<void()>& then) {
        if (loop == block.loops.size()) return then();
        for (const std::string& value : block.loops[loop].second) {
            values_.with({{block.loops[loop].first, value}}, [&] { for_each_value(block, loop + 1, then); });
        }
    }

    const CellText* choice(const Fields& fields, const std::string& name) {
        const auto found = fields.find(name);
        if (found == fields.end()) return nullptr;
        for (const CellChoice& one : *found->second) {
            if (one.when.text.empty() || holds(one.when)) return &one.text;
        }
        return nullptr;
    }

    std::string text(const Fields& fields, const std::string& name) {
        const CellText* found = choice(fields, name);
        return found == nullptr ? "" : values_.text(*found);
    }

    Cell cell_of(const Origin& origin, const Fields& fields) {
        Cell cell;
        if (const std::string key = text(fields, "key"); !key.empty()) {
            cell.item = values_.stated().section(key);
            cell.row = key;
            cell.published = values_.stated().printed(key);
        }
        if (fields.contains("item")) cell.item = text(fields, "item");
        if (fields.contains("row")) cell.row = text(fields, "row");
        if (fields.contains("printed")) cell.published = text(fields, "printed");
        cell.column = text(fields, "column");
        cell.status = "open";
        if (const CellText* expression = choice(fields, "is"); expression != nullptr && !expression->text.empty()) {
            compute(*expression, fields, cell);
        }
        cell.note = text(fields, "note");
        if (cell.item.empty() || cell.column.empty())
            origin.fail("a cell needs 'key' or 'item' and 'row', and 'column'");
        return cell;
    }

    void compute(const CellText& expression, const Fields& fields, Cell& cell) {
        values_.asked_model = false;
        const Amount found = values_.amount(expression);
        const bool asked_model = values_.asked_model;
        const std::string unit = text(fields, "in");
        const Amount one = Amount::parse(unit.empty() ? "1" : "1 " + unit);
        if (found.value != 0 && (found.seconds != one.seconds || found.bytes != one.bytes)) {
            expression.origin.fail(fmt::format("'{}' is not in {}: say its unit with 'in'", expression.text,
                                               unit.empty() ? "plain numbers" : unit));
        }
        cell.computed = found.value / one.value;
        const std::string within = text(fields, "within");
        cell.status = cell.published.empty()
                          ? "computed"
                          : status_by(text(fields, "rule"), cell.published, *cell.computed,
                                      within.empty() ? 0.005 : Amount::parse(within).value, asked_model);
    }

    const std::function<void(double)>& told_;
    const CellBlock* whole_ = nullptr;
    CellValues values_;
    std::vector<Cell> cells_;
};

}  // namespace

std::optional<double> Cell::published_value() const {
    return value_of(published);
}

std::optional<double> Cell::relative_error() const {
    const auto value = published_value();
    if (!computed || !value || *value == 0) return std::nullopt;
    return *computed / *value - 1;
}

bool agrees(const std::string& published, double computed, double tolerance) {
    const auto value = value_of(published);
    if (!value) return false;
    if (std::abs(computed - *value) <= tolerance * std::abs(*value)) return true;
    if (significant_digits(published) < 2) return false;
    const double unit = std::pow(10.0, -decimals(published));
    return std::abs(std::round(computed / unit) * unit - *value) < unit * 1e-6;
}

std::vector<Cell> reproduce(const PublishedCells& paper, const CellLanguage& language,
                            const std::function<void(double)>& told) {
    return Reproducer(paper, language, told).run(paper.cells);
}

}  // namespace narrows
