#include "model/messages/round.hpp"

#include <stdexcept>

#include "topologies/shape.hpp"

namespace narrows {
namespace {

// The ends of a dimension of two are neighbours once, joined or not.
bool goes_round(int size, bool wraps) {
    return wraps || size == 2;
}

// Steps along a dimension, nearest first: onwards and back, once where both lead to the same place. In a line the rank
// in the middle has the most others beside it, as many as in a ring.
bool has_step(int size, int step, bool back) {
    return back ? 2 * step < size : 2 * step <= size;
}

}  // namespace

std::vector<Round> all_to_all_rounds(std::int64_t ranks, Data payload) {
    if (ranks < 2) return {};
    return {{static_cast<double>(ranks - 1), payload, {{ranks, 1, ranks, 1}}, false, true}};
}

std::int64_t messages_of_a_rank(const Round& round) {
    constexpr std::int64_t most_ranks = std::int64_t{1} << 16;
    std::vector<std::int64_t> messages;
    for_each_message(round, most_ranks, [&messages](std::int64_t from, std::int64_t to, Data) {
        const auto ranks = static_cast<std::size_t>(std::max(from, to)) + 1;
        if (messages.size() < ranks) messages.resize(ranks);
        ++messages[static_cast<std::size_t>(from)];
        ++messages[static_cast<std::size_t>(to)];
    });
    return messages.empty() ? 0 : *std::ranges::max_element(messages);
}

std::vector<Round> in_turns(const std::vector<Round>& rounds, std::int64_t at_once) {
    std::vector<Round> turns;
    for (Round round : rounds) {
        const std::int64_t messages = messages_of_a_rank(round);
        const std::int64_t more = (messages + at_once - 1) / at_once - 1;
        if (!round.moves.empty()) round.pairs.clear();  // one message stands for all
        round.moves.resize(std::min<std::size_t>(round.moves.size(), 1));
        round.pairs.resize(std::min<std::size_t>(round.pairs.size(), 1));
        Round before = round;
        before.combines = false;
        before.times *= static_cast<double>(more);
        if (more > 0) turns.push_back(std::move(before));
        turns.push_back(std::move(round));
    }
    return turns;
}

std::int64_t neighbours_in(const std::vector<int>& grid) {
    std::int64_t most = 0;
    for (const int size : grid) most += size - 1;
    return most;
}

Round halo_round(const std::vector<int>& grid, const std::vector<bool>& wraps, int neighbours, Data payload) {
    if (neighbours > neighbours_in(grid)) throw std::logic_error("a rank has not as many neighbours");
    Round round{1, payload, {}, false};
    for (int step = 1; static_cast<int>(round.moves.size()) < neighbours; ++step) {
        std::int64_t stride = 1;
        for (std::size_t i = 0; i < grid.size(); stride *= grid[i++]) {
            for (const bool back : {false, true}) {
                if (!has_step(grid[i], step, back)) continue;
                if (static_cast<int>(round.moves.size()) == neighbours) return round;
                const bool joined = goes_round(grid[i], wraps[i]);
                round.moves.push_back({shape_nodes(grid), stride, grid[i], back ? -step : step, joined});
            }
        }
    }
    return round;
}

std::vector<Round> matched_rounds(std::vector<RankPair> messages) {
    std::int64_t ranks = 0;
    for (const RankPair& pair : messages) ranks = std::max({ranks, pair.from + 1, pair.to + 1});
    const auto distance = [&](const RankPair& pair) { return (pair.to - pair.from + ranks) % ranks; };
    std::ranges::stable_sort(messages, [&](const RankPair& a, const RankPair& b) {
        return a.payload == b.payload ? distance(a) < distance(b) : a.payload > b.payload;
    });
    std::vector<Round> rounds;
    const auto count = static_cast<std::size_t>(ranks);
    std::vector<std::vector<bool>> sends(count), receives(count);  // of each rank: the rounds in which it does
    const auto in = [](const std::vector<bool>& of_rank, std::size_t round) {
        return round < of_rank.size() && of_rank[round];
    };
    const auto mark = [](std::vector<bool>& of_rank, std::size_t round) {
        of_rank.resize(std::max(of_rank.size(), round + 1));
        of_rank[round] = true;
    };
    std::size_t first = 0;  // whose messages are small enough for this one
    for (const RankPair& pair : messages) {
        if (pair.from == pair.to) continue;
        const auto from = static_cast<std::size_t>(pair.from), to = static_cast<std::size_t>(pair.to);
        while (first < rounds.size() && rounds[first].payload > pair.payload * 2) ++first;
        std::size_t at = first;
        while (in(sends[from], at) || in(receives[to], at)) ++at;
        if (at == rounds.size()) rounds.push_back({1, pair.payload, {}});
        rounds[at].pairs.push_back(pair);
        mark(sends[from], at);
        mark(receives[to], at);
    }
    return rounds;
}

std::vector<Round> of_groups(const std::vector<Round>& rounds, std::int64_t size, std::int64_t stride,
                             std::int64_t ranks) {
    if (size < 1 || stride < 1 || ranks % (size * stride) != 0) throw std::logic_error("groups that ranks do not fill");
    if (size == ranks) return rounds;
    std::vector<Round> found;
    const auto is_whole = [&](const Move& move) {
        const std::int64_t cycle = move.stride * move.size * move.every;
        const bool whole = move.folded == 0 && size % cycle == 0 && move.places == size / move.every;
        return whole && (move.every == 1 || stride == 1);
    };
    const auto add = [&](const Round& group) {
        Round round{group.times, group.payload, {}, group.combines, group.rotates};
        const auto spread = [&](std::int64_t from, std::int64_t to, Data payload) {
            for (std::int64_t high = 0; high < ranks; high += size * stride) {
                for (std::int64_t low = high; low < high + stride; ++low) {
                    round.pairs.push_back({low + from * stride, low + to * stride, payload});
                }
            }
        };
        Round others = group;
        others.moves.clear();
        for (const Move& move : group.moves) {
            if (is_whole(move)) {
                round.moves.push_back(
                    {ranks / move.every, move.stride * stride, move.size, move.step, move.wraps, move.every});
            } else {
                others.moves.push_back(move);
            }
        }
        for_each_message(others, size, spread);
        found.push_back(std::move(round));
    };
    for (const Round& round : rounds) {
        if (!round.rotates || is_whole(round.moves.front())) {
            add(round);
            continue;
        }
        Round turn = round;
        turn.times = 1;
        turn.rotates = false;
        for (double k = 0; k < round.times; ++k, ++turn.moves.front().step) add(turn);
    }
    return found;
}

}  // namespace narrows
