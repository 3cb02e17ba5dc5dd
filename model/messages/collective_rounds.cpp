#include "model/messages/collective_rounds.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

Data piece_of(Data whole, std::int64_t pieces) {
    return bytes(std::ceil(whole.si() / static_cast<double>(pieces)));
}

Move rotation(std::int64_t ranks, std::int64_t step) {
    return {ranks, 1, ranks, step};
}

// Blocks below `blocks` whose number has this bit.
std::int64_t blocks_with(std::int64_t bit, std::int64_t blocks) {
    return blocks / (2 * bit) * bit + std::max<std::int64_t>(0, blocks % (2 * bit) - bit);
}

std::vector<Round> bruck_all_to_all(std::int64_t ranks, Data block) {
    std::vector<Round> rounds;
    for (std::int64_t bit = 1; bit < ranks; bit *= 2) {
        rounds.push_back({1, block * static_cast<double>(blocks_with(bit, ranks)), {rotation(ranks, bit)}});
    }
    return rounds;
}

std::vector<Round> linear_all_to_all(std::int64_t ranks, Data block) {
    constexpr std::int64_t most = 1 << 24;
    if (ranks == 1) return {};
    if (ranks > most) {
        throw InputError(
            fmt::format("linear: {} ranks are more than the {} whose messages are sent at once: give fewer, "
                        "or another algorithm",
                        ranks, most));
    }
    Round all{1, block, {}};
    for (std::int64_t step = 1; step < ranks; ++step) all.moves.push_back(rotation(ranks, step));
    return {all};
}

void append(std::vector<Round>& rounds, const std::vector<Round>& more) {
    rounds.insert(rounds.end(), more.begin(), more.end());
}

// Up a binomial tree: of ranks `distance` apart the odd ones send to those before them.
std::vector<Round> reduced(std::int64_t ranks, Data payload) {
    std::vector<Round> rounds;
    for (std::int64_t distance = 1; distance < ranks; distance *= 2) {
        const Move up{(ranks - 1) / distance + 1, 1, 2, -1, false, distance};
        rounds.push_back({1, payload, {up}, true});
    }
    return rounds;
}

// The same with the blocks of all below, which are not combined.
std::vector<Round> gathered(std::int64_t ranks, Data block) {
    std::vector<Round> rounds = reduced(ranks, block);
    for (Round& round : rounds) {
        const std::int64_t distance = round.moves.front().every;
        round.payload = block * static_cast<double>(std::min(distance, ranks - distance));
        round.combines = false;
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

// Halves that are combined, by the distances of recursive doubling from the largest on, and then gathered.
std::vector<Round> rabenseifner(std::int64_t ranks, Data payload) {
    std::vector<Round> doubling = recursive_doubling(ranks, payload);
    const auto whole = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(ranks)));
    const bool folds = whole < ranks;
    std::vector<Round> rounds;
    if (folds) rounds.push_back(doubling.front());
    const auto exchange = [&](std::int64_t distance, bool combines) {
        const Move swap{whole, distance, 2, 1, true, 1, ranks - whole};
        rounds.push_back({1, piece_of(payload, whole / distance), {swap}, combines});
    };
    for (std::int64_t distance = whole / 2; distance > 0; distance /= 2) exchange(distance, true);
    for (std::int64_t distance = 1; distance < whole; distance *= 2) exchange(distance, false);
    if (folds) rounds.push_back(doubling.back());
    return rounds;
}

// Down a binomial tree: who has it sends to the rank `distance` on, far ones first.
std::vector<Round> binomial(std::int64_t ranks, Data payload) {
    std::vector<Round> rounds;
    const auto first = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(ranks))) / 2;
    for (std::int64_t distance = first; distance > 0; distance /= 2) {
        const Move down{(ranks - 1) / distance + 1, 1, 2, 1, false, distance};
        rounds.push_back({1, payload, {down}});
    }
    return rounds;
}

std::vector<Round> tree_allreduce(std::int64_t ranks, Data payload) {
    std::vector<Round> rounds = reduced(ranks, payload);
    append(rounds, binomial(ranks, payload));
    return rounds;
}

std::vector<Round> ring(std::int64_t ranks, Data block, bool combines) {
    if (ranks == 1) return {};
    return {{static_cast<double>(ranks - 1), block, {rotation(ranks, 1)}, combines}};
}

std::vector<Round> ring_allreduce(std::int64_t ranks, Data payload) {
    std::vector<Round> rounds = ring(ranks, piece_of(payload, ranks), true);
    append(rounds, ring(ranks, piece_of(payload, ranks), false));
    return rounds;
}

std::vector<Round> scatter_allgather(std::int64_t ranks, Data payload) {
    std::vector<Round> rounds = binomial(ranks, payload);
    std::int64_t distance = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(ranks))) / 2;
    for (Round& round : rounds) {
        const std::int64_t blocks = std::min(distance, ranks - distance);
        round.payload = bytes(std::ceil(payload.si() * static_cast<double>(blocks) / static_cast<double>(ranks)));
        distance /= 2;
    }
    append(rounds, ring(ranks, piece_of(payload, ranks), false));
    return rounds;
}

std::vector<Round> ring_allgather(std::int64_t ranks, Data block) {
    return ring(ranks, block, false);
}

std::vector<Round> bruck_allgather(std::int64_t ranks, Data block) {
    std::vector<Round> rounds;
    for (std::int64_t known = 1; known < ranks; known *= 2) {
        const auto blocks = static_cast<double>(std::min(known, ranks - known));
        rounds.push_back({1, block * blocks, {rotation(ranks, -known)}});
    }
    return rounds;
}

