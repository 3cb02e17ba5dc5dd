#include "cli/reproduction.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "data/library.hpp"

namespace narrows {
namespace {

// The number in a printed figure, `1/16` included; nothing for a range such as `28-40`.
std::optional<double> value_of(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str()) return std::nullopt;
    if (*end == '\0') return value;
    if (*end != '/') return std::nullopt;
    const char* divisor = end + 1;
    const double below = std::strtod(divisor, &end);
    return *end == '\0' && below != 0 ? std::optional(value / below) : std::nullopt;
}

int decimals(const std::string& text) {
    const auto point = text.find('.');
    return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
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

}  // namespace

std::optional<double> Cell::published_value() const {
    return value_of(published);
}

std::optional<double> Cell::relative_error() const {
    const auto value = published_value();
    if (!computed || !value || *value == 0) return std::nullopt;
    return *computed / *value - 1;
}

PublishedText::PublishedText(const std::string& paper) : table_(read_csv(published_directory() / paper / "text.csv")) {}

const std::string& PublishedText::printed(std::string_view key) const {
    return table_.cell(row_of(key), "value");
}

const std::string& PublishedText::section(std::string_view key) const {
    return table_.cell(row_of(key), "section");
}

double PublishedText::number(std::string_view key) const {
    const auto value = table_.number(row_of(key), "value");
    if (!value) throw std::logic_error(fmt::format("text.csv has no value of '{}'", key));
    return *value;
}

std::size_t PublishedText::row_of(std::string_view key) const {
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
        if (table_.cell(i, "key") == key) return i;
    }
    throw std::logic_error(fmt::format("text.csv has no '{}'", key));
}

bool agrees(const std::string& published, double computed, double tolerance) {
    const auto value = value_of(published);
    if (!value) return false;
    if (std::abs(computed - *value) <= tolerance * std::abs(*value)) return true;
    if (significant_digits(published) < 2) return false;
    const double unit = std::pow(10.0, -decimals(published));
    return std::abs(std::round(computed / unit) * unit - *value) < unit * 1e-6;
}

void Reproduction::compare(std::string item, std::string row, std::string column, const std::string& published,
                           double value, double tolerance, std::string note) {
    const char* status = agrees(published, value, tolerance) ? "match" : "off";
    cells_.push_back({std::move(item), std::move(row), std::move(column), published, value, status, std::move(note)});
}

void Reproduction::exceeds(std::string item, std::string row, std::string column, const std::string& published,
                           double value, std::string note) {
    const auto limit = value_of(published);
    const char* status = limit && value > *limit ? "match" : "off";
    cells_.push_back({std::move(item), std::move(row), std::move(column), published, value, status, std::move(note)});
}

void Reproduction::about(std::string item, std::string row, std::string column, const std::string& published,
                         double value, std::string note) {
    const auto printed = value_of(published);
    const char* status = printed && std::abs(value - *printed) <= 0.1 * std::abs(*printed) ? "match" : "off";
    cells_.push_back({std::move(item), std::move(row), std::move(column), published, value, status, std::move(note)});
}

void Reproduction::contradiction(std::string item, std::string row, std::string column, const std::string& published,
                                 double value, std::string note) {
    const char* status = agrees(published, value) ? "match" : "explained";
    cells_.push_back({std::move(item), std::move(row), std::move(column), published, value, status, std::move(note)});
}

void Reproduction::measured(std::string item, std::string row, std::string column, const std::string& published,
                            double value, std::string note) {
    cells_.push_back(
        {std::move(item), std::move(row), std::move(column), published, value, "measured", std::move(note)});
}

void Reproduction::computed(std::string item, std::string row, std::string column, double value, std::string note) {
    cells_.push_back({std::move(item), std::move(row), std::move(column), "", value, "computed", std::move(note)});
}

void Reproduction::open(std::string item, std::string row, std::string column, const std::string& published,
                        std::string note) {
    cells_.push_back(
        {std::move(item), std::move(row), std::move(column), published, std::nullopt, "open", std::move(note)});
}

void TextReproduction::compare(const char* key, const std::string& column, double computed, const std::string& note) {
    cells_.compare(text_.section(key), key, column, text_.printed(key), computed, 0.005, note);
}

void TextReproduction::about(const char* key, const std::string& column, double computed, const std::string& note) {
    cells_.about(text_.section(key), key, column, text_.printed(key), computed, note);
}

void TextReproduction::exceeds(const char* key, const std::string& column, double computed, const std::string& note) {
    cells_.exceeds(text_.section(key), key, column, text_.printed(key), computed, note);
}

void TextReproduction::contradiction(const char* key, const std::string& column, double computed,
                                     const std::string& note) {
    cells_.contradiction(text_.section(key), key, column, text_.printed(key), computed, note);
}

void TextReproduction::measured(const char* key, const std::string& column, double computed, const std::string& note) {
    cells_.measured(text_.section(key), key, column, text_.printed(key), computed, note);
}

void TextReproduction::open(const char* key, const std::string& column, const std::string& note) {
    cells_.open(text_.section(key), key, column, text_.printed(key), note);
}

}  // namespace narrows
