#include "calibrate/kernels/messages/stream_pattern.hpp"

#include <algorithm>
#include <random>

#include "calibrate/kernels/messages/plan.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

std::string_view name_of(StreamPattern pattern) {
    return name_in(stream_patterns, pattern);
}

StreamPattern parse_stream_pattern(std::string_view name) {
    if (const auto known = value_in<StreamPattern>(stream_patterns, name)) return *known;
    refuse_name("there is no pattern", name, {stream_patterns.begin(), stream_patterns.end()}, Offered::all);
}

StreamRoutes::StreamRoutes(StreamPattern pattern, int ranks) : pattern_(pattern) {
    for (int rank = 0; rank < ranks; ++rank) partner_.push_back(pair_partner(rank, ranks));
    for (int rank = 1; rank < ranks && from_one(pattern); ++rank) others_.push_back(rank);
    if (pattern != StreamPattern::indirect) return;
    // Ten times as many as there are targets, so that each is likely to be among them.
    std::mt19937 random(1);
    for (std::size_t i = 0; i < 10 * others_.size(); ++i) indirection_.push_back(others_[random() % others_.size()]);
}

bool StreamRoutes::sends(int rank) const {
    if (from_one(pattern_)) return rank == 0;
    const int ranks = static_cast<int>(partner_.size());
    return begins(rank, ranks) || (pattern_ == StreamPattern::bidirectional && source(rank) != rank);
}

bool StreamRoutes::receives(int rank) const {
    if (from_one(pattern_)) return rank != 0;
    const int ranks = static_cast<int>(partner_.size());
    return source(rank) != rank && (!begins(rank, ranks) || pattern_ == StreamPattern::bidirectional);
}

std::span<const int> StreamRoutes::targets(int rank) const {
    if (from_one(pattern_)) return others_;
    return {&partner_[static_cast<std::size_t>(rank)], 1};
}

StreamCursor StreamRoutes::cursor(int rank, std::size_t bytes) const {
    if (pattern_ == StreamPattern::indirect) return {indirection_, 1};
    const std::size_t block = stream_block_bytes / std::max<std::size_t>(bytes, 1);
    const bool blocks = pattern_ == StreamPattern::block_cyclic && block > 1;
    return {targets(rank), blocks ? static_cast<int>(block) : 1};
}

int StreamRoutes::messages_to(int rank, int count, std::size_t bytes) const {
    const int from = source(rank);
    if (targets(from).size() == 1) return count;
    StreamCursor order = cursor(from, bytes);
    int messages = 0;
    for (int i = 0; i < count; ++i) messages += order.next() == rank ? 1 : 0;
    return messages;
}

}  // namespace narrows
