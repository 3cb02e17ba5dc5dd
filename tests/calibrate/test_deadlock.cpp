#include <catch2/catch.hpp>
#include <map>
#include <stdexcept>

#include "calibrate/kernels/gups/gups.hpp"
#include "calibrate/routing/wait_cycle.hpp"

using namespace narrows;

TEST_CASE("one receive buffer for all dimensions deadlocks as in garg2006, Figure 3a, and the run says how") {
    GupsOptions options{
        .shape = {8, 8}, .table_words = std::uint64_t{1} << 16, .receive_buffers = 1, .workers = GENERATE(1, 2)};
    const GupsRun run = run_gups(options);
    CHECK_FALSE(run.verified);
    CHECK_THAT(run.deadlock, Catch::StartsWith("deadlock: "));
    CHECK_THAT(run.deadlock, Catch::Contains("ranks wait for each other in a circle"));
    CHECK_THAT(run.deadlock, Catch::Contains("one receive buffer for each dimension prevents this"));
}

TEST_CASE("a receive buffer for each dimension does not deadlock where a single one does") {
    GupsOptions options{.shape = {8, 8}, .table_words = std::uint64_t{1} << 16, .in_transit = 1};
    const GupsRun run = run_gups(options);
    CHECK(run.deadlock.empty());
    CHECK(run.verified);
    CHECK(run.errors == 0);
}

TEST_CASE("a circle of waiting ranks is told from where it closes, without the ranks that lead into it") {
    const std::map<int, WaitEdge> edges = {{0, {3, 0}}, {3, {7, 1}}, {7, {5, 0}}, {5, {3, 1}}};
    const auto blocked_on = [&edges](int rank) { return edges.contains(rank) ? edges.at(rank) : WaitEdge{}; };
    CHECK(explain_wait_cycle(8, blocked_on, "one receive buffer for each dimension prevents this") ==
          "deadlock: 3 ranks wait for each other in a circle\n"
          "  rank 3: its receive buffer holds an update that must go on along dimension 2, where its bucket for rank 7 "
          "is "
          "full, and the receive buffer of rank 7 is not free\n"
          "  rank 7: its receive buffer holds an update that must go on along dimension 1, where its bucket for rank 5 "
          "is "
          "full, and the receive buffer of rank 5 is not free\n"
          "  rank 5: its receive buffer holds an update that must go on along dimension 2, where its bucket for rank 3 "
          "is "
          "full, and the receive buffer of rank 3 is not free\n"
          "  and so back to rank 3; one receive buffer for each dimension prevents this");
}

TEST_CASE("ranks that wait in a line are no circle") {
    const auto blocked_on = [](int rank) { return rank < 5 ? WaitEdge{rank + 1, 0} : WaitEdge{}; };
    CHECK(explain_wait_cycle(6, blocked_on, "ask") == "the ranks cannot proceed, but there is no circular wait; ask");
    CHECK_THROWS_AS(explain_wait_cycle(3, blocked_on, "ask"), std::logic_error);
}
