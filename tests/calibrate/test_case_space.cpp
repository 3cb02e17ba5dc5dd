#include <catch2/catch.hpp>
#include <functional>
#include <numeric>
#include <random>
#include <set>

#include "calibrate/ranks/mapping.hpp"
#include "calibrate/routing/router_setup.hpp"
#include "calibrate/study/case_space.hpp"
#include "model/gups/residuals.hpp"
#include "model/wavefront/workload.hpp"

namespace narrows {
namespace {

UnitNumbers by_chance(std::uint64_t seed) {
    return [random = std::mt19937_64(seed)]() mutable { return static_cast<double>(random() >> 11) * 0x1p-53; };
}

CaseLimits limits_of(int most_ranks) {
    CaseLimits limits{.workers = 2,
                      .most_ranks = most_ranks,
                      .memory = std::min<std::size_t>(available_memory(), std::size_t{1} << 31)};
    return limits;
}

TEST_CASE("every case drawn can run, within its limits, and has a name that says all of it", "[long]") {
    const int most_ranks = GENERATE(2, 100, 65536);
    const UnitNumbers next = by_chance(1);
    CaseLimits limits = limits_of(most_ranks);
    for (int i = 0; i < 300; ++i) {
        limits.small_page_cost = i % 2 == 0 ? 1 : 4;
        const GupsCase drawn = gups_case_at(next, limits);
        INFO(drawn.name());
        const GupsOptions chosen = checked(drawn.options);
        CHECK(chosen.ranks <= most_ranks);
        CHECK(chosen.bucket == drawn.options.bucket);
        CHECK(chosen.workers == drawn.options.workers);
        const double cost = chosen.pages == PageSize::small ? limits.small_page_cost : 1;
        const double memory = static_cast<double>(limits.memory) / cost;
        CHECK(static_cast<double>(chosen.table_words * 8) <= memory / 2);
        if (chosen.ranks > 2) CHECK(2 * needed_memory(chosen) <= memory);
        const auto again = gups_case_named(drawn.name());
        REQUIRE(again);
        CHECK(again->name() == drawn.name());
        CHECK(again->options.pages == drawn.options.pages);
        CHECK(again->options.shape == drawn.options.shape);
    }
}

TEST_CASE("the model knows what memory a rank's router takes") {
    const auto [shape, bucket] = GENERATE(table<std::vector<int>, int>({{{700}, 1},
                                                                        {{41}, 1},
                                                                        {{400}, 2},
                                                                        {{3, 300}, 1},
                                                                        {{300, 2}, 1},
                                                                        {{2, 863}, 1},
                                                                        {{2, 50, 50}, 4},
                                                                        {{64, 32, 32}, 8},
                                                                        {{10, 10, 10}, 3},
                                                                        {{4, 4, 4}, 85},
                                                                        {{2, 2, 2, 2, 2, 2}, 5}}));
    const int ranks = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
    const RoutePlan plan(shape, Ownership{20, ranks}, bucket);
    constexpr std::size_t router_bytes = 640;
    const RouterSetup setup(plan, RankLayout{ranks, 2}, {}, router_bytes);
    const auto taken = static_cast<double>(setup.block(1) - setup.block(0));
    CHECK(routed_state(shape, bucket).si() == Approx(taken).epsilon(0.15));
    CHECK(static_cast<double>(RouterSetup::memory(plan, RankLayout{ranks, 2}, {}, router_bytes)) >= taken * ranks);
}

TEST_CASE("no more packets are in transit than pairs allow, in so many lines a dimension, with any number of workers") {
    const auto [shape, workers] = GENERATE(table<std::vector<int>, int>(
        {{{2, 2, 33}, 32}, {{2, 2, 2, 2, 17}, 16}, {{2, 2, 2, 9}, 8}, {{2, 2, 6}, 4}, {{3, 300}, 2}, {{4, 4, 4}, 2}}));
    const int in_transit = GENERATE(1, 2);
    const int ranks = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
    const int largest = routed_bucket(shape);
    for (const int bucket : {1, largest}) {
        const RoutePlan plan(shape, Ownership{20, ranks}, bucket);
        RouterOptions options;
        options.in_transit = in_transit;
        const RouterSetup setup(plan, RankLayout{ranks, workers}, options, 640);
        const MailboxPlan& mailboxes = setup.mailbox_plan();
        CHECK(mailboxes.packets_in_transit() * bucket <= in_transit * plan.peer_count() * largest);
        for (std::size_t d = 0; d < shape.size(); ++d) {
            const Channel& channel = mailboxes.channels[d];
            const auto lines = static_cast<int>(mailboxes.slot_words() / line_words);
            CHECK(channel.slots >= 1);
            CHECK(channel.slots * channel.producers * lines <= std::max(96, in_transit * channel.producers * lines));
        }
    }
}

TEST_CASE("the cases drawn are of all kinds", "[long]") {
    const UnitNumbers next = by_chance(2);
    std::set<GupsVariant> variants;
    std::set<std::size_t> dimensions;
    int uneven = 0;
    int long_ones = 0;
    int small_pages = 0;
    for (int i = 0; i < 300; ++i) {
        const GupsOptions& options = gups_case_at(next, limits_of(65536)).options;
        variants.insert(gups_case_at(next, limits_of(65536)).options.variant);
        if (options.variant != GupsVariant::routed) continue;
        dimensions.insert(options.shape.size());
        bool powers_of_two = true;
        for (const int size : options.shape) {
            powers_of_two = powers_of_two && (size & (size - 1)) == 0;
            long_ones += size > 128 ? 1 : 0;
        }
        uneven += powers_of_two ? 0 : 1;
        small_pages += options.pages == PageSize::small ? 1 : 0;
    }
    CHECK(variants.size() == 3);
    CHECK(dimensions.size() >= 5);
    CHECK(uneven > 60);
    CHECK(long_ones > 10);
    CHECK(small_pages > 20);
}

TEST_CASE("every case of Sweep3D that is drawn can be asked for and run") {
    const UnitNumbers next = by_chance(3);
    const int most_ranks = GENERATE(2, 256);
    std::set<int> angles;
    for (int i = 0; i < 300; ++i) {
        const SweepCase drawn = sweep_case_at(next, limits_of(most_ranks));
        INFO(drawn.name());
        CHECK_NOTHROW(check(drawn.query()));
        CHECK_NOTHROW(checked(drawn.options));
        CHECK(drawn.query().ranks() <= most_ranks);
        const auto again = sweep_case_named(drawn.name());
        REQUIRE(again);
        CHECK(again->name() == drawn.name());
        CHECK(again->role == drawn.role);
        angles.insert(drawn.options.problem.angles);
    }
    CHECK(angles == std::set<int>{3, 6});
}

TEST_CASE("words that are no case's name are none") {
    for (const char* words : {"", "route", "route ranks=4", "sweep3d block cells=2x2x2",
                              "route ranks=4 shape=2xx bucket=3 table=64 updates=1 workers=1",
                              "cook ranks=4 shape=2x2 bucket=3 table=64 updates=1 workers=1",
                              "route ranks=4 shape=2x2 bucket=0 table=64 updates=1 workers=1",
                              "route ranks=4 shape=2x2 bucket=3 table=64 updates=1 workers=0",
                              "route ranks=4 shape=2x2 bucket=3 table=64 updates=0 workers=1",
                              "route ranks=4 shape=2x3 bucket=3 table=64 updates=1 workers=1"}) {
        CHECK_FALSE(gups_case_named(words));
        CHECK_FALSE(sweep_case_named(words));
    }
}

}  // namespace
}  // namespace narrows
