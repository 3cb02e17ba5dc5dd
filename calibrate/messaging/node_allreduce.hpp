#pragma once

#include <algorithm>
#include <cstddef>

#include "calibrate/messaging/collectives.hpp"

namespace narrows {

// Allreduce of nodes of several ranks each, as kumar2008 (Section 3.3.1) has it in quad mode. Members i·size to
// (i + 1)·size − 1 are a node, the last node may be smaller. Between the nodes, in place of the collective network, one
// rank of each takes part in an allreduce by recursive doubling.

/// A member's node, as a part of its communicator.
struct NodeOfMembers {
    /// Of `member` among `members`; nodes of `size` members, at least 1.
    NodeOfMembers(int member, int members, int size)
        : first(member / size * size), count(std::min(size, members - first)) {}

    int first;
    int count;

    int last() const { return first + count - 1; }
};

/// The members of a communicator that stand for their nodes: a member for recursive doubling, numbered by nodes.
class NodeLeaders final : public Member {
  public:
    /// Every `stride`th of the members, at `place` within its node, or the node's last if that has fewer.
    NodeLeaders(Member& member, int stride, int place)
        : Member(member.me() / stride, (member.size() + stride - 1) / stride),
          member_(member),
          stride_(stride),
          place_(place) {}

    void send(int to, const void* data, std::size_t bytes) override { member_.send(leader(to), data, bytes); }
    void receive(int from, void* data, std::size_t bytes) override { member_.receive(leader(from), data, bytes); }
    void wait_until(const std::function<bool()>& done) override { member_.wait_until(done); }
    void compute_meanwhile(Background* work) override { member_.compute_meanwhile(work); }

  private:
    int leader(int node) const { return std::min(node * stride_ + place_, member_.size() - 1); }

    Member& member_;
    int stride_;
    int place_;
};

// The result of a node from the member who has it to the node's others.
inline void spread_in_node(Member& member, const NodeOfMembers& node, int from, void* data, std::size_t bytes) {
    if (member.me() != from) return member.receive(from, data, bytes);
    for (int to = node.first; to <= node.last(); ++to) {
        if (to != from) member.send(to, data, bytes);
    }
}

/// For short vectors: all of a node send to its first member, who combines, takes part between the nodes, and sends
/// the result to them. `scratch` is as long as `data`; the operation is commutative.
template <class T, class Operation>
void allreduce_direct(Member& member, int node_size, T* data, T* scratch, std::size_t count,
                      const Operation& operation) {
    const NodeOfMembers node(member.me(), member.size(), node_size);
    const std::size_t bytes = count * sizeof(T);
    if (member.me() != node.first) {
        member.send(node.first, data, bytes);
    } else {
        for (int from = node.first + 1; from <= node.last(); ++from) {
            member.receive(from, scratch, bytes);
            combine(data, scratch, count, operation);
        }
        NodeLeaders leaders(member, node_size, 0);
        allreduce_doubling(leaders, data, scratch, count, operation);
    }
    spread_in_node(member, node, node.first, data, bytes);
}

/// For long vectors: fragments of at most `fragment` elements go along the node's members, each of which adds its own;
/// the last one takes part between the nodes and gives the result to the first, who sends it to the others. The first
/// has at most as many fragments under way as the others can hold, one each, so that synchronous sends do not deadlock.
template <class T, class Operation>
void allreduce_node_ring(Member& member, int node_size, std::size_t fragment, T* data, T* scratch, std::size_t count,
                         const Operation& operation) {
    const NodeOfMembers node(member.me(), member.size(), node_size);
    const int me = member.me();
    const std::size_t fragments = (count + fragment - 1) / fragment;
    const auto begin = [&](std::size_t number) { return std::min(count, number * fragment); };
    const auto elements = [&](std::size_t number) { return begin(number + 1) - begin(number); };
    const auto bytes = [&](std::size_t number) { return elements(number) * sizeof(T); };
    NodeLeaders leaders(member, node_size, node_size - 1);
    const auto result_of = [&](std::size_t number) {
        member.receive(node.last(), data + begin(number), bytes(number));
    };
    const auto held = static_cast<std::size_t>(node.count - 1);
    for (std::size_t number = 0; number < fragments; ++number) {
        T* part = data + begin(number);
        if (me != node.first) {
            member.receive(me - 1, scratch, bytes(number));
            combine(part, scratch, elements(number), operation);
        }
        if (me == node.last()) allreduce_doubling(leaders, part, scratch, elements(number), operation);
        if (node.count == 1) continue;
        if (me == node.first && number >= held) result_of(number - held);
        member.send(me == node.last() ? node.first : me + 1, part, bytes(number));
    }
    if (node.count == 1) return;
    if (me == node.first) {
        for (std::size_t number = fragments - std::min(fragments, held); number < fragments; ++number)
            result_of(number);
    }
    if (me == node.last()) return;  // it had the result first
    if (me != node.first) return member.receive(node.first, data, count * sizeof(T));
    for (int to = node.first + 1; to < node.last(); ++to) member.send(to, data, count * sizeof(T));
}

/// Bytes up to which direct reduce is taken, and a fragment of the ring above (kumar2008, Section 4.2: 512 integers; it
/// gives no fragment).
inline constexpr std::size_t most_direct_bytes = 2048;

/// Either of the two, `Algorithm::node` by the size of the vector.
template <class T, class Operation>
void allreduce_by_nodes(Member& member, Algorithm how, int node_size, T* data, T* scratch, std::size_t count,
                        const Operation& operation) {
    const bool is_short = count * sizeof(T) <= most_direct_bytes;
    if (how == Algorithm::node_direct || (how == Algorithm::node && is_short)) {
        allreduce_direct(member, node_size, data, scratch, count, operation);
    } else {
        allreduce_node_ring(member, node_size, most_direct_bytes / sizeof(T), data, scratch, count, operation);
    }
}

}  // namespace narrows
