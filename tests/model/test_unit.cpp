#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "model/unit.hpp"
#include "tests/error_of.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

struct UnitCase {
    const char* unit;
    Dimension dimension;
    double one;  // in base units
};

const std::vector<UnitCase> all_units = {
    {"s", Dimension::time, 1},
    {"ms", Dimension::time, 1e-3},
    {"us", Dimension::time, 1e-6},
    {"µs", Dimension::time, 1e-6},
    {"ns", Dimension::time, 1e-9},
    {"ps", Dimension::time, 1e-12},
    {"cycles", Dimension::cycles, 1},
    {"cycle", Dimension::cycles, 1},
    {"B", Dimension::data, 1},
    {"KB", Dimension::data, 1000},
    {"kB", Dimension::data, 1000},
    {"MB", Dimension::data, 1e6},
    {"GB", Dimension::data, 1e9},
    {"TB", Dimension::data, 1e12},
    {"KiB", Dimension::data, 1024},
    {"MiB", Dimension::data, 1048576},
    {"GiB", Dimension::data, 1073741824},
    {"TiB", Dimension::data, 1099511627776},
    {"B/s", Dimension::bandwidth, 1},
    {"KB/s", Dimension::bandwidth, 1e3},
    {"kB/s", Dimension::bandwidth, 1e3},
    {"MB/s", Dimension::bandwidth, 1e6},
    {"GB/s", Dimension::bandwidth, 1e9},
    {"TB/s", Dimension::bandwidth, 1e12},
    {"MiB/s", Dimension::bandwidth, 1048576},
    {"GiB/s", Dimension::bandwidth, 1073741824},
    {"bit/s", Dimension::bandwidth, 0.125},
    {"kbit/s", Dimension::bandwidth, 125},
    {"Mbit/s", Dimension::bandwidth, 125e3},
    {"Gbit/s", Dimension::bandwidth, 125e6},
    {"Tbit/s", Dimension::bandwidth, 125e9},
    {"Hz", Dimension::frequency, 1},
    {"kHz", Dimension::frequency, 1e3},
    {"MHz", Dimension::frequency, 1e6},
    {"GHz", Dimension::frequency, 1e9},
    {"1/s", Dimension::frequency, 1},
    {"/s", Dimension::frequency, 1},
    {"K/s", Dimension::frequency, 1e3},
    {"M/s", Dimension::frequency, 1e6},
    {"G/s", Dimension::frequency, 1e9},
    {"UPS", Dimension::frequency, 1},
    {"MUPS", Dimension::frequency, 1e6},
    {"GUPS", Dimension::frequency, 1e9},
    {"s/B", Dimension::time_per_byte, 1},
    {"ns/B", Dimension::time_per_byte, 1e-9},
    {"ps/B", Dimension::time_per_byte, 1e-12},
    {"cycles/B", Dimension::cycles_per_byte, 1},
    {"%", Dimension::number, 0.01},
    {"", Dimension::number, 1},
};

std::string message_of(const std::string& text) {
    return error_of([&] { parse_measure(text); });
}

}  // namespace

TEST_CASE("every unit is read as what it is") {
    for (const UnitCase& unit : all_units) {
        INFO("unit " << unit.unit);
        // '1 1/s' would be no way to write a rate: that unit stands behind no number but its own.
        if (std::string(unit.unit) == "1/s") continue;
        const Measure measure = parse_measure(std::string("1 ") + unit.unit);
        CHECK(measure.value == unit.one);
        CHECK(measure.dimension == unit.dimension);
        CHECK(measure.unit == unit.unit);
        CHECK(parse_measure(std::string("  2.5") + unit.unit + " ").value == Approx(2.5 * unit.one).epsilon(1e-15));
    }
    CHECK(parse_measure("1/s").dimension == Dimension::frequency);
}

TEST_CASE("every value in every unit reads back to the last bit") {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> mantissa(0.1, 10);
    std::uniform_int_distribution<int> exponent(-29, 28);
    for (const UnitCase& unit : all_units) {
        if (std::string(unit.unit) == "1/s") continue;
        for (int i = 0; i < 400; ++i) {
            const double value = mantissa(random) * std::pow(10.0, exponent(random)) * (i % 7 == 0 ? -1 : 1);
            const Measure measure{value, unit.dimension, unit.unit};
            const std::string text = print(measure, true);
            INFO(text);
            REQUIRE(parse_measure(text) == measure);
        }
        const Measure zero{0, unit.dimension, unit.unit};
        CHECK(parse_measure(print(zero, true)) == zero);
    }
}

TEST_CASE("exact texts are as short as a person would write") {
    for (const char* text :
         {"1.4 Gbit/s", "86 cycles", "512 MiB", "25 ns", "0.25 cycles/B", "16", "15 %", "0.0067 GUPS", "700 MHz",
          "0.3 ns/B", "1e-9 s", "1000000 B", "123456789012345 B", "1e15 B", "-3 ns"}) {
        CHECK(print(parse_measure(text), true) == text);
    }
    CHECK(print(parse_measure("72/64 * 21/16"), true) == "1.4765625");
    CHECK(print(parse_measure("12345 MHz")) == "12345 MHz");  // short, but no digit of a whole part is lost
    CHECK(print(parse_measure("123.456 MHz")) == "123.5 MHz");
}

