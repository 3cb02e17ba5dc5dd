#include "model/messages/collective_rounds.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
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
            for_each_message(turn, ranks, [&](std::int64_t from, std::int64_t to, Data) {
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
        for_each_message(round, ranks,
                         [&](std::int64_t, std::int64_t, Data) { sum += round.times * round.payload.si(); });
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

TEST_CASE("collectives by nodes first: every rank hears of all, and few messages leave a node") {
    for (const CollectiveAlgorithm& algorithm : collective_algorithms()) {
        if (algorithm.by_nodes == nullptr) continue;
        for (const auto& [ranks, node, leaving] : {std::tuple<std::int64_t, std::int64_t, int>{12, 4, 3},
                                                   {12, 3, 4},
                                                   {15, 5, 3},
                                                   {16, 4, 4},
                                                   {7, 7, 1},
                                                   {6, 4, 3}}) {  // nodes of two
            CAPTURE(algorithm.collective, algorithm.name, ranks, node);
            const auto rounds = collective_rounds(algorithm.collective, algorithm.name, ranks, bytes(64), node);
            for (const auto& heard : after(rounds, ranks)) {
                CHECK(heard.size() >= (algorithm.collective == "broadcast" ? 1 : static_cast<std::size_t>(ranks)));
                CHECK(heard.contains(0));
            }
            const std::int64_t real = std::gcd(ranks, node);
            double between = 0, bytes_between = 0;
            for (const Round& round : rounds) {
                for_each_message(round, ranks, [&, times = round.times](std::int64_t from, std::int64_t to, Data size) {
                    if (from / real == to / real) return;
                    between += times;
                    bytes_between += times * size.si();
                });
            }
            const std::vector<Round> flat = algorithm.rounds(leaving, bytes(64));
            double expected = 0;
            for (const Round& round : flat) {
                for_each_message(round, leaving, [&](std::int64_t, std::int64_t, Data) { expected += round.times; });
            }
            CHECK(between == expected);  // as of one rank a node
            const double of_each = algorithm.collective == "allgather" ? 64.0 * static_cast<double>(real) : 64;
            CHECK(bytes_between == expected * of_each);
        }
    }
    CHECK(bytes_sent(collective_rounds("allreduce", "node-first", 8, bytes(10), 4), 8) == 10 * (6 + 2 + 6));
    CHECK(bytes_sent(collective_rounds("broadcast", "node-first", 8, bytes(10), 4), 8) == 10 * (1 + 6));
    CHECK(bytes_sent(collective_rounds("allgather", "node-first", 8, bytes(10), 4), 8) ==
          2 * (10 + 10 + 20) + 2 * 40 + 2 * 3 * 80);
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

TEST_CASE(
    "rounds of listed messages: of a rank one each way, largest first, none beside one of more than twice its size") {
    std::vector<RankPair> messages;
    for (std::int64_t from = 0; from < 7; ++from) {
        for (std::int64_t to = 0; to < 7; ++to) {
            messages.push_back({from, to, bytes(1.0 + static_cast<double>((from * 31 + to * 17) % 23))});
        }
    }
    const std::vector<Round> rounds = matched_rounds(messages);
    std::size_t sum = 0;
    for (const Round& round : rounds) {
        std::set<std::int64_t> senders, receivers;
        for (const RankPair& pair : round.pairs) {
            CHECK(senders.insert(pair.from).second);
            CHECK(receivers.insert(pair.to).second);
            CHECK(pair.payload <= round.payload);
            CHECK(pair.payload * 2 >= round.payload);
            CHECK(pair.from != pair.to);
            ++sum;
        }
    }
    CHECK(sum == 42);
    // By hand: 0 to 1 and 2 to 3 at once; 0 to 2 behind; the small one has its own round.
    const std::vector<Round> few =
        matched_rounds({{1, 3, bytes(10)}, {0, 2, bytes(60)}, {0, 1, bytes(100)}, {2, 3, bytes(50)}});
    REQUIRE(few.size() == 3);
    CHECK(few[0].pairs == std::vector<RankPair>{{0, 1, bytes(100)}, {2, 3, bytes(50)}});
    CHECK(few[1].pairs == std::vector<RankPair>{{0, 2, bytes(60)}});
    CHECK(few[2].pairs == std::vector<RankPair>{{1, 3, bytes(10)}});
}

TEST_CASE("rounds of groups are those of each group of the grid") {
    for (const CollectiveAlgorithm& algorithm : collective_algorithms()) {
        for (const auto& [size, stride, ranks] : {std::tuple<std::int64_t, std::int64_t, std::int64_t>{4, 1, 12},
                                                  {3, 4, 24},
                                                  {6, 5, 30},
                                                  {8, 2, 16},
                                                  {5, 1, 5}}) {
            CAPTURE(algorithm.collective, algorithm.name, size, stride, ranks);
            std::vector<Round> group = algorithm.rounds(size, bytes(64));
            group.push_back({1, bytes(9), {}, false, false, {{0, size - 1, bytes(9)}}});
            std::multiset<std::tuple<double, std::int64_t, std::int64_t>> expected, found;
            const auto add = [](auto& into, const std::vector<Round>& rounds, std::int64_t most, auto visit) {
                for (Round round : rounds) {
                    for (double k = 0; k < round.times; ++k) {
                        for_each_message(round, most, [&](std::int64_t from, std::int64_t to, Data) {
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
