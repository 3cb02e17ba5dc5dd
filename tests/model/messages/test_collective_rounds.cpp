#include "model/messages/collective_rounds.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// Who knows, or has added up, which ranks' contributions, if a message carries all that its sender has.
using Known = std::vector<std::set<std::int64_t>>;

Known after(const std::vector<Round>& rounds, std::int64_t ranks) {
    Known known(static_cast<std::size_t>(ranks));
    for (std::int64_t rank = 0; rank < ranks; ++rank) known[static_cast<std::size_t>(rank)] = {rank};
    for (const Round& round : rounds) {
        Round turn = round;
        for (double k = 0; k < round.times; ++k) {
            const Known before = known;
            for_each_message(turn, ranks, [&](std::int64_t from, std::int64_t to) {
                const auto& sent = before[static_cast<std::size_t>(from)];
                known[static_cast<std::size_t>(to)].insert(sent.begin(), sent.end());
            });
            if (round.rotates) ++turn.moves.front().step;
        }
    }
    return known;
}

double bytes_sent(const std::vector<Round>& rounds, std::int64_t ranks) {
    double sum = 0;
    for (const Round& round : rounds) {
        for_each_message(round, ranks, [&](std::int64_t, std::int64_t) { sum += round.times * round.payload.si(); });
    }
    return sum;
}

}  // namespace

TEST_CASE("collectives: at the end every rank has heard of all, or of the root") {
    for (const CollectiveAlgorithm& algorithm : collective_algorithms()) {
        for (std::int64_t ranks = 1; ranks <= 20; ++ranks) {
            CAPTURE(algorithm.collective, algorithm.name, ranks);
            const Known known = after(algorithm.rounds(ranks, bytes(1024)), ranks);
            for (const auto& heard : known) {
                if (algorithm.collective == "broadcast") {
                    CHECK(heard.contains(0));
                } else {
                    CHECK(heard.size() == static_cast<std::size_t>(ranks));
                }
            }
        }
    }
}

TEST_CASE("collectives: bytes of all ranks together") {
    const auto sent = [](std::string_view collective, std::string_view name, std::int64_t ranks, double size) {
        return bytes_sent(collective_algorithm(collective, name).rounds(ranks, bytes(size)), ranks);
    };
    CHECK(sent("all-to-all", "pairwise", 8, 16) == 8 * 7 * 16);
    CHECK(sent("all-to-all", "linear", 8, 16) == 8 * 7 * 16);
    CHECK(sent("all-to-all", "bruck", 8, 16) == 8 * 3 * 4 * 16);  // each of 3 bits in half of the blocks
    CHECK(sent("all-to-all", "bruck", 6, 16) == 6 * (3 + 2 + 2) * 16);
    CHECK(sent("allgather", "ring", 6, 10) == 6 * 5 * 10);
    CHECK(sent("allgather", "bruck", 6, 10) == 6 * 5 * 10);
    CHECK(sent("reduce-scatter", "pairwise", 6, 600) == 6 * 5 * 100);
    CHECK(sent("reduce-scatter", "ring", 6, 600) == 6 * 5 * 100);
    CHECK(sent("allreduce", "rabenseifner", 8, 800) == 8 * 2 * 700);  // as a ring's
    CHECK(sent("allreduce", "ring", 8, 800) == 8 * 2 * 700);
    CHECK(sent("broadcast", "binomial", 13, 100) == 12 * 100);
    CHECK(sent("barrier", "", 16, 0) == 0);
}

TEST_CASE("collectives: rounds on the critical path") {
    const auto rounds = [](std::string_view collective, std::string_view name, std::int64_t ranks) {
        double sum = 0;
        for (const Round& round : collective_algorithm(collective, name).rounds(ranks, bytes(64))) sum += round.times;
        return sum;
    };
    for (std::int64_t ranks = 2; ranks <= 33; ++ranks) {
        const double lg = std::ceil(std::log2(static_cast<double>(ranks)));
        const double floor = std::floor(std::log2(static_cast<double>(ranks)));
        CAPTURE(ranks);
        CHECK(rounds("barrier", "dissemination", ranks) == lg);
        CHECK(rounds("broadcast", "binomial", ranks) == lg);
        CHECK(rounds("all-to-all", "bruck", ranks) == lg);
        CHECK(rounds("all-to-all", "linear", ranks) == 1);
        CHECK(rounds("allgather", "bruck", ranks) == lg);
        CHECK(rounds("allreduce", "rabenseifner", ranks) == 2 * floor + (floor == lg ? 0 : 2));
    }
}

TEST_CASE("collectives: an unknown algorithm is told with those that there are") {
    CHECK_THROWS_WITH(collective_algorithm("all-to-all", "brook"),
                      "all-to-all has no algorithm 'brook', did you mean 'bruck'? (it has: pairwise, bruck, linear)");
    CHECK(collective_algorithm("broadcast", "").name == "binomial");
    CHECK_THROWS_AS(collective_algorithm("gossip", ""), std::logic_error);
}

TEST_CASE("rounds of groups are those of each group of the grid") {
    for (const CollectiveAlgorithm& algorithm : collective_algorithms()) {
        for (const auto& [size, stride, ranks] : {std::tuple<std::int64_t, std::int64_t, std::int64_t>{4, 1, 12},
                                                  {3, 4, 24},
                                                  {6, 5, 30},
                                                  {8, 2, 16},
                                                  {5, 1, 5}}) {
            CAPTURE(algorithm.collective, algorithm.name, size, stride, ranks);
            const std::vector<Round> group = algorithm.rounds(size, bytes(64));
            std::multiset<std::tuple<double, std::int64_t, std::int64_t>> expected, found;
            const auto add = [](auto& into, const std::vector<Round>& rounds, std::int64_t most, auto visit) {
                for (Round round : rounds) {
                    for (double k = 0; k < round.times; ++k) {
                        for_each_message(round, most, [&](std::int64_t from, std::int64_t to) {
                            visit(into, round.payload.si(), from, to);
                        });
                        if (round.rotates) ++round.moves.front().step;
                    }
                }
            };
            add(expected, group, size,
                [&, s = size, d = stride, p = ranks](auto& into, double payload, std::int64_t from, std::int64_t to) {
                    for (std::int64_t rank = 0; rank < p; ++rank) {
                        if (rank / d % s != from) continue;
                        into.emplace(payload, rank, rank + (to - from) * d);
                    }
                });
            add(found, of_groups(group, size, stride, ranks), ranks,
                [](auto& into, double payload, std::int64_t from, std::int64_t to) {
                    into.emplace(payload, from, to);
                });
            CHECK(found == expected);
        }
    }
}

}  // namespace narrows
