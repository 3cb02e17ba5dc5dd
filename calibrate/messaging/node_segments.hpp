#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace narrows {

/// How much of a vector the members of a node have under way in their segment at once.
struct SegmentShape {
    std::size_t fragment_bytes = 8192;  ///< whole cache lines
    std::size_t fragments = 16;         ///< all together 128 KiB: kumar2008, Section 4.2, has its peak at 32 K integers

    std::size_t bytes() const { return fragment_bytes * fragments; }
    /// No more than vectors of `most_bytes` fill.
    static SegmentShape up_to(std::size_t most_bytes) {
        constexpr std::size_t line = 64;
        SegmentShape shape;
        shape.fragment_bytes = std::clamp((most_bytes + line - 1) / line * line, line, shape.fragment_bytes);
        const std::size_t whole = (most_bytes + shape.fragment_bytes - 1) / shape.fragment_bytes;
        shape.fragments = std::clamp(whole, std::size_t{1}, shape.fragments);
        return shape;
    }
};

/// A circular queue without locks, which each member of a node passes in the same order. How many fragments a member
/// has passed only it writes, and never sets back: one use of the queue goes on where the last one ended.
class FragmentQueue {
  public:
    FragmentQueue(int members, const SegmentShape& shape)
        : shape_(shape), lines_(shape.bytes() / sizeof(Line)), passed_(static_cast<std::size_t>(members)) {}

    std::size_t fragment_bytes() const { return shape_.fragment_bytes; }
    std::byte* fragment(std::uint64_t number) {
        return lines_[number % shape_.fragments * (shape_.fragment_bytes / sizeof(Line))].bytes;
    }
    std::uint64_t passed(int place) const { return at(place).load(std::memory_order_acquire); }
    /// The member at `place` is done with its next fragment.
    void pass(int place) { at(place).store(at(place).load(std::memory_order_relaxed) + 1, std::memory_order_release); }
    /// Whether nobody but `writer` needs what fragment `number` overwrites.
    bool has_room(std::uint64_t number, int writer) const {
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max() - shape_.fragments;
        for (int place = 0; place < static_cast<int>(passed_.size()); ++place) {
            if (place != writer) least = std::min(least, passed(place));
        }
        return number < least + shape_.fragments;
    }

  private:
    struct alignas(64) Line {
        std::byte bytes[64];
    };
    struct alignas(64) Count {
        std::atomic<std::uint64_t> value{0};
    };

    std::atomic<std::uint64_t>& at(int place) { return passed_[static_cast<std::size_t>(place)].value; }
    const std::atomic<std::uint64_t>& at(int place) const { return passed_[static_cast<std::size_t>(place)].value; }

    SegmentShape shape_;
    std::vector<Line> lines_;
    std::vector<Count> passed_;
};

/// Memory that the members of a node share for allreduces: what they combine, and what comes back.
struct NodeSegment {
    NodeSegment(int members, const SegmentShape& shape) : combined(members, shape), result(members, shape) {}

    FragmentQueue combined;
    FragmentQueue result;
};

/// The segments of all nodes of a communicator.
class NodeSegments {
  public:
    /// `node_size` members a node, the last one may have fewer.
    NodeSegments(int members, int node_size, const SegmentShape& shape) : node_size_(node_size) {
        for (int first = 0; first < members; first += node_size) {
            nodes_.push_back(std::make_unique<NodeSegment>(std::min(node_size, members - first), shape));
        }
    }

    int node_size() const { return node_size_; }
    NodeSegment& of(int member) const { return *nodes_[static_cast<std::size_t>(member / node_size_)]; }

    /// Bytes of a node's two queues.
    static std::size_t bytes_per_node(const SegmentShape& shape) { return 2 * shape.bytes(); }

  private:
    int node_size_;
    std::vector<std::unique_ptr<NodeSegment>> nodes_;
};

}  // namespace narrows
