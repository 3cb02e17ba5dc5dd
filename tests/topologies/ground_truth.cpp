#include "tests/topologies/ground_truth.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace narrows::testing {
namespace {

double parse_number(const std::string& text) {
    std::size_t end = 0;
    const double value = std::stod(text, &end);
    if (end != text.size()) throw std::invalid_argument("trailing characters");
    return value;
}

std::optional<double> parse_cell(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(parse_fraction(text));
}

GroundTruth parse_row(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream words(line);
    for (std::string cell; std::getline(words, cell, ',');) cells.push_back(cell);
    if (cells.size() != 7) throw std::runtime_error("not seven cells");
    const std::string& methods = cells[6];
    if (methods != "closed" && methods != "search" && methods != "closed search" && methods != "later") {
        throw std::runtime_error("unknown methods '" + methods + "'");
    }
    return {cells[0],
            std::stoi(cells[1]),
            parse_cell(cells[2]),
            parse_cell(cells[3]),
            parse_cell(cells[4]),
            cells[5],
            methods.find("closed") != std::string::npos,
            methods.find("search") != std::string::npos};
}

}  // namespace

double parse_fraction(const std::string& text) {
    try {
        const std::size_t slash = text.find('/');
        if (slash == std::string::npos) return parse_number(text);
        return parse_number(text.substr(0, slash)) / parse_number(text.substr(slash + 1));
    } catch (const std::logic_error&) {
        throw std::runtime_error("'" + text + "' is not a number or a fraction");
    }
}

std::vector<GroundTruth> ground_truth() {
    std::ifstream file(NARROWS_GROUND_TRUTH);
    if (!file) throw std::runtime_error("cannot open " NARROWS_GROUND_TRUTH);
    std::vector<GroundTruth> rows;
    std::string line;
    std::getline(file, line);
    for (int number = 2; std::getline(file, line); ++number) {
        try {
            rows.push_back(parse_row(line));
        } catch (const std::exception& error) {
            throw std::runtime_error("ground_truth.csv:" + std::to_string(number) + ": " + error.what());
        }
    }
    return rows;
}

}  // namespace narrows::testing
