#include <catch2/catch.hpp>
#include <numeric>

#include "calibrate/kernels/gups/gups.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Catch::Matchers::WithinRel;

/// Round numbers: a packet of w words keeps a link busy for 10 + 10 w, a hop takes 3.
GupsOptions clocked(const std::vector<int>& shape, int bucket, std::uint64_t updates) {
    GupsOptions options{.shape = shape, .table_words = std::uint64_t{1} << 14, .updates = updates, .bucket = bucket};
    GupsClock clock;
    clock.grid = {shape, std::vector<bool>(shape.size(), true), 1};
    for (int words = 0; words <= bucket; ++words) clock.links.service.push_back(10.0 + 10.0 * words);
    clock.links.latency = 3;
    clock.links.reception = 64;
    clock.form = 1;
    clock.apply = 50;
    clock.route = 10;
    clock.send = 5;
    clock.receive = 6;
    clock.look = 7;
    options.clock = clock;
    return options;
}

/// Ranks without links to wait for: their packets are there at once.
GupsOptions unlimited(const std::vector<int>& shape, int bucket, std::uint64_t updates) {
    GupsOptions options = clocked(shape, bucket, updates);
    for (double& service : options.clock->links.service) service = 0;
    options.clock->links.latency = 0;
    options.clock->links.reception = 255;
    return options;
}

TEST_CASE("gups by the clock: two ranks, an update each, by hand") {
    // The stream begins 2, 4: of a table of four words 2 is the second rank's, 0 the first's, so that both cross.
    GupsOptions options = clocked({2}, 1, 2);
    options.table_words = 4;
    options.first_update = 0;
    const GupsRun run = run_gups(options);
    CHECK(run.errors == 0);
    CHECK(run.verified);
    // Routed at 10, sent at 15, formed at 16, the end sent at 21. The packet leaves at 15 and is there at 15 + 3 + 20,
    // the end follows at 35 and is there at 35 + 3 + 10. Looks at 28 and 35 find nothing, that at 42 the packet, which
    // is taken up at 48 and applied at 98; the end has come by then.
    CHECK(run.seconds == 98);
    CHECK(run.clocked->work.formed == 2);
    CHECK(run.clocked->work.applied == 2);
    CHECK(run.clocked->work.routed == 2);
    CHECK(run.clocked->work.sent == 2);
    CHECK(run.clocked->work.received == 2);
    CHECK(run.clocked->packet_links == 4);  // two packets, two ends
    CHECK(run.clocked->steady_seconds == 0);
}

TEST_CASE("gups by the clock: a rank whose packets find no place looks until they do") {
    // Links so slow that nothing but their service counts.
    GupsOptions options = clocked({2}, 4, 1 << 18);
    options.clock->links.service = {1e4, 1e4, 1e4, 1e4, 1e4};
    options.clock->links.injection = 1;
    const GupsRun run = run_gups(options);
    CHECK(run.errors == 0);
    const ClockedGups& clocked_run = *run.clocked;
    // A packet of four for every eight updates of two ranks, each rank with a link of its own.
    CHECK_THAT(clocked_run.steady_rate(), WithinRel(2 * 8 / 1e4, 0.03));
    CHECK(clocked_run.blocking() > 0.95);
    CHECK_THAT(clocked_run.fullest_link[0], WithinRel(1, 0.02));
    CHECK_THAT(clocked_run.mean_link[0], WithinRel(1, 0.02));
}

TEST_CASE("gups by the clock: without links to wait for, an update takes what its parts do") {
    const std::vector<int> shape = GENERATE(std::vector<int>{8}, std::vector<int>{3, 2, 2});
    const int ranks = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
    const GupsRun run = run_gups(unlimited(shape, 4, static_cast<std::uint64_t>(ranks) * 40009));
    CHECK(run.errors == 0);
    double hops = 0;
    for (const int size : shape) hops += (size - 1.0) / size;
    CHECK_THAT(run.counters.hops_per_update, WithinRel(hops, 0.04));
    // No processor ever waits: its time is that of what it does.
    const ClockedWork& work = run.clocked->steady;
    const auto took = [](std::uint64_t times, double seconds) { return static_cast<double>(times) * seconds; };
    const double busy = took(work.formed, 1) + took(work.applied, 50) + took(work.routed, 10) + took(work.sent, 5) +
                        took(work.received, 6);
    CHECK_THAT(run.clocked->steady_seconds * ranks, WithinRel(busy, 0.02));
    CHECK(run.clocked->blocking() == 0);
}

