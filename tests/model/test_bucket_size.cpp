#include "model/gups/bucket_size.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

#include "data/csv.hpp"
#include "data/library.hpp"

namespace narrows {
namespace {

constexpr int messages = 200000;

struct Size {
    int ranks;
    double mean;
};

// What garg2006 Table 6 would print with more digits.
constexpr std::array sizes = {Size{32, 62.94},   Size{64, 32.40},    Size{128, 16.83},  Size{256, 8.93},
                              Size{512, 4.97},   Size{1024, 2.975},  Size{2048, 1.978}, Size{4096, 1.333},
                              Size{8192, 1.143}, Size{16384, 1.066}, Size{65536, 1.016}};

}  // namespace

TEST_CASE("simulated bucket sizes are those of garg2006 Table 6") {
    const CsvTable published = read_csv(published_directory() / "garg2006" / "table6.csv");
    REQUIRE(published.rows.size() == sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        CAPTURE(sizes[i].ranks);
        REQUIRE(*published.number(i, "nodes") == sizes[i].ranks);
        const double simulated = simulated_bucket_size(sizes[i].ranks, messages, 1);
        CHECK(simulated == Approx(sizes[i].mean).epsilon(0.01));
        CHECK(simulated == Approx(*published.number(i, "mean_bucket_size")).epsilon(0.01));
    }
}

TEST_CASE("the closed form follows the simulation") {
    for (const Size& size : sizes) {
        CAPTURE(size.ranks);
        const double simulated = simulated_bucket_size(size.ranks, messages, 2);
        const double tolerance = size.ranks >= 128 ? 0.012 : 0.035;
        CHECK(mean_bucket_size(size.ranks) == Approx(simulated).epsilon(tolerance));
        CHECK(mean_bucket_size(size.ranks) > simulated * 0.999);  // it errs upwards
    }
}

TEST_CASE("closed form: hand values, one rank, many ranks, other limits of what is pending") {
    CHECK(mean_bucket_size(32) == Approx(65));
    CHECK(mean_bucket_size(1024) == Approx(3));
    CHECK(mean_bucket_size(4096) == Approx(4.0 / 3));
    CHECK(mean_bucket_size(1) == 1024);
    CHECK(mean_bucket_size(1e12) == Approx(1));
    CHECK(mean_bucket_size(64, 32) == Approx(2));
    for (double ranks = 2; ranks < 1e6; ranks *= 1.1) {
        CAPTURE(ranks);
        CHECK(mean_bucket_size(ranks) >= mean_bucket_size(ranks * 1.1));
        CHECK(mean_bucket_size(ranks) >= 1);
    }
    CHECK(mean_bucket_size(std::nextafter(2048, 3000)) == Approx(mean_bucket_size(2048)));
}

TEST_CASE("a whole run: hand values, and the limits of many and of few updates") {
    CHECK(mean_bucket_of_run(2, 2, 1024) == Approx(2 / 1.5));            // 2 updates fill 1.5 of 2 buckets
    CHECK(mean_bucket_of_run(4, 6, 2) == Approx(6 / (4.0 / 2 + 1.75)));  // 4 in twos, then 2 in 1.75 of 4 buckets
    CHECK(mean_bucket_of_run(1e9, 100) == Approx(1).epsilon(1e-6));      // each in a bucket of its own
    CHECK(mean_bucket_of_run(1, 5000) > mean_bucket_of_run(1, 500));     // all in one bucket
    for (const double ranks : {2.0, 32.0, 1000.0, 20000.0}) {
        CAPTURE(ranks);
        CHECK(mean_bucket_of_run(ranks, 1e9) == Approx(mean_bucket_size(ranks)).epsilon(1e-3));
        for (double updates = 1; updates < 1e6; updates *= 3) {
            CAPTURE(updates);
            CHECK(mean_bucket_of_run(ranks, updates) >= 1);
        }
    }
}

TEST_CASE("the simulation is reproducible and knows its limits") {
    CHECK(simulated_bucket_size(100, 1000, 5) == simulated_bucket_size(100, 1000, 5));
    CHECK(simulated_bucket_size(100, 1000, 5) != simulated_bucket_size(100, 1000, 6));
    CHECK(simulated_bucket_size(1, 1000, 5) == 1024);
    CHECK(simulated_bucket_size(7, 1000, 5, 1) == 1);
    CHECK_THROWS_AS(simulated_bucket_size(0, 1, 1), std::logic_error);
    CHECK_THROWS_AS(simulated_bucket_size(1, 0, 1), std::logic_error);
    CHECK_THROWS_AS(simulated_bucket_size(1, 1, 1, 0), std::logic_error);
}

}  // namespace narrows
