#include "model/demand/slab_count.hpp"

#include <algorithm>

namespace narrows {

void SlabCount::add(int from, int to, std::int64_t messages) {
    if (from == to) return;
    if (ring_) {
        add_leaving(out_, from, to, messages);
        add_leaving(in_, to, from, messages);
        return;
    }
    Steps& steps = from < to ? out_ : in_;
    steps[std::min(from, to) + 1] += messages;
    steps[std::max(from, to) + 1] -= messages;
}

// The halves that have `from` and not `to`: all from one that ends with `from`, or begins behind `to`, on.
void SlabCount::add_leaving(Steps& steps, int from, int to, std::int64_t messages) const {
    const int half = size_ / 2;
    const int ahead = (to - from + size_) % size_;
    const int count = std::min(ahead, size_ - ahead);
    const int first = (from + size_ - (ahead <= half ? half : count) + 1) % size_;
    steps[first] += messages;
    int end = first + count;
    if (end >= size_) {  // goes round the end
        steps[0] += messages;
        end -= size_;
    }
    steps[end] -= messages;
}

double SlabCount::fullest() const {
    const int first = ring_ ? 0 : 1;
    const int end = ring_ && size_ % 2 == 0 ? size_ / 2 : size_;  // the other halves of an even ring are what is left
    std::int64_t out = 0, in = 0, fullest = 0;
    for (int cut = first; cut < end; ++cut) {
        out += out_[cut];
        in += in_[cut];
        fullest = std::max({fullest, out, in});
    }
    return static_cast<double>(fullest) / (ring_ ? 2 : 1);
}

}  // namespace narrows
