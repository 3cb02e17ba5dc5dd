#include <catch2/catch.hpp>

#include "model/machine.hpp"
#include "model/schema.hpp"
#include "tests/error_of.hpp"

namespace narrows {
namespace {

/// What an error says behind `unknown unit ... in '...'`.
std::string remedy(const std::string& text, std::optional<Dimension> expected = std::nullopt) {
    const std::string message = error_of([&] { parse_measure(text, expected); });
    const std::string quoted = "in '" + text + "'";
    const auto at = message.find(quoted);
    return at == std::string::npos ? message : message.substr(at + quoted.size());
}

}  // namespace

TEST_CASE("a unit is suggested by what was meant: bits stay bits, and G stays G") {
    const auto meant = [](const std::string& unit) { return ", did you mean '" + unit + "'?"; };
    for (const char* spelt : {"400 Gb/s", "400 Gbps", "400 gbps", "400 Gb", "400 GBit/s", "400 Gbit", "400 Gbits/s",
                              "400 gigabits/second", "400 Gbit/sec"}) {
        CHECK(remedy(spelt) == meant("Gbit/s"));
        CHECK(remedy(spelt, Dimension::bandwidth) == meant("Gbit/s"));
    }
    CHECK(remedy("10 GBps") == meant("GB/s"));
    CHECK(remedy("10 megabytes/s") == meant("MB/s"));
    CHECK(remedy("10 megabytes", Dimension::bandwidth) == meant("MB/s"));
    CHECK(remedy("10 megabytes", Dimension::data) == meant("MB"));
    CHECK(remedy("10 Mib/s").find("MiB/s") == std::string::npos);
    CHECK(remedy("10 kb/s") == meant("kbit/s"));
    CHECK(remedy("10 Kbytes") == meant("KB"));
    CHECK(remedy("700 mhz") == meant("MHz"));
    CHECK(remedy("2 microseconds") == meant("us"));
    CHECK(remedy("2 \u03bcs") == meant("us"));
    CHECK(remedy("2 msec") == meant("ms"));
    CHECK(remedy("2 Cycles") == meant("cycles"));
    CHECK(remedy("25 nss") == meant("ns"));
    CHECK(remedy("25 cylces") == meant("cycles"));
}

TEST_CASE("a prefix alone is asked back by what is expected") {
    CHECK(remedy("1M", Dimension::data) == ", did you mean 'MB' or 'MiB'?");
    CHECK(remedy("1k", Dimension::data) == ", did you mean 'KB' or 'KiB'?");
    CHECK(remedy("1m", Dimension::data) == ", did you mean 'MB' or 'MiB'?");
    CHECK(remedy("1G", Dimension::bandwidth) == ", did you mean 'GB/s', 'GiB/s' or 'Gbit/s'?");
    CHECK(remedy("1M", Dimension::frequency) == ", did you mean 'MHz', 'M/s', 'Mflop/s' or 'MUPS'?");
    CHECK(remedy("1m", Dimension::time) == ", did you mean 'ms'?");
    CHECK(remedy("1M") == ": units are such as 'ns', 'cycles', 'MiB', 'GB/s', 'MHz'");
}

TEST_CASE("where no unit means it, none is suggested but how to write it") {
    CHECK(remedy("1M", Dimension::number) == ": a number without a unit is written like '2'");
    CHECK(remedy("1 KiB/s", Dimension::bandwidth) == ": a bandwidth is written like '1.4 Gbit/s'");
    CHECK(remedy("1 Gb", Dimension::data) == ": an amount of data is in bytes, of 8 bits each, such as '512 MiB'");
    CHECK(remedy("1 PB", Dimension::data) == ": an amount of data is written like '512 MiB'");
    CHECK(remedy("1 /") == ": units are such as 'ns', 'cycles', 'MiB', 'GB/s', 'MHz'");
    CHECK(remedy("1 GB/s", Dimension::data) == "no error");
}

TEST_CASE("a place of a machine file suggests units of its kind") {
    const auto message = [](const char* path, const char* text) {
        return error_of([&] { parse_value(*schema_row(path), text); });
    };
    CHECK(message("network.link.bandwidth", "400 Gb/s") == "unknown unit 'Gb/s' in '400 Gb/s', did you mean 'Gbit/s'?");
    CHECK(message("node.memory.size", "1M") == "unknown unit 'M' in '1M', did you mean 'MB' or 'MiB'?");
    CHECK(message("node.clock", "1G") == "unknown unit 'G' in '1G', did you mean 'GHz', 'G/s', 'Gflop/s' or 'GUPS'?");
    CHECK(message("node.memory.latency", "86 clk").starts_with("unknown unit 'clk' in '86 clk'"));
}

}  // namespace narrows
