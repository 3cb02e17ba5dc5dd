#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "cli/reproduction.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

std::map<std::string, int> count_of(const std::vector<Cell>& cells) {
    std::map<std::string, int> count;
    for (const Cell& cell : cells) ++count[cell.status];
    return count;
}

void check_cells(const std::vector<Cell>& cells) {
    std::set<std::string> names;
    for (const Cell& cell : cells) {
        CAPTURE(cell.item, cell.row, cell.column, cell.published, cell.computed, cell.note);
        CHECK(std::isfinite(cell.computed));
        CHECK(cell.status != "off");
        CHECK((cell.status != "explained" || !cell.note.empty()));
        CHECK((cell.status == "computed") == cell.published.empty());
        CHECK(names.insert(cell.item + "|" + cell.row + "|" + cell.column).second);
        if (cell.status == "match" && cell.published_value()) {
            CHECK(agrees(cell.published, cell.computed, cell.column == "mean bucket size" ? 0.01 : 0.005));
        }
    }
}

}  // namespace

TEST_CASE("garg2006: at least 110 computed cells match or are explained, at most four explained, none off") {
    const std::vector<Cell> cells = reproduce_garg2006().cells();
    check_cells(cells);
    auto count = count_of(cells);
    CHECK(count["match"] + count["explained"] >= 110);
    CHECK(count["explained"] <= 4);
    CHECK(count["off"] == 0);
    for (const char* item : {"Table 2", "Table 3", "Table 5", "Table 6", "Table 7"}) {
        CHECK(std::any_of(cells.begin(), cells.end(), [item](const Cell& cell) { return cell.item == item; }));
    }
}

TEST_CASE("garg2006: measured GUPS stand beside the model, within the limits that are asked of it") {
    const Reproduction reproduction = reproduce_garg2006();
    for (const Cell& cell : reproduction.cells()) {
        if (cell.status != "measured" || cell.column != "GUPS") continue;
        CAPTURE(cell.item, cell.row, cell.published, cell.computed);
        const int nodes = std::stoi(cell.row);
        if (cell.item == "Table 7" && nodes <= 16384 && nodes != 128) CHECK(std::abs(*cell.relative_error()) < 0.065);
        if (cell.item == "Table 6" && nodes <= 8192) CHECK(std::abs(*cell.relative_error()) < 0.25);
    }
}

TEST_CASE("underwood2008: at least 25 cells besides the computed ones, none off") {
    const std::vector<Cell> cells = reproduce_underwood2008().cells();
    check_cells(cells);
    auto count = count_of(cells);
    CHECK(static_cast<int>(cells.size()) - count["computed"] >= 25);
    CHECK(count["off"] == 0);
    CHECK(count["computed"] >= 36);  // six equations at six sizes
}

TEST_CASE("reproduce prints every cell in every format") {
    const nlohmann::json json = json_from("reproduce underwood2008");
    const std::vector<Cell> cells = reproduce_underwood2008().cells();
    REQUIRE(json["cells"].size() == cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        CHECK(json["cells"][i]["paper"] == "underwood2008");
        CHECK(json["cells"][i]["row"].is_string());
        CHECK(json["cells"][i]["status"] == cells[i].status);
        CHECK(json["cells"][i]["computed"] == cells[i].computed);
        CHECK(json["cells"][i]["published"].is_null() == !cells[i].published_value());
    }
}

TEST_CASE("a computed number stands for a printed one within the tolerance or once rounded to its digits") {
    CHECK(agrees("1.234", 1.2401));
    CHECK_FALSE(agrees("1.234", 1.2411));
    CHECK(agrees("0.211", 0.2105001));
    CHECK(agrees("27", 26.6));  // rounds to it
    CHECK_FALSE(agrees("27", 27.6));
    CHECK(agrees("1/16", 0.0625));
    CHECK_FALSE(agrees("28-40", 34));
    CHECK_FALSE(agrees("", 1));
    CHECK(agrees("62.88", 62.5, 0.01));
}

TEST_CASE("what is compared, explained, measured or computed gets its status") {
    Reproduction cells("paper");
    cells.compare("Table 1", "1", "a", "10", 10.01);
    cells.compare("Table 1", "2", "a", "10", 11);
    cells.contradiction("Table 1", "3", "a", "10", 11, "a slip");
    cells.contradiction("Table 1", "4", "a", "10", 10, "a slip");
    cells.measured("Table 1", "5", "a", "10", 11);
    cells.computed("(1)", "6", "a", 11);
    std::vector<std::string> status;
    for (const Cell& cell : cells.cells()) status.push_back(cell.status);
    CHECK(status == std::vector<std::string>{"match", "off", "explained", "match", "measured", "computed"});
    CHECK(*cells.cells()[1].relative_error() == Approx(0.1));
    CHECK_FALSE(cells.cells()[5].relative_error());
}

}  // namespace narrows
