#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "cli/cell_functions.hpp"
#include "data/reproduction.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

std::map<std::string, int> count_of(const std::vector<Cell>& cells) {
    std::map<std::string, int> count;
    for (const Cell& cell : cells) ++count[cell.status];
    return count;
}

// A rule of this test's own: half a percent (one for what the paper simulated), or the same digits as printf writes.
bool stands_for(const Cell& cell) {
    const double printed = *cell.published_value();
    const double computed = cell.computed.value();
    if (cell.note.starts_with("over ") || cell.note.starts_with("just over ")) return computed > printed;
    if (cell.note.starts_with("about")) return std::abs(computed / printed - 1) <= 0.1;
    const double allowed = cell.column == "mean bucket size" ? 0.01 : 0.005;
    if (std::abs(computed / printed - 1) <= allowed) return true;
    const auto point = cell.published.find('.');
    const int decimals = point == std::string::npos ? 0 : static_cast<int>(cell.published.size() - point - 1);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, computed);
    return std::abs(printed) >= 10 * std::pow(10.0, -decimals) && text.data() == cell.published;
}

// How many cells a table has.
int cells_of(const std::vector<Cell>& cells, const std::string& item, const std::string& column) {
    return static_cast<int>(
        std::ranges::count_if(cells, [&](const Cell& cell) { return cell.item == item && cell.column == column; }));
}

void check_cells(const std::vector<Cell>& cells) {
    std::set<std::string> names;
    for (const Cell& cell : cells) {
        CAPTURE(cell.item, cell.row, cell.column, cell.published, cell.computed.value_or(0), cell.note);
        CHECK((cell.status == "open") == !cell.computed);
        CHECK(std::isfinite(cell.computed.value_or(0)));
        CHECK(cell.status != "off");
        CHECK(((cell.status != "explained" && cell.status != "open") || !cell.note.empty()));
        CHECK((cell.status == "computed" || cell.status == "open" || !cell.published.empty()));
        CHECK((cell.status != "computed" || cell.published.empty()));
        CHECK(names.insert(cell.item + "|" + cell.row + "|" + cell.column).second);
        if (cell.status == "match" || cell.status == "consistent") {
            REQUIRE(cell.published_value());
            CHECK(stands_for(cell));
        }
    }
}

}  // namespace

TEST_CASE("garg2006: at least 110 computed cells match or are explained, at most four explained, none off") {
    const std::vector<Cell> cells = reproduce(load_cells("garg2006"), cell_language());
    check_cells(cells);
    auto count = count_of(cells);
    CHECK(count["match"] + count["consistent"] + count["explained"] >= 110);
    CHECK(count["consistent"] == 21);
    CHECK(count["explained"] <= 4);
    CHECK(count["off"] == 0);
    for (const char* column : {"face area", "alpha"}) CHECK(cells_of(cells, "Table 2", column) == 12);
    for (const char* column : {"alpha", "CPU", "network"}) {
        CHECK(cells_of(cells, "Table 3", column) == 12);
        CHECK(cells_of(cells, "Table 5", column) == 12);
    }
    for (const char* column : {"mean bucket size", "cycles/update", "GUPS"}) {
        CHECK(cells_of(cells, "Table 6", column) == 11);
    }
    for (const char* column : {"CPU", "network", "bytes/update", "cycles/update", "GUPS"}) {
        CHECK(cells_of(cells, "Table 7", column) == 9);
    }
}

TEST_CASE("garg2006: measured GUPS stand beside the model, within the limits that are asked of it") {
    int checked = 0;
    for (const Cell& cell : reproduce(load_cells("garg2006"), cell_language())) {
        if (cell.status != "measured" || cell.column != "GUPS") continue;
        CAPTURE(cell.item, cell.row, cell.published, cell.computed.value());
        const int nodes = std::stoi(cell.row);
        const double error = *cell.computed / std::stod(cell.published) - 1;
        const bool routed = cell.item == "Table 7" && nodes <= 16384 && nodes != 128;
        const bool bucketed = cell.item == "Table 6" && nodes <= 8192;
        if (routed) CHECK(std::abs(error) < 0.065);
        if (bucketed) CHECK(std::abs(error) < 0.25);
        checked += routed || bucketed ? 1 : 0;
    }
    CHECK(checked == 7 + 9);
}

