#include "calibrate/kernels/gups/largest_bucket.hpp"

namespace narrows {

namespace {
constexpr std::size_t words_bytes = LargestBucket::capacity * sizeof(Word);
constexpr std::size_t links_bytes = LargestBucket::capacity * sizeof(std::uint16_t);
constexpr std::size_t sizes_bytes = (LargestBucket::capacity + 32) * sizeof(std::uint16_t);
}  // namespace

std::size_t LargestBucket::memory(int buckets) {
    const std::size_t bytes =
        words_bytes + links_bytes + sizes_bytes + static_cast<std::size_t>(buckets) * sizeof(Bucket);
    return (bytes + 63) / 64 * 64;
}

LargestBucket::LargestBucket(void* memory, int buckets) {
    auto* bytes = static_cast<std::byte*>(memory);
    words_ = reinterpret_cast<Word*>(bytes);
    links_ = reinterpret_cast<std::uint16_t*>(bytes + words_bytes);
    of_size_ = reinterpret_cast<std::uint16_t*>(bytes + words_bytes + links_bytes);
    buckets_ = reinterpret_cast<Bucket*>(bytes + words_bytes + links_bytes + sizes_bytes);
    for (int node = 0; node < capacity; ++node) links_[node] = static_cast<std::uint16_t>(node + 1);
    links_[capacity - 1] = none;
    for (int size = 0; size <= capacity; ++size) of_size_[size] = none;
    for (int bucket = 0; bucket < buckets; ++bucket) {
        const auto before = static_cast<std::uint16_t>(bucket == 0 ? none : bucket - 1);
        const auto after = static_cast<std::uint16_t>(bucket + 1 == buckets ? none : bucket + 1);
        buckets_[bucket] = {none, 0, before, after};
    }
    of_size_[0] = 0;
}

int LargestBucket::peek(int bucket, Word* words, int most) const {
    int count = 0;
    for (std::uint16_t node = buckets_[bucket].first; node != none && count < most; node = links_[node]) {
        words[count++] = words_[node];
    }
    return count;
}

void LargestBucket::remove(int bucket, int count) {
    Bucket& b = buckets_[bucket];
    for (int i = 0; i < count; ++i) {
        const std::uint16_t node = b.first;
        b.first = links_[node];
        links_[node] = free_;
        free_ = node;
    }
    pending_ -= count;
    move(bucket, b.size - count);
}

}  // namespace narrows
