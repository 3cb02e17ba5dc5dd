#include "model/messages/block_count.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "model/messages/collective_rounds.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

struct Draw {
    std::mt19937_64 random{41};

    int below(int end) { return static_cast<int>(random() % static_cast<std::uint64_t>(end)); }
    int from(int first, int last) { return first + below(last - first + 1); }

    Move move() {
        const bool folds = below(3) == 0;
        Move drawn{from(1, 90), from(1, 7), from(1, 6), 0, below(2) == 0, folds ? 1 : from(1, 4)};
        drawn.step = from(static_cast<int>(1 - drawn.size), static_cast<int>(drawn.size - 1));
        if (folds) drawn.folded = below(static_cast<int>(drawn.places) + 1);
        return drawn;
    }

    // A round of an allreduce, an all-to-all or a halo exchange.
    Round round(int ranks) {
        switch (below(3)) {
            case 0: {
                const char* const algorithms[] = {"recursive-doubling", "tree", "ring"};
                const auto rounds = collective_rounds("allreduce", algorithms[below(3)], ranks, bytes(8));
                return rounds[below(static_cast<int>(rounds.size()))];
            }
            case 1:
                return {1, bytes(8), {{ranks, 1, ranks, from(1, ranks - 1)}}};
            default: {
                std::vector<int> grid = {from(1, 6), from(1, 6)};
                if (ranks % (grid[0] * grid[1]) != 0) grid = {1, 1};
                grid.push_back(ranks / (grid[0] * grid[1]));
                const std::vector<bool> wraps = {below(4) > 0, below(4) > 0, below(4) > 0};
                return halo_round(grid, wraps, from(1, static_cast<int>(neighbours_in(grid))), bytes(8));
            }
        }
    }
};

}  // namespace

TEST_CASE("messages between intervals of ranks by formula are those counted one by one") {
    Draw draw;
    for (int trial = 0; trial < 3000; ++trial) {
        const Move move = draw.move();
        const RankInterval from{draw.below(60), draw.below(300)}, to{draw.below(60), draw.below(300)};
        std::int64_t counted = 0;
        for (std::int64_t place = 0; place < move.places; ++place) {
            const std::int64_t rank = move.rank(place), target = move.target(place);
            if (target < 0 || rank < from.first || rank >= from.end) continue;
            if (move.rank(target) >= to.first && move.rank(target) < to.end) ++counted;
        }
        CAPTURE(move.places, move.stride, move.size, move.step, move.wraps, move.every, move.folded);
        CAPTURE(from.first, from.end, to.first, to.end);
        REQUIRE(messages_between(move, from, to) == counted);
    }
}

TEST_CASE("the fullest of consecutive ranks on blocks is what it is counted message by message") {
    constexpr const char* networks[] = {"fat-tree ports=6 levels=2 taper=2:1 hosts=14",
                                        "fat-tree ports=4 levels=3 taper=1:1", "fat-tree ports=8 levels=3 taper=3:1",
                                        "leaf-spine leaves=5 hosts=4 spines=2", "star 16"};
    Draw draw;
    int stays = 0, leaves = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const char* spec = networks[draw.below(static_cast<int>(std::size(networks)))];
        const NodeNetwork network(parse_topology(spec), nullptr);
        REQUIRE(network.in_blocks());
        RankPlaces placed{draw.from(2, network.nodes()), draw.from(1, 9), {}};
        const Round round = draw.round(static_cast<int>(placed.ranks()));
        const Round many{1e6, round.payload, round.moves};  // too many messages to follow
        const PhaseLoads formula = phase_loads({many}, placed, network);
        placed.node_of_rank.resize(placed.ranks());
        for (std::int64_t rank = 0; rank < placed.ranks(); ++rank) {
            placed.node_of_rank[rank] = static_cast<int>(rank / placed.ranks_per_node);
        }
        CAPTURE(spec, placed.nodes, placed.ranks_per_node, trial);
        const PhaseLoads counted = phase_loads({many}, placed, network);
        REQUIRE_FALSE(counted.by_ranks);
        REQUIRE(formula.kinds == counted.kinds);
        for (const MessageLoads& kind : counted.kinds) ++(kind.inside ? stays : leaves);
    }
    CHECK(stays > 500);
    CHECK(leaves > 500);
}

}  // namespace narrows
