#include <algorithm>
#include <array>
#include <cmath>

#include "model/demand/node_network.hpp"

// What a rotation of all ranks asks of a network: every rank sends to the one so many further on.
namespace narrows {
namespace {

// Of so many places in a row those that go out of it when all of a ring of `size` places move `step` on.
double leaving(double row, double size, double step) {
    return std::max(0.0, row - std::max(0.0, row - step) - std::max(0.0, row - (size - step)));
}

// A dimension of a grid while the ranks before it move on: all of a line by `step` places, or one more with a carry.
struct Turn {
    int size;
    bool ring;          // else a line
    std::int64_t step;  // places, without the carry
    double below;       // ranks that number this dimension's places
    double carries;     // of these so many carry

    // The fullest halving cut, over a link; `lines` that the dimension has, `ranks` in all.
    double slab(double lines, double ranks) const {
        const double half = std::floor(size / 2.0);
        const double of_place = ranks / size / below;
        const double out = leaving(half, size, static_cast<double>(step)) * (below - carries) +
                           leaving(half, size, static_cast<double>((step + 1) % size)) * carries;
        return out * of_place / (ring ? 2 * lines : lines);
    }

    // Messages over a link one way and the other, of one at each place.
    std::array<double, 2> ways(std::int64_t moved, bool ties_onwards) const {
        const auto k = static_cast<double>(moved % size);
        const double back = size - k;
        if (k == 0) return {0, 0};
        if (!ring) return {std::min(k, back), std::min(k, back)};
        if (k == back) return ties_onwards ? std::array{k, 0.0} : std::array{k / 2, k / 2};
        return k < back ? std::array{k, 0.0} : std::array{0.0, back};
    }

    // The fullest link in dimension order: of nodes of `each` ranks all carry, none, or some of one node.
    double link(double each, bool ties_onwards) const {
        const double mixed = std::fmod(carries, each);
        const auto stay = ways(step, ties_onwards), carry = ways(step + 1, ties_onwards);
        double most = 0;
        for (const int way : {0, 1}) {
            if (carries <= below - each) most = std::max(most, each * stay[way]);
            if (carries >= each) most = std::max(most, each * carry[way]);
            if (mixed > 0) most = std::max(most, (each - mixed) * stay[way] + mixed * carry[way]);
        }
        return most;
    }
};

// Links to the farthest place: `far` without and with a carry into the dimension, negative where there is none; turned
// into those of a carry out of it.
std::array<int, 2> farther(const Turn& turn, const std::array<int, 2>& far) {
    std::array<int, 2> next = {-1, -1};
    for (const int carry : {0, 1}) {
        if (far[carry] < 0) continue;
        const auto moved = static_cast<int>(turn.step) + carry;
        const int back = turn.size - moved;
        const int shorter = std::min(moved, back);
        if (back > 0) next[0] = std::max(next[0], far[carry] + (turn.ring ? shorter : moved));
        if (moved > 0) next[1] = std::max(next[1], far[carry] + (turn.ring ? shorter : back));
    }
    return next;
}

}  // namespace

std::optional<PairLoads> NodeNetwork::rotation(std::int64_t step, std::int64_t ranks,
                                               std::int64_t ranks_per_node) const {
    const bool by_blocks = !blocks_.empty() && distance_.empty();
    const bool in_order = known_ && known_->kind == Routing::Kind::dimension_order;
    const bool followed = grid_.empty() ? bounds_are_exact_ : in_order;
    const bool whole = grid_.empty() || ranks == grid_nodes_ * ranks_per_node;
    if ((grid_.empty() && !by_blocks) || (routing_ && !followed) || !whole) return std::nullopt;
    const auto each = static_cast<double>(ranks_per_node), all = static_cast<double>(ranks);
    const auto moved = static_cast<double>(step);
    std::vector<double> crossing;
    for (const HostBlocks& block : blocks_) {
        crossing.push_back(leaving(std::min(all, static_cast<double>(block.hosts) * each), all, moved));
    }
    PairLoads loads = crossing_blocks(leaving(each, all, moved), crossing);
    if (grid_.empty()) return loads;
    std::array<int, 2> far = {0, step % ranks_per_node > 0 ? 0 : -1};
    std::int64_t stride = ranks_per_node;
    for (std::size_t i = 0; i < grid_.size(); stride *= grid_[i++]) {
        if (grid_[i] == 1) continue;
        const Turn turn{grid_[i], wraps_[i] && grid_[i] > 2, step / stride % grid_[i], static_cast<double>(stride),
                        static_cast<double>(step % stride)};
        const double lines = static_cast<double>(grid_nodes_) / grid_[i];
        loads.shared = std::max(loads.shared, turn.slab(lines, all));
        if (in_order) loads.shared = std::max(loads.shared, turn.link(each, known_->ties_onwards));
        far = farther(turn, far);
    }
    loads.links = std::max(1, std::max(far[0], far[1]));
    return loads;
}

PairLoads NodeNetwork::mean_of_rotations(std::int64_t nodes, std::int64_t ranks_per_node, double at_once) const {
    const auto each = static_cast<double>(ranks_per_node);
    const double ranks = static_cast<double>(nodes) * each;
    const auto out_of = [&](double row) { return row * (ranks - row) / (ranks - 1) * at_once; };
    PairLoads loads;
    loads.links = tree_ ? 2 : diameter_;
    loads.leaving = out_of(each);
    if (!host_links_.empty()) {
        loads.host = loads.leaving / *std::ranges::min_element(host_links_);
    }
    if (degree_ > 0) loads.shared = loads.leaving / degree_;
    for (const HostBlocks& block : blocks_) {
        const double row = std::min(ranks, static_cast<double>(block.hosts) * each);
        const double last = std::fmod(ranks, row);
        loads.shared = std::max({loads.shared, out_of(row) / block.links, out_of(last) / block.links});
        if (tree_ && row < ranks) loads.links += 2;
    }
    const auto share = [&](const Boundary& boundary) {
        std::vector<double> row(boundary.links.size(), 0.0);
        for (std::int64_t node = 0; node < std::min<std::int64_t>(nodes, nodes_); ++node)
            row[boundary.group[node]] += each;
        for (std::size_t i = 0; i < row.size(); ++i) {
            loads.shared = std::max(loads.shared, out_of(row[i]) / boundary.links[i]);
        }
    };
    std::ranges::for_each(boundaries_, share);
    std::ranges::for_each(cuts_, share);
    if (room_ > 0) {
        std::vector<double> at(entries_, 0.0);  // nodes
        for (std::int64_t node = 0; node < std::min<std::int64_t>(nodes, nodes_); ++node) ++at[entry_[node]];
        double walked = 0;
        for (std::size_t a = 0; a < entries_; ++a) {
            for (std::size_t b = 0; b < entries_; ++b) walked += at[a] * at[b] * distance_[a * entries_ + b];
        }
        loads.shared = std::max(loads.shared, walked * each * each / (ranks - 1) * at_once / room_);
    }
    int links = 0;
    for (std::size_t i = 0; i < grid_.size(); ++i) {
        const bool ring = wraps_[i] && grid_[i] > 2;
        links += ring ? grid_[i] / 2 : grid_[i] - 1;
        const double lines = static_cast<double>(grid_nodes_) / grid_[i];
        loads.shared =
            std::max(loads.shared, out_of(ranks / grid_[i] * std::floor(grid_[i] / 2.0)) / (ring ? 2 * lines : lines));
    }
    if (links > 0) loads.links = links;
    return loads;
}

}  // namespace narrows
