#include <catch2/catch.hpp>

#include "topologies/utf8.hpp"

using namespace narrows;

TEST_CASE("characters of UTF-8 are told from bytes that are none") {
    CHECK(utf8_length("a\xFF") == 1);
    CHECK(utf8_length("é") == 2);
    CHECK(utf8_length("日") == 3);
    CHECK(utf8_length("\xF0\x9F\x98\x80") == 4);
    CHECK(is_utf8(""));
    CHECK(is_utf8("µs 日本"));
    for (const char* wrong : {"\x80", "\xC3", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                              "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "caf\xE9"})
        CHECK_FALSE(is_utf8(wrong));
}
