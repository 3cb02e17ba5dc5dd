#include "model/program/expression.hpp"

#include <catch2/catch.hpp>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Catch::Matchers::Contains;

double value(const std::string& text, const Amounts& names = {}) {
    return Expression(text).at(names).value;
}

}  // namespace

TEST_CASE("expression: arithmetic, functions and names") {
    const Amounts names = {{"n", {8, 0, 0}}, {"P", {4, 0, 0}}};
    CHECK(value("5 * n^3 * log2(n) / P", names) == 5 * 512 * 3 / 4.0);
    CHECK(value("max(n, P, 3) + min(1, 2) - floor(2.5) + ceil(2.5) + mod(7, 4)", names) == 8 + 1 - 2 + 3 + 3);
    CHECK(value("n > P ? 1 : 2", names) == 1);
    CHECK(value("n < P ? 1 : n == 8 ? 3 : 4", names) == 3);
    CHECK(value("n < P || n >= 8 && P != 3 ? -2^2 : 2^-1", names) == -4);
    CHECK(value("rint(2.6) * 2^3^2 - -1", names) == 3 * 512 + 1);
    CHECK(value("1e3 + .5 + 2E-1") == 1000.7);
    CHECK(Expression("n * P + n").names() == std::vector<std::string>{"P", "n"});
    CHECK(Expression("16 B + 2 GB").names().empty());
}

TEST_CASE("expression: a sign that changes nothing is none") {
    CHECK(value("+3") == 3);
    CHECK(value("3 * +0 + (7 - 2) * + 1") == 5);
    CHECK(value("2^+2") == 4);
    CHECK(value("P > 2 ? +2 : 1", {{"P", {4, 0, 0}}}) == 2);
    CHECK(Expression("+8 KiB").at({}, Dimension::data) == 8192);
    CHECK_THROWS_AS(value("+P", {{"P", {4, 0, 0}}}), InputError);
}

TEST_CASE("expression: quantities have the units of a machine file") {
    CHECK(Expression("16 B * 3 + 1 KiB").at({}) == Amount{1072, 0, 1});
    CHECK(Expression("8 MB / 2 GB/s").at({}).value == Approx(0.004));
    CHECK(Expression("8 MB / 2 GB/s").at({}).is(Dimension::time));
    CHECK(Expression("3 us + 250ns").at({}, Dimension::time) == Approx(3.25e-6));
    CHECK(Expression("20 % * n").at({{"n", {10, 0, 1}}}) == Amount{2, 0, 1});
    CHECK(Expression("1 Gbit/s").at({}, Dimension::bandwidth) == 1.25e8);
    CHECK(Expression("sqrt(4 B * 9 B)").at({}, Dimension::data) == 6);
    CHECK(Expression("0").at({}, Dimension::data) == 0);
    CHECK(Expression("ceil(100 B / 64 B)").at({}, Dimension::number) == 2);
}

TEST_CASE("expression: units that do not fit are told") {
    CHECK_THROWS_WITH(Expression("8 B + 1 s").at({}), Contains("mixes units"));
    CHECK_THROWS_WITH(Expression("8 B + n").at({{"n", {4, 0, 0}}}), Contains("mixes units"));
    CHECK_THROWS_WITH(Expression("max(8 B, 2 s)").at({}), Contains("mixes units"));
    CHECK_THROWS_WITH(Expression("log2(8 B)").at({}), Contains("mixes units"));
    CHECK_THROWS_WITH(Expression("8 B").at({}, Dimension::time),
                      "'8 B' is an amount of data, expected a time such as '25 ns'");
    CHECK_THROWS_WITH(Expression("8 B * 2 B").at({}, Dimension::data), Contains("is in B^2, expected"));
    CHECK_THROWS_WITH(Expression("z * 8 KiB").at({{"z", {0, 0, 0}}}, Dimension::time),
                      "'z * 8 KiB' is an amount of data, expected a time such as '25 ns'");
    CHECK(Expression("z * 8 KiB").at({{"z", {0, 0, 0}}}, Dimension::data) == 0);
    CHECK(Expression("0").at({}, Dimension::time) == 0);
    CHECK_THROWS_WITH(Expression("n, 3").at({{"n", {4, 0, 0}}}), Contains("'n, 3' is 2 values"));
    CHECK_THROWS_WITH(Expression("n > 1 ? 8 B : 3 s").at({{"n", {4, 0, 0}}}),
                      "'n > 1 ? 8 B : 3 s' mixes units: one is an amount of data, the other a time");
    CHECK_THROWS_WITH(Expression("n > 8 B ? 1 : 2").at({{"n", {4, 0, 0}}}), Contains("mixes units"));
    CHECK_THROWS_WITH(Expression("floor(n * 1 s)").at({{"n", {0, 0, 0}}}), Contains("is of numbers, not of a time"));
    for (const char* power : {"(8 B)^0.5", "(1 s)^1e20", "(8 B)^1e300"}) {
        CHECK_THROWS_WITH(Expression(power).at({}), Contains("the power has no whole units"));
    }
    CHECK(Expression("max(0, n)").at({{"n", {4, 0, 1}}}, Dimension::data) == 4);
    CHECK_THROWS_WITH(Expression("4 cycles"), Contains("cycles have no clock here"));
    CHECK_THROWS_WITH(Expression("2 parsecs"), Contains("unknown unit 'parsecs'"));
}

TEST_CASE("expression: what is not an expression, and what has no value, is told with its place") {
    const Origin origin{"x.yaml", 3, 5, "  - {bytes: 1 +}"};
    try {
        const Expression taken("1 +", origin);
        FAIL(taken.text());
    } catch (const InputError& error) {
        CHECK(error.file() == "x.yaml");
        CHECK(error.line() == 3);
        CHECK_THAT(error.what(), Contains("'1 +' is not an expression"));
    }
    CHECK_THROWS_WITH(Expression("m + 1").at({{"n", {1, 0, 0}}}), "there is no 'm', did you mean 'n'? (there are: n)");
    CHECK_THROWS_WITH(
        Expression("1 / n").at({{"n", {0, 0, 0}}}),
        "'1 / n' has no finite value for n = 0: it divides by zero, takes a root or logarithm of what has none, or "
        "overflows");
    for (const char* text : {"max(2, n / n)", "max(n / n, 2)", "min(2, sqrt(-1))", "P / (P / n)", "1 / log2(n)",
                             "n / n > 3 ? 1 : 2", "n / n > 3 && P > 1", "exp(1000)"}) {
        CHECK_THROWS_WITH(Expression(text).at({{"n", {0}}, {"P", {4}}}), Contains("has no finite value"));
    }
    for (const char* text : {"n > 0 ? 1 / n : 5", "n > 0 && 1 / n > 2 ? 1 : 5", "n == 0 || 1 / n > 2 ? 5 : 1"}) {
        CHECK(Expression(text).at({{"n", {0}}}).value == 5);
    }
    CHECK_THROWS_WITH(Expression("1e300 s").at({}), Contains("no machine has such numbers"));
    CHECK_THROWS_AS(Expression(""), InputError);
    CHECK_THROWS_AS(Expression("(1"), InputError);
    CHECK_THROWS_AS(Expression("n = 2"), InputError);
    CHECK_THROWS_WITH(Expression("__byte").at({}), Contains("there is no '__byte'"));
    CHECK_THROWS_AS(Expression("sin(2)"), InputError);
    CHECK_THROWS_AS(Expression("a ~ 2"), InputError);
    CHECK_THROWS_WITH(Expression("1 ? 2").at({}), Contains("write a choice as 'a ? b : c'"));
}

}  // namespace narrows