TEST_CASE("gups by the clock: nothing is lost, everything passes its links, and a run is the same again") {
    GupsOptions options = clocked({8, 4}, 3, std::uint64_t{32} * 256);
    options.clock->links.through = 2;
    options.clock->links.injection = 2;
    options.clock->links.reception = 3;
    const GupsRun run = run_gups(options);
    CHECK(run.errors == 0);
    const ClockedWork& work = run.clocked->work;
    CHECK(work.formed == options.updates);
    CHECK(work.applied == options.updates);
    CHECK(work.sent == work.received);
    CHECK(work.sent == run.counters.packets);
    CHECK(static_cast<double>(work.routed) == run.counters.hops_per_update * static_cast<double>(options.updates));
    CHECK(run.counters.held_max <= 1024);
    CHECK(run.clocked->blocking() > 0);
    const GupsRun again = run_gups(options);
    CHECK(again.seconds == run.seconds);
    CHECK(again.clocked->events == run.clocked->events);
    CHECK(again.clocked->steady.refused == run.clocked->steady.refused);
    CHECK(again.clocked->fullest_link == run.clocked->fullest_link);
}

TEST_CASE("gups by the clock: a middle of a few updates a rank is none") {
    const auto middle = [](std::uint64_t a_rank) { return run_gups(clocked({4, 2}, 2, 8 * a_rank)).clocked.value(); };
    for (const std::uint64_t updates : {1U, 2U, 5U, 40U, 79U}) {
        CAPTURE(updates);
        const ClockedGups run = middle(updates);
        CHECK(run.seconds > 0);
        CHECK(run.steady_seconds == 0);
        CHECK(run.steady.formed == 0);
        CHECK(run.steady_rate() == 0);
        CHECK(run.mean_link.empty());
    }
    const ClockedGups run = middle(400);
    CHECK(run.steady.formed == 800);
    CHECK(run.steady_seconds >= 20 * 61);
}

TEST_CASE("gups by the clock: ranks that share nodes go a hop more, without a link") {
    GupsOptions options = clocked({2, 4, 2}, 4, std::uint64_t{16} * 10007);
    options.clock->grid = {{4, 2}, {true, true}, 2};
    const GupsRun run = run_gups(options);
    CHECK(run.errors == 0);
    CHECK_THAT(run.counters.hops_per_update, WithinRel(0.75 + 0.5 + 0.5, 0.04));
    CHECK(run.clocked->mean_link.size() == 2);
}

TEST_CASE("gups by the clock: two dimensions inside a node with room for one packet each do not wait for each other") {
    GupsOptions options = clocked({2, 2, 2, 2}, 1, std::uint64_t{16} * 4001);
    options.clock->grid = {{2, 2}, {true, true}, 4};
    options.clock->links.through = 2;
    options.clock->links.injection = 1;
    options.clock->links.reception = 1;
    const GupsRun run = run_gups(options);
    CHECK(run.deadlock.empty());
    CHECK(run.verified);
    CHECK(run.errors == 0);
}

TEST_CASE("gups by the clock: ranks that wait for each other are told of the machine's buffers") {
    // A ring whose links have room for one packet cannot go on when it is full.
    GupsOptions options = clocked({8}, 1, std::uint64_t{8} * 4001);
    options.clock->links.through = 1;
    options.clock->links.injection = 1;
    options.clock->links.reception = 1;
    const GupsRun run = run_gups(options);
    CHECK_FALSE(run.verified);
    CHECK_THAT(run.deadlock, Catch::EndsWith("network.reception.buffer, network.injection.buffer and "
                                             "network.link.buffer"));
}

TEST_CASE("gups by the clock: packets that may be on their way have to fit in memory") {
    GupsOptions options = clocked({64, 64}, 4, std::uint64_t{1} << 40);
    LinkCosts& links = options.clock->links;
    links.injection = 4;
    CHECK_NOTHROW(checked(options));  // links fill until own packets are held up
    const auto refused = [&] { CHECK_THROWS_WITH(checked(options), Catch::Contains("do not fit in the")); };
    links.injection = 1'000'000;
    links.through = 2;
    refused();
    links.injection = 4;
    links.through = 1'000'000'000;
    refused();
    links.injection = 0;
    links.through = 2;
    refused();
    // What is never sent needs no place.
    options.updates = 1000;
    CHECK_NOTHROW(checked(options));
}

TEST_CASE("gups by the clock: a rank alone has a clock too, and slower processors take as much longer") {
    const GupsRun alone = run_gups(unlimited({1}, 0, 1000));
    CHECK(alone.seconds == 51 * 1000);
    CHECK(alone.errors == 0);
    GupsOptions options = clocked({4, 4}, 4, std::uint64_t{16} * 64);
    const double seconds = run_gups(options).seconds;
    GupsClock& clock = *options.clock;
    for (double* cost :
         {&clock.form, &clock.apply, &clock.route, &clock.send, &clock.receive, &clock.look, &clock.links.latency}) {
        *cost *= 2;
    }
    for (double& service : clock.links.service) service *= 2;
    CHECK(run_gups(options).seconds == 2 * seconds);
}

}  // namespace
}  // namespace narrows