TEST_CASE("underwood2008: at least 25 cells besides the computed ones, none off") {
    const std::vector<Cell> cells = reproduce(load_cells("underwood2008"), cell_language());
    check_cells(cells);
    auto count = count_of(cells);
    CHECK(static_cast<int>(cells.size()) - count["computed"] >= 25);
    CHECK(count["off"] == 0);
    for (const char* item : {"(1)", "(2)", "(3)"}) CHECK(cells_of(cells, item, "GB/s") == 6);
    for (const char* item : {"(4)", "(5)"}) CHECK(cells_of(cells, item, "M messages/s") == 6);
    CHECK(cells_of(cells, "(6)", "M messages/s, 2 cores, 50 cycles") == 6);
    std::set<std::string> simulated;
    for (const Cell& cell : cells) {
        if (cell.status != "measured") continue;
        CHECK(cell.note.starts_with("assumes "));
        simulated.insert(cell.row);
    }
    CHECK(simulated == std::set<std::string>{"block_cyclic_two_cores", "cyclic_share_intro", "cyclic_two_cores",
                                             "indirect_two_cores", "latency_ht_share", "latency_reduced",
                                             "random_access_dual_over_single", "random_access_quad_over_dual",
                                             "random_access_two_cores", "streaming_two_cores"});
}

TEST_CASE("the three papers on messaging: what follows from stated numbers matches, what does not is named") {
    const std::map<std::string, std::vector<int>> least = {
        // match or consistent, explained, measured, computed, open
        {"kumar2007", {5, 1, 2, 20, 9}},
        {"kumar2008", {4, 0, 15, 45, 10}},
        {"pakin2009", {35, 3, 8, 18, 7}},
    };
    for (const auto& [paper, expected] : least) {
        INFO(paper);
        const std::vector<Cell> cells = reproduce(load_cells(paper), cell_language());
        check_cells(cells);
        auto count = count_of(cells);
        CHECK(count["match"] + count["consistent"] >= expected[0]);
        CHECK(count["explained"] == expected[1]);
        CHECK(count["measured"] >= expected[2]);
        CHECK(count["computed"] >= expected[3]);
        CHECK(count["open"] >= expected[4]);
        CHECK(count["off"] == 0);
    }
}

TEST_CASE("kumar2008: rows of Table 1 say whether a part is derived from them, and those that judge are near") {
    int judged = 0;
    int derived = 0;
    for (const Cell& cell : reproduce(load_cells("kumar2008"), cell_language())) {
        if (cell.item != "Table 1" || cell.status != "measured") continue;
        CAPTURE(cell.row, cell.note);
        const bool used = cell.note.starts_with("one of the five rows");
        CHECK((used || cell.note.starts_with("not used for the parts: ")));
        derived += used ? 1 : 0;
        judged += used ? 0 : 1;
        if (used) CHECK(*cell.relative_error() == Approx(0).margin(1e-9));
        if (cell.row.find("Rendezvous") != std::string::npos) CHECK(std::abs(*cell.relative_error()) < 0.05);
        if (cell.row == "MPI Get") CHECK(std::abs(*cell.relative_error()) < 0.06);
    }
    CHECK(derived == 5);
    CHECK(judged == 3);
}

TEST_CASE("reproduce prints every cell in every format") {
    const nlohmann::json json = json_from("reproduce underwood2008");
    const std::vector<Cell> cells = reproduce(load_cells("underwood2008"), cell_language());
    REQUIRE(json["cells"].size() == cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        CHECK(json["cells"][i]["paper"] == "underwood2008");
        CHECK(json["cells"][i]["row"].is_string());
        CHECK(json["cells"][i]["status"] == cells[i].status);
        CHECK(json["cells"][i]["computed"].is_null() == !cells[i].computed);
        if (cells[i].computed) CHECK(json["cells"][i]["computed"] == *cells[i].computed);
        CHECK(json["cells"][i]["published"].is_null() == !cells[i].published_value());
    }
}

}  // namespace narrows
