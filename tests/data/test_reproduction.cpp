
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "data/library.hpp"
#include "data/reproduction.hpp"
#include "tests/error_of.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

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
    CHECK(agrees("0.022", 0.0223));  // two digits: rounds to it
    CHECK_FALSE(agrees("2", 2.04));  // one digit: within the tolerance or not at all
    CHECK_FALSE(agrees("0.02", 0.0204));
    CHECK(agrees("2", 2.009));
}

TEST_CASE("what a text states is found by its key") {
    const PublishedText text(published_directory() / "garg2006");
    CHECK(text.printed("l3_latency") == "28-40");
    CHECK(text.section("sequential_gups") == "Section 4.1");
    CHECK(text.has("sequential_gups"));
    CHECK_FALSE(text.has("nothing"));
    CHECK_THROWS_AS(text.printed("nothing"), InputError);
}

namespace {

/// An empty folder, gone at the end.
struct PaperFolder {
    std::filesystem::path path = make();

    PaperFolder() = default;
    PaperFolder(const PaperFolder&) = delete;
    PaperFolder& operator=(const PaperFolder&) = delete;
    ~PaperFolder() { std::filesystem::remove_all(path); }

    static std::filesystem::path make() {
        std::string name = (std::filesystem::temp_directory_path() / "narrows-cells-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        return name;
    }
};

// The functions of the model and one of a test's own, without the words of a command line.
const CellLanguage& language() {
    static const CellLanguage made = [] {
        CellLanguage all{model_functions(), [](const Machine& machine, const std::vector<std::string>& changes) {
                             return with_change(machine, "node.clock", changes.front());
                         }};
        all.functions.push_back(
            {"third", 1, 1, "NUMBER", [](const CellCall& call) { return Amount{call.number(0) / 3}; }});
        return all;
    }();
    return made;
}

// The cells of a paper that a test makes up: `text` below a text.csv of two numbers and a table of two rows.
std::vector<Cell> cells_of_file(const std::string& text) {
    const PaperFolder folder;
    std::ofstream(folder.path / "text.csv") << "key,value,unit,section\nten,10,,Section 1\nrange,2-3,,Section 2\n";
    std::ofstream(folder.path / "rows.csv") << "nodes,size\n4,1\n8,2\n";
    std::ofstream(folder.path / "cells.yaml") << text;
    return reproduce(load_cells(folder.path.string()), language());
}

std::string error_of_file(const std::string& text) {
    return error_of([&] { cells_of_file(text); });
}

}  // namespace

TEST_CASE("cells of a file: what is compared, explained, measured or computed gets its status") {
    const std::vector<Cell> cells = cells_of_file(
        "machine: bluegene-l\ncells:\n  - item: Table 1\n    row: a\n    cells:\n"
        "      - {column: '1', printed: 10, is: 10.01}\n"
        "      - {column: '2', printed: 10, is: '10 * nodes_of_machine() / nodes_of_machine()'}\n"
        "      - {column: '3', printed: 10, is: 11}\n"
        "      - {column: '4', printed: 10, is: 11, rule: contradiction, note: a slip}\n"
        "      - {column: '5', printed: 10, is: 10, rule: contradiction, note: a slip}\n"
        "      - {column: '6', printed: 10, is: 11, rule: measured}\n"
        "      - {column: '7', is: 11}\n"
        "      - {column: '8', printed: 10, is: 10.1, rule: exceeds}\n"
        "      - {column: '9', printed: 10, is: 10, rule: exceeds}\n"
        "      - {column: '10', printed: 10, is: 10.9, rule: about}\n"
        "      - {column: '11', printed: 10, is: 11.1, rule: about}\n"
        "      - {column: '12', printed: 10, note: another table would pin it down}\n");
    std::vector<std::string> status;
    for (const Cell& cell : cells) status.push_back(cell.status);
    CHECK(status == std::vector<std::string>{"consistent", "match", "off", "explained", "consistent", "measured",
                                             "computed", "consistent", "off", "consistent", "off", "open"});
    CHECK_FALSE(cells[11].computed);
    CHECK_FALSE(cells[11].relative_error());
    CHECK(*cells[2].relative_error() == Approx(0.1));
    CHECK_FALSE(cells[6].relative_error());
}

TEST_CASE("cells of a file: rows, loops, keys, conditions and texts") {
    const std::vector<Cell> cells = cells_of_file(
        "machine: bluegene-l\nnames: {twice: 2 * nodes}\ncells:\n"
        "  - {key: ten, column: x, is: ten, note: '{ten:.2f}'}\n"
        "  - table: rows.csv\n    item: Table 1\n    row: '{nodes}'\n    for: {k: [1, 3]}\n    cells:\n"
        "      - {column: 'by {k}', is: twice * k, note: {nodes == 4: four, else: other}, when: 'k < nodes'}\n");
    REQUIRE(cells.size() == 5);
    CHECK(cells[0].item == "Section 1");
    CHECK(cells[0].row == "ten");
    CHECK(cells[0].note == "10.00");
    CHECK(cells[2].column == "by 3");
    CHECK(*cells[2].computed == 24);
    CHECK(cells[2].note == "four");
    CHECK(cells[3].row == "8");
    CHECK(cells[3].note == "other");
}

TEST_CASE("cells of a file: what is wrong is told with its place") {
    using Catch::Matchers::Contains;
    const std::string start = "machine: bluegene-l\ncells:\n  - ";
    CHECK_THAT(error_of_file(start + "{item: T, row: a, colum: x}\n"),
               Contains("3:23: unknown key 'colum' of a cell, did you mean 'column'?"));
    CHECK_THAT(error_of_file(start + "{item: T, row: a, column: x, is: tenn}\n"),
               Contains("there is no 'tenn'") && Contains("did you mean 'ten'?"));
    CHECK_THAT(error_of_file(start + "{item: T, row: a, column: x, is: 3 s}\n"), Contains("say its unit with 'in'"));
    CHECK_THAT(error_of_file(start + "{item: T, row: a, column: x, is: alpha()}\n"), Contains("write 'alpha(NODES)'"));
    CHECK_THAT(error_of_file(start + "{item: T, row: a, column: x, printed: 1, is: 1, rule: near}\n"),
               Contains("there is no rule 'near'"));
    CHECK_THAT(error_of_file(start + "{column: x, is: 1}\n"),
               Contains("a cell needs 'key' or 'item' and 'row', and 'column'"));
    CHECK_THAT(error_of_file(start + "{key: eleven, column: x, is: 1}\n"), Contains("text.csv has no 'eleven'"));
    CHECK_THAT(error_of_file("machines: {a: [b, node.clock=2 GHz], b: [a]}\ncells: []\n"),
               Contains("1:12: ") && Contains("machine 'a' is made of itself"));
    CHECK_THROWS_WITH(load_cells("gorg2006"), Contains("no paper 'gorg2006', did you mean 'garg2006'?"));
}

TEST_CASE("cells of a file: a function is one of the language, with the machine and the changes behind its arguments") {
    const std::vector<Cell> cells = cells_of_file(
        "machine: bluegene-l\ncells:\n"
        "  - {item: T, row: a, column: own, printed: 4, is: third(12)}\n"
        "  - {item: T, row: a, column: clock, is: machine(node.clock), in: MHz}\n"
        "  - {item: T, row: a, column: doubled, is: 'machine(node.clock, --set 2x)', in: MHz}\n");
    REQUIRE(cells.size() == 3);
    CHECK(cells[0].status == "match");
    CHECK(*cells[1].computed == Approx(700));
    CHECK(*cells[2].computed == Approx(1400));
    CHECK_THAT(error_of_file("machine: bluegene-l\ncells:\n  - {item: T, row: a, column: x, is: fourth(12)}\n"),
               Catch::Contains("fourth"));
}

}  // namespace narrows
