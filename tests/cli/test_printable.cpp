#include <catch2/catch.hpp>
#include <sstream>

#include "cli/printable.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

bool is_plain(const std::string& text) {
    return text == printable(text);
}

}  // namespace

TEST_CASE("what a terminal would obey is shown, and text stays text") {
    CHECK(printable("\x1b[31m\r\x7f\b") == "\\x1b[31m\\x0d\\x7f\\x08");
    CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
    CHECK(printable("a\tb\n") == "a\tb\n");
    CHECK(printable("µs Ελλάδα 日本 עברית \xF0\x9F\x98\x80 é") == "µs Ελλάδα 日本 עברית \xF0\x9F\x98\x80 é");
    CHECK(printable("caf\xe9") == "caf\\xe9");
    CHECK(printable("\xC2\x9B\x33\x31m \xC2\xA0") == "\\u009b31m \xC2\xA0");
    CHECK(printable("a\xE2\x80\xAE\xE2\x81\xA6\xE2\x80\xA8z\xE2\x80\x93") == "a\\u202e\\u2066\\u2028z\xE2\x80\x93");
    CHECK(printable("\xC0\xAF\xED\xA0\x80\xF5") == "\\xc0\\xaf\\xed\\xa0\\x80\\xf5");
}

TEST_CASE("an error quotes at most 200 characters of a line, those around its place") {
    const auto quote = [](const std::string& line, int column) {
        QuotedLine quoted = quoted_line(line, column);
        CHECK(quoted.text.size() <= 200);
        CHECK(quoted.caret.size() <= quoted.text.size() + 1);
        return quoted;
    };
    CHECK(quote("a bad line", 3).text == "a bad line");
    CHECK(quote("a bad line", 3).caret == "  ^");
    CHECK(quote("\ta\x1b[mb", 5).text == "\ta\\x1b[mb");
    CHECK(quote("\ta\x1b[mb", 5).caret == "\t      ^");
    CHECK(quote("short", 99).caret == "     ^");
    const std::string line = std::string(500, 'a') + "X" + std::string(500, 'b');
    const QuotedLine middle = quote(line, 501);
    CHECK(middle.text == "..." + std::string(97, 'a') + "X" + std::string(96, 'b') + "...");
    CHECK(middle.caret == std::string(100, ' ') + "^");
    CHECK(quote(line, 1).text == std::string(194, 'a') + "...");
    CHECK(quote(line, 1001).text == "..." + std::string(194 - 1, 'b') + "b");
    CHECK(quote(std::string(500, '\x1b'), 250).text.size() > 150);
}

TEST_CASE("a stream hands on whole lines as they may be printed") {
    std::ostringstream to;
    {
        PrintableStream stream(to);
        stream << "a\x1b" << 1 << '\n';
        CHECK(to.str() == "a\\x1b1\n");
        stream << "\xC3";
        stream << "\xA9";
    }
    CHECK(to.str() == "a\\x1b1\né");
}

TEST_CASE("an error's message goes on behind a zero byte") {
    CHECK(std::string(InputError(std::string("'a\0b': rename it", 16)).what()) == "'a\\x00b': rename it");
}

TEST_CASE("no text of an option or a file reaches the terminal as a command") {
    const ScratchDirectory scratch;
    const std::string escape = "\x1b]0;title\x07";
    write_whole_file("m.yaml", "name: \"a\\e[31m\\0b\\nc\"\nsource: \"\\x9b\"\nnode: {clock: 1 GHz}\n");
    write_whole_file("n.edges", "a" + escape + " b\nb c\n");
    write_whole_file("bad.edges", "a" + escape + " b x\n");
    write_whole_file("long.edges", "a b " + std::string(5000, 'x') + "\n");
    const std::vector<std::string> commands = {"show m.yaml",
                                               "show m.yaml --format markdown",

                                               "topology n.edges --hottest 3",
                                               "topology n.edges --hottest 3 --format markdown",
                                               "topology bad.edges",
                                               "topology 'torus " + escape + "'",
                                               "predict gups -m '" + escape + "'",
                                               "predict gups -m bluegene-l --variant '" + escape + "'",
                                               escape,
                                               "machines --" + escape};
    for (const std::string& command : commands) {
        CAPTURE(command);
        const Ran ran = run_narrows(command);
        CHECK(is_plain(ran.out));
        CHECK(is_plain(ran.err));
        CHECK((ran.out + ran.err).find_first_of('\\') != std::string::npos);
    }
    const std::string quoted = run_narrows("topology long.edges").err;
    CHECK(quoted.size() < 500);
    CHECK(quoted.find("\n  a b xxx") != std::string::npos);
}

}  // namespace narrows
