#include <catch2/catch.hpp>

#include "cli/value_list.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

using Catch::Contains;
using Whole = std::vector<std::int64_t>;

Whole values(const std::string& list, bool includes_end = false) {
    const auto read = [](const std::string& text) { return parse_count(text, "size", 0, 1'000'000'000); };
    return whole_values("-n", list, read, includes_end);
}

TEST_CASE("a list has single values, ranges by ratio, difference and count, and goes on") {
    CHECK(values("7") == Whole{7});
    CHECK(values("64, 8 ,1") == Whole{64, 8, 1});
    CHECK(values("8..64") == Whole{8, 16, 32, 64});
    CHECK(values(" 8 .. 100") == Whole{8, 16, 32, 64});
    CHECK(values("64..8*0.5") == Whole{64, 32, 16, 8});
    CHECK(values("10..40*1.5") == Whole{10, 15, 23, 34});
    CHECK(values("0..24+8,100") == Whole{0, 8, 16, 24, 100});
    CHECK(values("10..30:3") == Whole{10, 20, 30});
    CHECK(values("1..8:15") == Whole{1, 2, 3, 4, 5, 6, 7, 8});  // each once
    CHECK(values("32,64,..512") == Whole{32, 64, 128, 256, 512});
    CHECK(values("3,9,..100") == Whole{3, 9, 27, 81});
    CHECK(values("64,32,..8") == Whole{64, 32, 16, 8});
}

TEST_CASE("a list that goes on ends where its last value is reached, and may include it") {
    CHECK(values("32,64,..64") == Whole{32, 64});
    CHECK(values("32,64,..100") == Whole{32, 64});
    CHECK(values("32,64,..100", true) == Whole{32, 64, 100});
    CHECK(values("8..100", true) == Whole{8, 16, 32, 64, 100});
    CHECK(values("8..64", true) == Whole{8, 16, 32, 64});
    CHECK(values("8..100*2", true) == Whole{8, 16, 32, 64});
}

TEST_CASE("what is wrong in a list is told with its part") {
    const auto told = [](const std::string& list, const char* why) {
        CAPTURE(list);
        CHECK_THROWS_WITH(values(list), Contains(why));
    };
    told("8,,16", "lacks a value beside a comma");
    told("8,x", "'x' is not a whole number");
    told("..64", "'..' needs a value before it");
    told("8..", "'8..' has no end");
    told("8..64*", "has no step behind its '*'");
    told("8,64..8", "'64..8': the steps never reach the last value");
    told("64,32,..128", "'..128': the steps");
    told("8..64+0", "'8..64+0': the steps");
    told("0..64", "'0..64': steps by a factor need values above zero");
    told("8..64*2 B", "a ratio has no unit");
    told("8..64:1", "out of range: give one from 2");
    told("5,10,15,..60", "write a difference, such as 5..60+5");
    told("1..1000000000+1", "1000000000 values are more than 1000000");
}

}  // namespace
}  // namespace narrows