std::vector<Round> pairwise_reduce_scatter(std::int64_t ranks, Data payload) {
    std::vector<Round> rounds = all_to_all_rounds(ranks, piece_of(payload, ranks));
    for (Round& round : rounds) round.combines = true;
    return rounds;
}

std::vector<Round> ring_reduce_scatter(std::int64_t ranks, Data payload) {
    return ring(ranks, piece_of(payload, ranks), true);
}

std::vector<Round> dissemination(std::int64_t ranks, Data /*nothing*/) {
    std::vector<Round> rounds;
    for (std::int64_t step = 1; step < ranks; step *= 2) rounds.push_back({1, bytes(0), {rotation(ranks, step)}});
    return rounds;
}

// Within each node of so many ranks, among the first ones of all nodes, and within each node again.
std::vector<Round> by_nodes(std::int64_t ranks, std::int64_t node, const std::vector<Round>& up,
                            std::vector<Round> across, const std::vector<Round>& down) {
    std::vector<Round> rounds = of_groups(up, node, 1, ranks);
    for (Round& round : across) {
        for (Move& move : round.moves) move.every *= node;
    }
    append(rounds, across);
    append(rounds, of_groups(down, node, 1, ranks));
    return rounds;
}

std::vector<Round> allreduce_by_nodes(std::int64_t ranks, Data payload, std::int64_t node) {
    return by_nodes(ranks, node, reduced(node, payload), recursive_doubling(ranks / node, payload),
                    binomial(node, payload));
}

std::vector<Round> broadcast_by_nodes(std::int64_t ranks, Data payload, std::int64_t node) {
    return by_nodes(ranks, node, {}, binomial(ranks / node, payload), binomial(node, payload));
}

std::vector<Round> allgather_by_nodes(std::int64_t ranks, Data block, std::int64_t node) {
    return by_nodes(ranks, node, gathered(node, block), ring_allgather(ranks / node, block * static_cast<double>(node)),
                    binomial(node, block * static_cast<double>(ranks)));
}

constexpr std::string_view thakur = "Thakur, Rabenseifner and Gropp 2005";
constexpr std::string_view in_order = "rounds on the critical path: within nodes, between nodes, within nodes";
constexpr std::string_view up_and_down = "rounds on the critical path and, on the way up, combining what came";
constexpr std::array algorithms = {
    CollectiveAlgorithm{"all-to-all", "pairwise", all_to_all_rounds, thakur,
                        "pairwise exchange: in round k rank i sends to i + k and receives from i - k"},
    CollectiveAlgorithm{"all-to-all", "bruck", bruck_all_to_all, "Bruck et al. 1997"},
    CollectiveAlgorithm{"all-to-all", "linear", linear_all_to_all, thakur},
    CollectiveAlgorithm{"allreduce", "recursive-doubling", recursive_doubling, thakur, up_and_down},
    CollectiveAlgorithm{"allreduce", "ring", ring_allreduce, "Patarasuk and Yuan 2009", up_and_down},
    CollectiveAlgorithm{"allreduce", "tree", tree_allreduce, thakur, up_and_down},
    CollectiveAlgorithm{"allreduce", "rabenseifner", rabenseifner, thakur, up_and_down},
    CollectiveAlgorithm{"allreduce", "node-first", recursive_doubling, "derived", up_and_down, allreduce_by_nodes},
    CollectiveAlgorithm{"broadcast", "binomial", binomial, thakur},
    CollectiveAlgorithm{"broadcast", "scatter-allgather", scatter_allgather, "van de Geijn 1994"},
    CollectiveAlgorithm{"broadcast", "node-first", binomial, "derived", in_order, broadcast_by_nodes},
    CollectiveAlgorithm{"allgather", "ring", ring_allgather, thakur},
    CollectiveAlgorithm{"allgather", "bruck", bruck_allgather, "Bruck et al. 1997"},
    CollectiveAlgorithm{"allgather", "node-first", ring_allgather, "derived", in_order, allgather_by_nodes},
    CollectiveAlgorithm{"reduce-scatter", "pairwise", pairwise_reduce_scatter, thakur},
    CollectiveAlgorithm{"reduce-scatter", "ring", ring_reduce_scatter, "Patarasuk and Yuan 2009"},
    CollectiveAlgorithm{"barrier", "dissemination", dissemination, "Hensgen, Finkel and Manber 1988"},
};

}  // namespace

std::span<const CollectiveAlgorithm> collective_algorithms() {
    return algorithms;
}

std::vector<Round> collective_rounds(std::string_view collective, std::string_view algorithm, std::int64_t ranks,
                                     Data bytes, std::int64_t ranks_per_node) {
    if (ranks < 1) throw std::logic_error("a collective needs a rank");
    const CollectiveAlgorithm& found = collective_algorithm(collective, algorithm);
    const std::int64_t node = std::gcd(ranks, ranks_per_node);
    return found.by_nodes != nullptr && node > 1 ? found.by_nodes(ranks, bytes, node) : found.rounds(ranks, bytes);
}

const CollectiveAlgorithm& collective_algorithm(std::string_view collective, std::string_view name) {
    std::vector<std::string> names;
    for (const CollectiveAlgorithm& each : algorithms) {
        if (each.collective != collective) continue;
        if (name.empty() || each.name == name) return each;
        names.emplace_back(each.name);
    }
    if (names.empty()) throw std::logic_error("a collective without algorithms");
    refuse_name(fmt::format("{} has no algorithm", collective), name, names, Offered::all_it_has);
}

}  // namespace narrows
