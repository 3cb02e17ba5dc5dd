#include "model/messages/block_count.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace narrows {
namespace {

// Of 0 ... end - 1 the numbers that are first ... last - 1 modulo `period`.
std::int64_t count_below(std::int64_t end, std::int64_t period, std::int64_t first, std::int64_t last) {
    if (end <= 0) return 0;
    return end / period * (last - first) + std::clamp<std::int64_t>(end % period - first, 0, last - first);
}

// Whether what the move asks of each `period` ranks is the same: it stays among them, or takes all of them elsewhere.
bool repeats(const Move& move, std::int64_t period) {
    const std::int64_t cycle = move.stride * move.size;
    return period % cycle == 0 || (move.wraps && move.stride % period == 0 && move.places % cycle == 0);
}

// Out of, into and inside a block, of all moves.
struct Passing {
    std::int64_t out = 0, in = 0, inside = 0;
};

class BlockCount {
  public:
    BlockCount(const Round& round, const RankPlaces& placed, const NodeNetwork& network)
        : round_(round),
          ranks_(placed.ranks()),
          seen_(std::min(ranks_, network.nodes() * placed.ranks_per_node)),
          node_(placed.ranks_per_node) {}

    // Calls `visit(passing)` for one of each kind of blocks.
    template <class Visit>
    void for_each_block(std::int64_t block, Visit visit) const {
        const std::int64_t end = std::min(seen_, period(block));
        for (std::int64_t first = 0; first < end; first += block) {
            visit(passing({first, std::min(first + block, seen_)}));
        }
    }

    // Messages of the rank that has most, all and those to other nodes.
    std::array<std::int64_t, 2> of_ranks() const {
        const std::int64_t end = std::min(seen_, period(node_));
        std::vector<std::int32_t> all(end), leaving(end);
        std::array<std::int64_t, 2> most = {0, 0};
        for (const Move& move : round_.moves) {
            for (std::int64_t place = 0; place < move.places && move.rank(place) < end; ++place) {
                const std::int64_t from = move.rank(place), target = move.target(place);
                if (target < 0 || move.rank(target) >= seen_) continue;
                most[0] = std::max<std::int64_t>(most[0], ++all[from]);
                if (from / node_ != move.rank(target) / node_)
                    most[1] = std::max<std::int64_t>(most[1], ++leaving[from]);
            }
        }
        return most;
    }

  private:
    Passing passing(RankInterval block) const {
        Passing sum;
        for (const Move& move : round_.moves) {
            const std::int64_t inside = messages_between(move, block, block);
            sum.inside += inside;
            sum.out += messages_between(move, block, {0, seen_}) - inside;
            sum.in += messages_between(move, {0, seen_}, block) - inside;
        }
        return sum;
    }

    // Ranks after which messages and blocks repeat, or are fewer.
    std::int64_t period(std::int64_t block) const {
        std::int64_t ranks = block;
        const auto ends = [&](const Move& move) { return !repeats(move, ranks); };
        const auto& moves = round_.moves;
        for (const Move& move : moves) {
            if (move.every != 1 || move.folded != 0 || move.places != ranks_ || seen_ != ranks_) return ranks_;
        }
        for (auto next = moves.begin(); (next = std::ranges::find_if(moves, ends)) != moves.end();) {
            ranks = std::lcm(ranks, next->stride * next->size);
            if (ranks >= ranks_) return ranks_;
        }
        return ranks;
    }

    const Round& round_;
    std::int64_t ranks_, seen_, node_;
};

}  // namespace

std::int64_t messages_between(const Move& move, RankInterval from, RankInterval to) {
    const std::int64_t first = move.places_below(from.first), end = move.places_below(from.end);
    const std::int64_t first_to = move.places_below(to.first), end_to = move.places_below(to.end);
    const std::int64_t cycle = move.stride * move.size;
    // Digits below `turn` move on, the others go back.
    const std::int64_t turn = (move.step > 0 ? move.size - move.step : -move.step) * move.stride;
    const auto moved = [&](std::int64_t low, std::int64_t high, std::int64_t shift) {
        const std::int64_t begin = std::max(first, first_to - shift), last = std::min(end, end_to - shift);
        return begin < last ? count_below(last, cycle, low, high) - count_below(begin, cycle, low, high) : 0;
    };
    if (move.step == 0) return moved(0, cycle, 0);
    std::int64_t sum = 0;
    if (move.step > 0 || move.wraps) sum += moved(0, turn, cycle - turn);
    if (move.step < 0 || move.wraps) sum += moved(turn, cycle, -turn);
    return sum;
}

FullestLoads fullest_by_blocks(const Round& round, const RankPlaces& placed, const NodeNetwork& network) {
    const BlockCount count(round, placed, network);
    std::int64_t out = 0, into = 0, inside = 0, node = 0, memory = 0;
    count.for_each_block(placed.ranks_per_node, [&](const Passing& passing) {
        out = std::max(out, passing.out);
        into = std::max(into, passing.in);
        inside = std::max(inside, passing.inside);
        node = std::max(node, std::max(passing.out, passing.in) + passing.inside);
        memory = std::max(memory, passing.out + passing.in + 2 * passing.inside);
    });
    std::array<std::int64_t, 2> of_rank = {1, out > 0 ? 1 : 0};
    if (round.moves.size() > 1) of_rank = count.of_ranks();
    MessageLoads loads;
    loads.payload = round.payload;
    loads.node = static_cast<double>(node);
    loads.memory = static_cast<double>(memory);
    FullestLoads found;
    if (inside > 0) {
        found.stays = loads;
        found.stays->inside = true;
        found.stays->rank = static_cast<double>(of_rank[0]);
        found.stays->network = {0, 0, 0, 0};
    }
    if (out == 0 && into == 0) return found;
    loads.rank = static_cast<double>(of_rank[1]);
    loads.beside = static_cast<double>(of_rank[0] - of_rank[1]);
    std::vector<double> crossing;
    for (const HostBlocks& block : network.blocks()) {
        std::int64_t most = 0;
        count.for_each_block(block.hosts * placed.ranks_per_node, [&](const Passing& passing) {
            most = std::max({most, passing.out, passing.in});
        });
        crossing.push_back(static_cast<double>(most));
    }
    loads.network = network.crossing_blocks(static_cast<double>(std::max(out, into)), crossing);
    found.leaves = loads;
    return found;
}

}  // namespace narrows
