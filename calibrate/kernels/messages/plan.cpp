#include "calibrate/kernels/messages/plan.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include "calibrate/kernels/messages/record_bytes.hpp"

namespace narrows {

std::size_t SamplePlan::most_bytes() const {
    std::size_t most = 0;
    for (const SampleOfSize& sample : samples) most = std::max(most, sample.bytes);
    return most;
}

void RankRecord::prepare(const SamplePlan& plan) {
    seconds.reserve(plan.samples.size());
    out.resize(plan.most_bytes());
    in.resize(plan.most_bytes());
}

void CoreTime::add(const CoreTime& other) {
    awake_seconds += other.awake_seconds;
    processor_seconds += other.processor_seconds;
    involuntary_switches += other.involuntary_switches;
    crowded = crowded || other.crowded;
}

void RankRecord::add(const RankRecord& other, bool slowest) {
    checked += other.checked;
    errors += other.errors;
    cores.add(other.cores);
    if (!slowest) return;
    seconds.resize(std::min(seconds.size(), other.seconds.size()));  // of ranks that were cut off, what all have taken
    for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] = std::max(seconds[i], other.seconds[i]);
}

std::string write_record(const RankRecord& record) {
    return bytes_of_record<RankTotals>(record, record.seconds);
}

RankRecord read_record(const std::string& bytes) {
    RankRecord record;
    read_record_bytes<RankTotals>(bytes, record, record.seconds);
    return record;
}

SamplePlan sample_plan(const std::vector<std::size_t>& sizes, int repeats, int most_messages, std::uint64_t seed) {
    // A message costs about as much as this many bytes beside its own.
    constexpr double bytes_of_overhead = 2000;
    const int least_messages = std::min(4, most_messages);
    SamplePlan plan;
    for (const std::size_t bytes : sizes) {
        const double share = bytes_of_overhead / (bytes_of_overhead + static_cast<double>(bytes));
        const int messages = std::max(least_messages, static_cast<int>(most_messages * share));
        plan.samples.insert(plan.samples.end(), static_cast<std::size_t>(repeats), {bytes, messages});
    }
    std::mt19937_64 random(seed);
    std::shuffle(plan.samples.begin(), plan.samples.end(), random);
    return plan;
}

int pair_partner(int rank, int ranks) {
    const int apart = (ranks + 1) / 2;  // no block of ranks is longer, if there are two workers or more
    if (rank < ranks / 2) return rank + apart;
    return rank >= apart ? rank - apart : rank;
}

bool begins(int rank, int ranks) {
    return rank < ranks / 2;
}

namespace {

// Words of bytes: a byte at a time takes ten times as long as many a message.
std::uint64_t pattern_word(std::size_t index, std::uint64_t seed) {
    const std::uint64_t mixed = index * 0x9e3779b97f4a7c15U + seed * 0xbf58476d1ce4e5b9U;
    return mixed ^ (mixed >> 32);
}

}  // namespace

void fill_pattern(std::byte* data, std::size_t bytes, std::uint64_t seed) {
    constexpr std::size_t word = sizeof(std::uint64_t);
    for (std::size_t i = 0; i < bytes / word; ++i) {
        const std::uint64_t pattern = pattern_word(i, seed);
        std::memcpy(data + i * word, &pattern, word);
    }
    if (bytes % word == 0) return;
    const std::uint64_t last = pattern_word(bytes / word, seed);
    std::memcpy(data + bytes / word * word, &last, bytes % word);
}

bool has_pattern(const std::byte* data, std::size_t bytes, std::uint64_t seed) {
    constexpr std::size_t word = sizeof(std::uint64_t);
    std::uint64_t differences = 0;
    for (std::size_t i = 0; i < bytes / word; ++i) {
        std::uint64_t found = 0;
        std::memcpy(&found, data + i * word, word);
        differences |= found ^ pattern_word(i, seed);
    }
    if (differences != 0 || bytes % word == 0) return differences == 0;
    const std::uint64_t last = pattern_word(bytes / word, seed);
    return std::memcmp(data + bytes / word * word, &last, bytes % word) == 0;
}

}  // namespace narrows
