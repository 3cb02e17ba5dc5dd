#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

#include "calibrate/kernels/gups/largest_bucket.hpp"

using namespace narrows;

TEST_CASE("the largest bucket is what a search over all buckets finds") {
    constexpr int buckets = 37;
    std::vector<Word> memory(LargestBucket::memory(buckets) / sizeof(Word));
    LargestBucket largest(memory.data(), buckets);
    std::map<int, std::vector<Word>> expected;
    std::mt19937_64 random(1);
    std::array<Word, LargestBucket::capacity> words{};
    for (int step = 0; step < 20000; ++step) {
        if (largest.full() || (largest.pending() > 0 && random() % 50 == 0)) {
            const int bucket = largest.largest();
            for (const auto& [other, content] : expected) {
                REQUIRE(content.size() <= expected[bucket].size());
                REQUIRE(largest.size(other) == static_cast<int>(content.size()));
            }
            const int most = random() % 2 == 0 ? 8 : LargestBucket::capacity;
            const int count = largest.peek(bucket, words.data(), most);
            REQUIRE(count == std::min<int>(most, static_cast<int>(expected[bucket].size())));
            for (int i = 0; i < count; ++i) {
                REQUIRE(words[static_cast<std::size_t>(i)] == expected[bucket].back());
                expected[bucket].pop_back();
            }
            largest.remove(bucket, count);
        } else {
            const int bucket = static_cast<int>(random() % buckets);
            const Word update = random();
            largest.insert(bucket, update);
            expected[bucket].push_back(update);
        }
    }
    std::size_t pending = 0;
    for (const auto& [bucket, content] : expected) pending += content.size();
    CHECK(largest.pending() == static_cast<int>(pending));
}
