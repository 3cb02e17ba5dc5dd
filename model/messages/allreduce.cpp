#include "model/messages/allreduce.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>

namespace narrows {
namespace {

std::vector<Round> ring(std::int64_t nodes, Data payload) {
    const double steps = static_cast<double>(nodes - 1);
    const Data piece = bytes(std::ceil(payload.si() / static_cast<double>(nodes)));
    return {{steps, piece, 1, true}, {steps, piece, 1, false}};
}

std::vector<Round> tree(std::int64_t nodes, Data payload) {
    std::vector<Round> rounds;
    for (const bool up : {true, false}) {
        for (std::int64_t distance = 1; distance < nodes; distance *= 2) rounds.push_back({1, payload, distance, up});
    }
    return rounds;
}

std::vector<Round> recursive_doubling(std::int64_t nodes, Data payload) {
    const auto whole = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(nodes)));
    std::vector<Round> rounds;
    if (whole < nodes) rounds.push_back({1, payload, 1, true});
    for (std::int64_t distance = 1; distance < whole; distance *= 2) rounds.push_back({1, payload, distance, true});
    if (whole < nodes) rounds.push_back({1, payload, 1, false});
    return rounds;
}

}  // namespace

std::vector<Round> allreduce_rounds(AllreduceAlgorithm algorithm, std::int64_t nodes, Data payload) {
    if (nodes < 1) throw std::logic_error("an allreduce needs a node");
    if (algorithm == AllreduceAlgorithm::network) return {{1, payload, 1, false}};
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

Breakdown allreduce_time(const std::vector<Round>& rounds, const MessageTime& message, TimePerByte combine) {
    Breakdown result;
    const auto add = [&result](const std::string& name, Time time) {
        result.terms.push_back({name, time});
        result.total += time;
    };
    Time combining;
    for (const Round& round : rounds) {
        for (const NamedTime& term : message(round.payload, round.distance).terms) {
            add(term.name, term.time * round.times);
        }
        if (round.combines) combining += round.payload * combine * round.times;
    }
    if (combining.si() > 0) add("combine", combining);
    return result;
}

}  // namespace narrows
