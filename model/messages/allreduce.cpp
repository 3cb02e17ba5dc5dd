#include "model/messages/allreduce.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace narrows {
namespace {

std::vector<Round> ring(std::int64_t nodes, Data payload) {
    const double steps = static_cast<double>(nodes - 1);
    const Data piece = bytes(std::ceil(payload.si() / static_cast<double>(nodes)));
    return {{steps, piece, Partners::next, 1, true}, {steps, piece, Partners::next, 1, false}};
}

std::vector<Round> tree(std::int64_t nodes, Data payload) {
    std::vector<Round> rounds;
    for (const bool up : {true, false}) {
        for (std::int64_t distance = 1; distance < nodes; distance *= 2) {
            rounds.push_back({1, payload, up ? Partners::up : Partners::down, distance, up});
        }
    }
    return rounds;
}

std::vector<Round> recursive_doubling(std::int64_t nodes, Data payload) {
    const auto whole = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(nodes)));
    std::vector<Round> rounds;
    if (whole < nodes) rounds.push_back({1, payload, Partners::fold, 1, true});
    for (std::int64_t distance = 1; distance < whole; distance *= 2) {
        rounds.push_back({1, payload, Partners::exchange, distance, true});
    }
    if (whole < nodes) rounds.push_back({1, payload, Partners::unfold, 1, false});
    return rounds;
}

// Ranks in the exchange by power of two: of the first 2 * `folded` ranks the odd ones, and all others.
std::int64_t rank_of(std::int64_t place, std::int64_t folded) {
    return place < folded ? 2 * place + 1 : place + folded;
}

}  // namespace

std::vector<Round> allreduce_rounds(AllreduceAlgorithm algorithm, std::int64_t nodes, Data payload) {
    if (nodes < 1) throw std::logic_error("an allreduce needs a node");
    if (algorithm == AllreduceAlgorithm::network) return {{1, payload, Partners::next, 1, false}};
    if (nodes == 1) return {};
    switch (algorithm) {
        case AllreduceAlgorithm::ring:
            return ring(nodes, payload);
        case AllreduceAlgorithm::tree:
            return tree(nodes, payload);
        case AllreduceAlgorithm::recursive_doubling:
            return recursive_doubling(nodes, payload);
        case AllreduceAlgorithm::network:
            break;  // above
    }
    throw std::logic_error("unknown algorithm");
}

std::vector<std::pair<int, int>> messages_of(const Round& round, std::int64_t ranks) {
    constexpr std::int64_t most = 1 << 20;
    const auto whole = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(ranks)));
    const std::int64_t folded = ranks - whole, distance = round.distance;
    std::vector<std::pair<int, int>> messages;
    const auto add = [&messages](std::int64_t from, std::int64_t to) {
        if (std::max(from, to) < most) messages.emplace_back(static_cast<int>(from), static_cast<int>(to));
    };
    const bool by_power = round.partners == Partners::exchange;
    for (std::int64_t rank = 0; rank < std::min(by_power ? whole : ranks, most); ++rank) {
        const bool joins = rank % (2 * distance) == distance;
        const bool pairs = rank < 2 * folded && rank % 2 == 0;
        if (by_power) add(rank_of(rank, folded), rank_of(rank ^ distance, folded));
        if (round.partners == Partners::next) add(rank, (rank + 1) % ranks);
        if (round.partners == Partners::up && joins) add(rank, rank - distance);
        if (round.partners == Partners::down && joins) add(rank - distance, rank);
        if (round.partners == Partners::fold && pairs) add(rank, rank + 1);
        if (round.partners == Partners::unfold && pairs) add(rank + 1, rank);
    }
    return messages;
}

Breakdown allreduce_time(const std::vector<Round>& rounds, const MessageTime& message, TimePerByte combine) {
    Breakdown result;
    const auto add = [&result](const std::string& name, Time time) {
        result.terms.push_back({name, time});
        result.total += time;
    };
    Time combining;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        const Round& round = rounds[i];
        for (const NamedTime& term : message(round.payload, i).terms) {
            add(term.name, term.time * round.times);
        }
        if (round.combines) combining += round.payload * combine * round.times;
    }
    if (combining.si() > 0) add("combine", combining);
    return result;
}

}  // namespace narrows
