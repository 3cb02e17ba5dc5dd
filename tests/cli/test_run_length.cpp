#include "calibrate/study/run_length.hpp"

#include <catch2/catch.hpp>

namespace narrows {
namespace {

/// A link over which a unit takes so long, behind a start.
struct Pace {
    double start = 0;
    double unit = 0;
    std::vector<std::uint64_t> runs = {};

    std::uint64_t length(const RunLength& length) {
        const auto run = [this](std::uint64_t units) {
            runs.push_back(units);
            return start + unit * static_cast<double>(units);
        };
        return length_in_time(length, run, [](const Launch::Numbers& own) { return own; });
    }
    double spent() const {
        double sum = 0;
        for (const std::uint64_t units : runs) sum += start + unit * static_cast<double>(units);
        return sum;
    }
};

}  // namespace

TEST_CASE("run length: the usual one where it is over in time") {
    Pace fast{1e-3, 1e-8};
    CHECK(fast.length({1 << 24, 4096}) == 1 << 24);
    CHECK(fast.spent() < 1);
    CHECK(fast.length({100, 100}) == 100);  // the first short run would be all of it
}

TEST_CASE("run length: on a slow link all ends within some ten seconds") {
    const double unit = GENERATE(1e-6, 1e-5, 1e-4, 1e-3, 1e-2);
    CAPTURE(unit);
    Pace slow{0, unit};
    const std::uint64_t length = slow.length({1 << 24, 512});
    CHECK(length < 1 << 24);
    CHECK(static_cast<double>(length) * unit + slow.spent() < 13);
    CHECK(static_cast<double>(length) * unit > 6);
}

TEST_CASE("run length: one iteration at least, however long it takes") {
    Pace slow{0, 30};
    CHECK(slow.length({12, 1}) == 1);
    CHECK(slow.runs == std::vector<std::uint64_t>{1});
    Pace middling{0, 2};
    CHECK(middling.length({12, 1}) == 3);
}

TEST_CASE("run length: what rank 0 says counts, not what another measured") {
    const auto said = [](const Launch::Numbers& /*own*/) { return Launch::Numbers{0, 77}; };
    CHECK(length_in_time(
              {1000, 10}, [](std::uint64_t) { return 0.0; }, said) == 77);
}

}  // namespace narrows
