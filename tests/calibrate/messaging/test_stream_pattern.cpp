#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "calibrate/kernels/messages/stream_pattern.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

namespace {

std::vector<int> first_targets(const StreamRoutes& routes, int rank, std::size_t bytes, int count) {
    StreamCursor order = routes.cursor(rank, bytes);
    std::vector<int> targets;
    for (int i = 0; i < count; ++i) targets.push_back(order.next());
    return targets;
}

}  // namespace

TEST_CASE("stream pattern: cyclic goes to all others in turn as in Figure 3a of underwood2008") {
    const StreamRoutes routes(StreamPattern::cyclic, 4);
    CHECK(first_targets(routes, 0, 8, 7) == std::vector<int>{1, 2, 3, 1, 2, 3, 1});
}

TEST_CASE("stream pattern: block-cyclic goes on to the next when 4 KiB have gone as in Figure 4 of underwood2008") {
    const StreamRoutes routes(StreamPattern::block_cyclic, 3);
    CHECK(first_targets(routes, 0, 1024, 9) == std::vector<int>{1, 1, 1, 1, 2, 2, 2, 2, 1});
    CHECK(first_targets(routes, 0, 4096, 3) == std::vector<int>{1, 2, 1});
    CHECK(first_targets(routes, 0, 1 << 20, 3) == std::vector<int>{1, 2, 1});
    CHECK(first_targets(routes, 0, 0, 4096) == std::vector<int>(4096, 1));
}

TEST_CASE("stream pattern: indirect reaches every other in an order of its own that is the same for all") {
    const StreamRoutes routes(StreamPattern::indirect, 9);
    const std::vector<int> targets = first_targets(routes, 0, 8, 80);
    std::map<int, int> counts;
    for (const int target : targets) ++counts[target];
    CHECK(counts.size() == 8);
    CHECK(counts.begin()->first == 1);
    CHECK(counts.rbegin()->first == 8);
    CHECK(targets != first_targets(StreamRoutes(StreamPattern::cyclic, 9), 0, 8, 80));
    CHECK(targets == first_targets(StreamRoutes(StreamPattern::indirect, 9), 0, 8, 80));
}

TEST_CASE("stream pattern: every message has a receiver that expects it from its sender") {
    const StreamPattern pattern = GENERATE(StreamPattern::pairs, StreamPattern::bidirectional, StreamPattern::cyclic,
                                           StreamPattern::block_cyclic, StreamPattern::indirect);
    const int ranks = GENERATE(2, 3, 8, 9);
    const std::size_t bytes = GENERATE(8, 1000, 10000);
    constexpr int count = 1003;
    const StreamRoutes routes(pattern, ranks);
    std::map<std::pair<int, int>, int> sent;
    for (int rank = 0; rank < ranks; ++rank) {
        if (!routes.sends(rank)) continue;
        for (const int to : first_targets(routes, rank, bytes, count)) ++sent[{rank, to}];
    }
    int expected = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        if (!routes.receives(rank)) continue;
        const int source = routes.source(rank);
        REQUIRE(routes.sends(source));
        CHECK(routes.targets(source)[static_cast<std::size_t>(routes.number_of(rank))] == rank);
        CHECK(routes.messages_to(rank, count, bytes) == sent[{source, rank}]);
        expected += sent[{source, rank}];
    }
    int all = 0;
    for (const auto& [pair, messages] : sent) all += messages;
    CHECK(expected == all);
    CHECK(all > 0);
}

TEST_CASE("stream pattern: names are known both ways and a mistyped one is suggested") {
    for (const std::string_view known : stream_patterns) CHECK(name_of(parse_stream_pattern(known)) == known);
    CHECK_THROWS_WITH(parse_stream_pattern("cyclicc"), Catch::Contains("did you mean 'cyclic'"));
}
