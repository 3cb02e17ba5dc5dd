#include <catch2/catch.hpp>

#include "data/source_text.hpp"
#include "error_text.hpp"

namespace narrows {

TEST_CASE("lines are counted from 1 and lose their ends") {
    const SourceText source("f", "one\r\ntwo\n");
    CHECK(source.line(1) == "one");
    CHECK(source.line(2) == "two");
    CHECK(source.line(3).empty());
    CHECK(source.line(0).empty());
    CHECK(source.line(99).empty());
}

TEST_CASE("a column counts characters, and stays in the text") {
    const SourceText source("f", "µs: x\nb");
    CHECK(source.place(0, 5).column == 5);
    CHECK(source.place(0, 99).column == 6);
    CHECK(source.place(0, -1).column == 1);
    CHECK(source.place(99, 0).line == 2);
    CHECK(source.place(-1, -1).line == 1);
}

TEST_CASE("bytes that are not UTF-8 text are refused where they stand") {
    const auto error = [](const std::string& text) {
        return error_text([&text] { SourceText("f", text).require_text(); });
    };
    CHECK(error("plain µ 日本 \xF0\x9F\x98\x80\t\r\n") == "no error");
    CHECK(error("a\nµ\x80 c") == "f:2:2: byte 0x80 is not text: save the file as UTF-8\nµ\x80 c\n ^");
    CHECK(error(std::string("a\0b", 3)).starts_with("f:1:2: byte 0x00 is not text"));
    CHECK(error("\xC3").starts_with("f:1:1: byte 0xc3"));
    CHECK(error("\xC0\xAF").starts_with("f:1:1: byte 0xc0"));
    CHECK(error("\xFF\xFE").starts_with("f:1:1: byte 0xff"));
    CHECK(error("a\x1b").starts_with("f:1:2: byte 0x1b"));
}

}  // namespace narrows
