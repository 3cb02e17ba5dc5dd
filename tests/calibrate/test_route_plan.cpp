#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <vector>

#include "calibrate/routing/route_plan.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

namespace {

int product(const std::vector<int>& shape) {
    return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
}

}  // namespace

TEST_CASE("entries are owned in order, in shares that differ by at most one") {
    for (const int ranks : {1, 2, 3, 7, 30, 64, 1000, 1024}) {
        const Ownership ownership{10, ranks};
        CHECK(ownership.first_entry(0) == 0);
        CHECK(ownership.first_entry(ranks) == 1024);
        for (int rank = 0; rank < ranks; ++rank) {
            const Word first = ownership.first_entry(rank);
            const Word last = ownership.first_entry(rank + 1);
            REQUIRE(last - first - 1024 / static_cast<Word>(ranks) <= 1);
            for (Word entry = first; entry < last; ++entry) REQUIRE(ownership.owner(entry + Word{1024} * 77) == rank);
        }
    }
}

TEST_CASE("a word reaches its owner, each hop along a later dimension than the one before") {
    const std::vector<int> shape =
        GENERATE(std::vector<int>{1}, std::vector<int>{7}, std::vector<int>{4, 4, 2}, std::vector<int>{3, 5, 2},
                 std::vector<int>{1, 1, 4}, std::vector<int>(10, 2), std::vector<int>{6, 1, 9});
    const RoutePlan plan(shape, {14, product(shape)}, 0);
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 2000; ++trial) {
        const Word word = random();
        const int owner = plan.ownership().owner(word);
        int rank = static_cast<int>(random() % static_cast<unsigned>(product(shape)));
        int from = 0;
        while (rank != owner) {
            const int bucket = plan.next_bucket(word, plan.packed(rank), plan.own_bucket(rank), from);
            const int d = plan.dimension_of_bucket(bucket);
            const RouteDimension& dimension = plan.dimensions()[static_cast<std::size_t>(d)];
            REQUIRE(d >= from);
            REQUIRE(bucket != plan.own_bucket(rank));
            rank = plan.neighbour(rank, d, bucket - dimension.first_bucket);
            REQUIRE(plan.coordinate(rank, d) == plan.coordinate(owner, d));
            from = d + 1;
        }
        CHECK(plan.next_bucket(word, plan.packed(rank), plan.own_bucket(rank), 0) == plan.own_bucket(rank));
    }
}

TEST_CASE("a bucket holds what garg2006 says, 1024 over the sum of the sizes") {
    CHECK(RoutePlan({64, 32, 32}, {20, 65536}, 0).bucket_words() == 8);
    CHECK(RoutePlan({4, 4, 2}, {20, 32}, 0).bucket_words() == 102);
    CHECK(RoutePlan({2}, {20, 2}, 0).bucket_words() == 512);
    CHECK(RoutePlan({2}, {20, 2}, 17).bucket_words() == 17);
    CHECK(RoutePlan({64, 32, 32}, {20, 65536}, 0).bucket_count() == 128);
    CHECK(RoutePlan({64, 32, 32}, {20, 65536}, 0).peer_count() == 125);
}

TEST_CASE("shapes and buckets that cannot be are refused with the remedy") {
    CHECK_THROWS_WITH(RoutePlan({3, 2}, {20, 7}, 0),
                      "shape 3x2 does not have 7 ranks: make the product of its sizes the number of ranks");
    CHECK_THROWS_WITH(RoutePlan({}, {20, 7}, 0),
                      "shape '' does not have 7 ranks: make the product of its sizes the number of ranks");
    CHECK_THROWS_WITH(RoutePlan({0, 2}, {20, 7}, 0), "shape 0x2 has a size below 1");
    CHECK_THROWS_WITH(RoutePlan({4, 4}, {20, 16}, 129),
                      "a bucket of 129 updates is not possible: the shape needs 8 buckets, and a rank may hold 1024 "
                      "updates, so give 1 to 128");
    CHECK_THROWS_WITH(RoutePlan({2048}, {20, 2048}, 0),
                      "the shape's sizes add up to 2048, but a rank may hold 1024 updates, one a bucket: give more "
                      "dimensions of smaller sizes");
    CHECK_THROWS_AS(RoutePlan(std::vector<int>(25, 1), {20, 1}, 0), InputError);
}
