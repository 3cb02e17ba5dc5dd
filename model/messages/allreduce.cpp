#include "model/messages/allreduce.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>

namespace narrows {
namespace {

std::vector<Round> ring(std::int64_t ranks, Data payload) {
    const double steps = static_cast<double>(ranks - 1);
    const Data piece = bytes(std::ceil(payload.si() / static_cast<double>(ranks)));
    const Move to_next{ranks, 1, ranks, 1};
    return {{steps, piece, {to_next}, true}, {steps, piece, {to_next}, false}};
}

// Of ranks `distance` apart the odd ones send to those before them, and get the result from them.
std::vector<Round> tree(std::int64_t ranks, Data payload) {
    std::vector<Round> rounds;
    for (std::int64_t distance = 1; distance < ranks; distance *= 2) {
        const Move up{(ranks - 1) / distance + 1, 1, 2, -1, false, distance};
        rounds.push_back({1, payload, {up}, true});
    }
    for (auto up = static_cast<std::ptrdiff_t>(rounds.size()) - 1; up >= 0; --up) {
        Move down = rounds[up].moves.front();
        down.step = 1;
        rounds.push_back({1, payload, {down}, false});
    }
    return rounds;
}

// By powers of two: of the first ranks, as many as are beyond the largest one, the even ones hand over to the odd ones.
std::vector<Round> recursive_doubling(std::int64_t ranks, Data payload) {
    const auto whole = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(ranks)));
    const std::int64_t folded = ranks - whole;
    std::vector<Round> rounds;
    if (folded > 0) rounds.push_back({1, payload, {{2 * folded, 1, 2, 1, false}}, true});
    for (std::int64_t distance = 1; distance < whole; distance *= 2) {
        rounds.push_back({1, payload, {{whole, distance, 2, 1, true, 1, folded}}, true});
    }
    if (folded > 0) rounds.push_back({1, payload, {{2 * folded, 1, 2, -1, false}}, false});
    return rounds;
}

}  // namespace

std::vector<Round> allreduce_rounds(AllreduceAlgorithm algorithm, std::int64_t ranks, Data payload) {
    if (ranks < 1) throw std::logic_error("an allreduce needs a rank");
    if (algorithm == AllreduceAlgorithm::network) return {{1, payload, {}, false}};
    if (ranks == 1) return {};
    switch (algorithm) {
        case AllreduceAlgorithm::ring:
            return ring(ranks, payload);
        case AllreduceAlgorithm::tree:
            return tree(ranks, payload);
        case AllreduceAlgorithm::recursive_doubling:
            return recursive_doubling(ranks, payload);
        case AllreduceAlgorithm::network:
            break;  // above
    }
    throw std::logic_error("unknown algorithm");
}

}  // namespace narrows
