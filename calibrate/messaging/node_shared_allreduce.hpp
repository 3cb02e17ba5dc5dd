#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "calibrate/messaging/node_allreduce.hpp"
#include "calibrate/messaging/node_segments.hpp"

namespace narrows {

/// A vector in the fragments of a queue, which a member passes one after the other.
template <class T>
class FragmentsOf {
  public:
    FragmentsOf(FragmentQueue& queue, int place, T* data, std::size_t count)
        : queue_(queue), place_(place), data_(data), count_(count), first_(queue.passed(place)) {}

    /// Calls `step(own, shared, elements)` for each fragment, of the member's vector and of the queue, once
    /// `is_ready(number)`.
    template <class Ready, class Step>
    void pass(Member& member, const Ready& is_ready, const Step& step) {
        const std::size_t most = queue_.fragment_bytes() / sizeof(T);
        std::uint64_t number = first_;
        for (std::size_t begin = 0; begin < count_; begin += most, ++number) {
            member.wait_until([&] { return is_ready(number); });
            step(data_ + begin, reinterpret_cast<T*>(queue_.fragment(number)), std::min(most, count_ - begin));
            queue_.pass(place_);
        }
    }

  private:
    FragmentQueue& queue_;
    int place_;
    T* data_;
    std::size_t count_;
    std::uint64_t first_;
};

/// Leaves what all of a node have, combined, in `data` of its last member: the first copies its vector into the queue,
/// those between combine theirs with what is there, the last one takes it out.
template <class T, class Operation>
void combine_in_segment(Member& member, FragmentQueue& queue, int place, int last, T* data, std::size_t count,
                        const Operation& operation) {
    FragmentsOf<T> fragments(queue, place, data, count);
    const auto has_room = [&](std::uint64_t number) { return queue.has_room(number, 0); };
    const auto has_come = [&](std::uint64_t number) { return queue.passed(place - 1) > number; };
    if (place == 0) {
        fragments.pass(member, has_room, [](T* own, T* shared, std::size_t n) { std::copy_n(own, n, shared); });
    } else if (place < last) {
        fragments.pass(member, has_come, [&](T* own, T* shared, std::size_t n) { combine(shared, own, n, operation); });
    } else {
        fragments.pass(member, has_come, [&](T* own, T* shared, std::size_t n) { combine(own, shared, n, operation); });
    }
}

/// Gives what the last member has to the others of its node.
template <class T>
void spread_in_segment(Member& member, FragmentQueue& queue, int place, int last, T* data, std::size_t count) {
    FragmentsOf<T> fragments(queue, place, data, count);
    if (place == last) {
        fragments.pass(
            member, [&](std::uint64_t number) { return queue.has_room(number, last); },
            [](T* own, T* shared, std::size_t n) { std::copy_n(own, n, shared); });
    } else {
        fragments.pass(
            member, [&](std::uint64_t number) { return queue.passed(last) > number; },
            [](T* own, T* shared, std::size_t n) { std::copy_n(shared, n, own); });
    }
}

/// Allreduce of nodes whose members share memory (kumar2008, Section 3.3.2): they combine in a pipeline through their
/// segment, the last takes part between the nodes with the whole result, and copies it into the segment for the
/// others. `scratch` is as long as `data`; the operation is commutative. Only where the members of a node do share
/// memory.
template <class T, class Operation>
void allreduce_node_shared(Member& member, const NodeSegments& segments, T* data, T* scratch, std::size_t count,
                           const Operation& operation) {
    const NodeOfMembers node(member.me(), member.size(), segments.node_size());
    NodeSegment& segment = segments.of(member.me());
    const int place = member.me() - node.first;
    const int last = node.count - 1;
    if (last > 0) combine_in_segment(member, segment.combined, place, last, data, count, operation);
    if (place == last) {
        NodeLeaders leaders(member, segments.node_size(), segments.node_size() - 1);
        allreduce_doubling(leaders, data, scratch, count, operation);
    }
    if (last > 0) spread_in_segment(member, segment.result, place, last, data, count);
}

}  // namespace narrows