TEST_CASE("numbers are written in decimal, as products of fractions too") {
    CHECK(parse_measure("1.4 Gbit/s").value == 0.175e9);
    CHECK(parse_measure("25 ns").value == 25e-9);
    CHECK(parse_measure("72/64").value == 1.125);
    CHECK(parse_measure("72/64 * 21/16").value == 1.4765625);
    CHECK(parse_measure("3/4 ns").value == Approx(0.75e-9));
    CHECK(parse_measure("3/4 /s").value == 0.75);
    CHECK(parse_measure("+.5 s").value == 0.5);
    CHECK(parse_measure("5. s").value == 5);
    CHECK(parse_measure("1E+3 B").value == 1000);
    CHECK(parse_measure("1e-3 s").value == 1e-3);
    CHECK(parse_measure("0e999999999999999999999 s").value == 0);
    CHECK(parse_measure("70 %").value == 0.7);
}

TEST_CASE("what is no quantity is refused with the remedy") {
    CHECK(message_of("") == "an empty text is not a quantity: write a number and a unit, such as '25 ns'");
    CHECK(message_of("  ") == "an empty text is not a quantity: write a number and a unit, such as '25 ns'");
    CHECK(message_of("fast") == "'fast' is not a quantity: write a number and a unit, such as '25 ns'");
    CHECK(message_of("nan") == "'nan' is not a quantity: write a number and a unit, such as '25 ns'");
    CHECK(message_of("inf s") == "'inf s' is not a quantity: write a number and a unit, such as '25 ns'");
    CHECK(message_of("- 5 s") == "'- 5 s' is not a quantity: write a number and a unit, such as '25 ns'");
    CHECK(message_of(".") == "'.' is not a quantity: write a number and a unit, such as '25 ns'");
    CHECK(message_of("3 /") == "unknown unit '/' in '3 /': units are such as 'ns', 'cycles', 'MiB', 'GB/s', 'MHz'");
    CHECK(message_of("3/x s") == "'3/x s' is not a quantity: write a number and a unit, such as '25 ns'");
    CHECK(message_of("0x10 B") ==
          "unknown unit 'x10 B' in '0x10 B': units are such as 'ns', 'cycles', 'MiB', 'GB/s', 'MHz'");
    CHECK(message_of("25 nss") == "unknown unit 'nss' in '25 nss', did you mean 'ns'?");
    CHECK(message_of("700 Mhz") == "unknown unit 'Mhz' in '700 Mhz', did you mean 'MHz'?");
    CHECK(message_of("1.4 Gbps") == "unknown unit 'Gbps' in '1.4 Gbps', did you mean 'Gbit/s'?");
    CHECK(message_of("1e400 s") == "'1e400 s' is too large or too small for a number");
    CHECK(message_of("1e-400 s") == "'1e-400 s' is too large or too small for a number");
    CHECK(message_of("1e300 TB") == "'1e300 TB' is too large or too small for a number");
    CHECK(message_of("1e99999999999999999999 s") ==
          "'1e99999999999999999999 s' is too large or too small for a number");
    CHECK(message_of("1/0 s") == "'1/0 s' divides by zero");
}

TEST_CASE("a text must measure what is asked for") {
    CHECK(parse_time("2 us") == seconds(2e-6));
    CHECK(parse_data("4 KiB") == bytes(4096));
    CHECK(parse_bandwidth("175 MB/s") == Bandwidth(175e6));
    CHECK(parse_rate("0.5 GUPS") == Rate(5e8));
    CHECK_THROWS_WITH(parse_time("4 KiB"), "'4 KiB' is an amount of data, expected a time such as '25 ns'");
    CHECK_THROWS_WITH(parse_data("4"), "'4' is a number without a unit, expected an amount of data such as '512 MiB'");
    CHECK_THROWS_WITH(parse_rate("1 GB/s"), "'1 GB/s' is a bandwidth, expected a frequency such as '700 MHz'");
    CHECK_THROWS_WITH(parse_bandwidth("1 GHz"), "'1 GHz' is a frequency, expected a bandwidth such as '1.4 Gbit/s'");
}

TEST_CASE("values are printed in the unit that suits their size") {
    CHECK(print(seconds(11.77e-6)) == "11.77 µs");
    CHECK(print(seconds(25e-9)) == "25 ns");
    CHECK(print(seconds(2)) == "2 s");
    CHECK(print(seconds(0)) == "0 s");
    CHECK(print(bytes(512 * 1048576.0)) == "512 MiB");
    CHECK(print(bytes(8)) == "8 B");
    CHECK(print(Bandwidth(1.4e9)) == "1.4 GB/s");
    CHECK(print(Rate(15.358e9)) == "15.36 G/s");
    CHECK(print(seconds(999.99e-9)) == "1 µs");
    CHECK(print(parse_measure("104.56789 cycles")) == "104.6 cycles");
}

TEST_CASE("every dimension has a base unit, a name and an example that reads as it") {
    for (const Dimension dimension :
         {Dimension::time, Dimension::cycles, Dimension::data, Dimension::bandwidth, Dimension::frequency,
          Dimension::time_per_byte, Dimension::cycles_per_byte, Dimension::number}) {
        CHECK(parse_measure(example(dimension)).dimension == dimension);
        CHECK_FALSE(base_unit(dimension).empty());
        CHECK_FALSE(describe(dimension).empty());
    }
    CHECK(base_unit(Dimension::frequency) == "1/s");
}

TEST_CASE("a measure with a unit that does not exist is a broken precondition") {
    CHECK_THROWS_AS(print(Measure{1, Dimension::time, "fortnight"}), std::logic_error);
}

}  // namespace narrows
