#include "model/gups/bucket_size.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace narrows {
namespace {

// Buckets filed by their size, so that the largest is found and emptied in constant time.
class Buckets {
  public:
    Buckets(int count, int capacity) : size_(count, 0), place_(count), filed_(capacity + 1) {
        for (int bucket = 0; bucket < count; ++bucket) file(bucket);
    }

    void add(int bucket) {
        take_out(bucket);
        ++size_[bucket];
        file(bucket);
        largest_ = std::max(largest_, size_[bucket]);
    }

    int empty_largest() {
        while (filed_[largest_].empty()) --largest_;
        const int bucket = filed_[largest_].back();
        take_out(bucket);
        size_[bucket] = 0;
        file(bucket);
        return largest_;
    }

  private:
    void file(int bucket) {
        auto& shelf = filed_[size_[bucket]];
        place_[bucket] = static_cast<int>(shelf.size());
        shelf.push_back(bucket);
    }

    void take_out(int bucket) {
        auto& shelf = filed_[size_[bucket]];
        shelf[place_[bucket]] = shelf.back();
        place_[shelf.back()] = place_[bucket];
        shelf.pop_back();
    }

    std::vector<int> size_;
    std::vector<int> place_;
    std::vector<std::vector<int>> filed_;
    int largest_ = 0;
};

}  // namespace

double mean_bucket_size(double ranks, double pending) {
    if (ranks < 2) return pending;
    return ranks <= 2 * pending ? 1 + 2 * pending / ranks : 1 / (1 - pending / ranks);
}

double mean_bucket_of_run(double ranks, double updates_of_rank, double pending) {
    const double held = std::min(updates_of_rank, pending);
    const double last = ranks * -std::expm1(held * std::log1p(-1 / std::max(ranks, 1 + 1e-9)));
    const double steady = mean_bucket_size(ranks, pending);
    return std::max(1.0, updates_of_rank / ((updates_of_rank - held) / steady + last));
}

double simulated_bucket_size(int ranks, int messages, std::uint64_t seed, int pending) {
    if (ranks < 1 || messages < 1 || pending < 1) throw std::logic_error("a simulation needs ranks and messages");
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<int> any(0, ranks - 1);
    Buckets buckets(ranks, pending);
    const int warm_up = std::max(ranks, pending);
    double sent = 0;
    int held = 0;
    for (int message = -warm_up; message < messages; ++message) {
        for (; held < pending; ++held) buckets.add(any(random));
        const int size = buckets.empty_largest();
        held -= size;
        if (message >= 0) sent += size;
    }
    return sent / messages;
}

}  // namespace narrows
