#include <catch2/catch.hpp>
#include <random>

#include "data/csv.hpp"
#include "error_text.hpp"

namespace narrows {
namespace {

std::string csv_error(const std::string& text) {
    return error_text([&text] { parse_csv(text, "t.csv"); });
}

}  // namespace

TEST_CASE("a table has provenance, columns and rows") {
    const CsvTable table = parse_csv("# paper: garg2006\n# note: a: b\nn,alpha,sbf\n32,1/2,-\n64,0.50,\n", "t.csv");
    CHECK(table.about("paper") == "garg2006");
    CHECK(table.about("note") == "a: b");
    CHECK(table.about("other").empty());
    CHECK(table.columns == std::vector<std::string>{"n", "alpha", "sbf"});
    REQUIRE(table.rows.size() == 2);
    CHECK(table.lines == std::vector<int>{4, 5});
    CHECK(table.cell(1, "alpha") == "0.50");
    CHECK(table.number(0, "n") == 32);
    CHECK(table.number(0, "alpha") == 0.5);
    CHECK_FALSE(table.number(0, "sbf").has_value());
    CHECK_FALSE(table.number(1, "sbf").has_value());
}

TEST_CASE("quoted cells hold commas, quotes and line breaks") {
    const CsvTable table = parse_csv("a,b\r\n\"x, y\",\"say \"\"so\"\"\"\r\n\"two\nlines\",\n\nlast,1", "t.csv");
    REQUIRE(table.rows.size() == 3);
    CHECK(table.rows[0] == std::vector<std::string>{"x, y", "say \"so\""});
    CHECK(table.rows[1] == std::vector<std::string>{"two\nlines", ""});
    CHECK(table.rows[2] == std::vector<std::string>{"last", "1"});
    CHECK(table.lines == std::vector<int>{2, 3, 6});
}

TEST_CASE("errors of a table say where they are") {
    CHECK(csv_error(std::string("a\n\0\n", 4)).starts_with("t.csv:2:1: byte 0x00 is not text"));
    const CsvTable table = parse_csv("gups\n7 s\nx\n", "t.csv");
    CHECK(error_text([&] { table.number(1, "gups"); }) ==
          "t.csv:3:1: 'x' in column 'gups' is not a number: write one, or '-' for none\nx\n^");
    CHECK(error_text([&] { table.number(0, "gups"); }) ==
          "t.csv:2:1: '7 s' in column 'gups' is not a number: write one, or '-' for none\n7 s\n^");
    CHECK(error_text([&] { table.column("gup"); }) == "t.csv has no column 'gup', did you mean 'gups'?");
}

TEST_CASE("random tables read back") {
    std::mt19937_64 random(3);
    const std::string letters = "ab,\"\n\r#- ";
    for (int i = 0; i < 500; ++i) {
        CsvTable table;
        table.columns = {"x", "y", "z"};
        table.columns.resize(1 + random() % 3);
        for (std::uint64_t row = random() % 5; row > 0; --row) {
            table.rows.emplace_back(table.columns.size());
            for (std::string& cell : table.rows.back()) {
                for (std::uint64_t c = random() % 4; c > 0; --c) cell += letters[random() % letters.size()];
            }
        }
        std::string text = csv_line(table.columns);
        for (const auto& row : table.rows) text += csv_line(row);
        INFO(text);
        const CsvTable again = parse_csv(text, "t.csv");
        REQUIRE(again.rows == table.rows);
        REQUIRE(again.columns == table.columns);
    }
}

}  // namespace narrows
