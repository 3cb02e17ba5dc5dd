#pragma once

#include <cstdint>

#include "calibrate/transport/word.hpp"

namespace narrows {

/// One rank's buckets of updates, one for every rank, that share room for 1024 updates, and always know the largest:
/// the buckets of each size are a list, so that adding an update and finding the largest bucket take constant time.
/// Lives in memory that its owner provides, zeroed or not.
class LargestBucket {
  public:
    static constexpr int capacity = 1024;
    /// Most buckets, as their numbers are 16 bits wide.
    static constexpr int most_buckets = 65534;

    /// Bytes of memory for `buckets` buckets, a multiple of 64.
    static std::size_t memory(int buckets);

    LargestBucket(void* memory, int buckets);

    int pending() const { return pending_; }
    bool full() const { return pending_ == capacity; }
    int size(int bucket) const { return buckets_[bucket].size; }

    /// Adds an update to a bucket. Precondition: not full.
    void insert(int bucket, Word update) {
        const std::uint16_t node = free_;
        free_ = links_[node];
        words_[node] = update;
        Bucket& b = buckets_[bucket];
        links_[node] = b.first;
        b.first = node;
        ++pending_;
        move(bucket, b.size + 1);
    }

    /// A bucket than which none is larger. Precondition: not empty.
    int largest() const { return of_size_[largest_size_]; }

    /// Copies up to `most` updates of a bucket to `words`, without removing them; returns how many.
    int peek(int bucket, Word* words, int most) const;
    /// Removes the `count` updates of a bucket that `peek` gave.
    void remove(int bucket, int count);

  private:
    static constexpr std::uint16_t none = 0xffff;
    struct Bucket {
        std::uint16_t first;
        std::uint16_t size;
        std::uint16_t before;
        std::uint16_t after;
    };

    // Takes a bucket from the list of its size to that of `size`.
    void move(int bucket, int size) {
        Bucket& b = buckets_[bucket];
        unlink(b);
        b.size = static_cast<std::uint16_t>(size);
        b.before = none;
        b.after = of_size_[size];
        if (b.after != none) buckets_[b.after].before = static_cast<std::uint16_t>(bucket);
        of_size_[size] = static_cast<std::uint16_t>(bucket);
        if (size > largest_size_) largest_size_ = size;
        while (largest_size_ > 0 && of_size_[largest_size_] == none) --largest_size_;
    }
    void unlink(const Bucket& b) {
        if (b.before != none) {
            buckets_[b.before].after = b.after;
        } else {
            of_size_[b.size] = b.after;
        }
        if (b.after != none) buckets_[b.after].before = b.before;
    }

    Word* words_;
    std::uint16_t* links_;
    std::uint16_t* of_size_;
    Bucket* buckets_;
    int pending_ = 0;
    int largest_size_ = 0;
    std::uint16_t free_ = 0;
};

}  // namespace narrows
