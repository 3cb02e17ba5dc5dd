#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "calibrate/kernels/gups/bucketed_ranks.hpp"
#include "calibrate/kernels/gups/gups.hpp"
#include "calibrate/kernels/gups/process_gups.hpp"
#include "calibrate/kernels/gups/stream.hpp"
#include "calibrate/kernels/gups/variants.hpp"
#include "calibrate/ranks/sanitizer.hpp"

using namespace narrows;

namespace {

GupsOptions of(GupsVariant variant, int log2_table) {
    GupsOptions options{.variant = variant, .table_words = std::uint64_t{1} << log2_table};
    return options;
}

void check_right(const GupsRun& run, int most_held = 1024) {
    CHECK(run.deadlock.empty());
    CHECK(run.verified);
    CHECK(run.errors == 0);
    CHECK(run.counters.held_max <= most_held);
}

// (X - 1) / X of the updates change a coordinate of a dimension of size X.
double mean_hops(const std::vector<int>& shape) {
    double hops = 0;
    for (const int size : shape) hops += (size - 1.0) / size;
    return hops;
}

// The hops of every single update, one for each coordinate in which its owner is not the rank that forms it.
double counted_hops(const GupsOptions& options) {
    const GupsOptions chosen = checked(options);
    const RoutePlan plan(chosen.shape, table_ownership(chosen), 0);
    std::uint64_t hops = 0;
    for (int rank = 0; rank < chosen.ranks; ++rank) {
        const UpdateShare share = stream_share(chosen, rank);
        Word update = stream_start(share.first);
        for (std::uint64_t i = 0; i < share.count(); ++i) {
            update = next_update(update);
            const int owner = plan.ownership().owner(update);
            for (int d = 0; d < plan.dimension_count(); ++d) {
                hops += plan.coordinate(owner, d) != plan.coordinate(rank, d) ? 1 : 0;
            }
        }
    }
    return static_cast<double>(hops) / static_cast<double>(chosen.updates);
}

}  // namespace

TEST_CASE("sequential and local runs leave every entry right, with near and far tables and both page sizes") {
    const auto variant = GENERATE(GupsVariant::sequential, GupsVariant::local);
    const int log2_table = GENERATE(0, 1, 10, 19);
    GupsOptions options = of(variant, log2_table);
    if (variant == GupsVariant::local && log2_table == 0) options.ranks = 1;
    options.pages = GENERATE(PageSize::large, PageSize::small);
    options.updates = GENERATE(0, 1, 13, 100001);
    const GupsRun run = run_gups(options);
    check_right(run);
    CHECK(run.counters.updates == (options.updates == 0 ? 4 * options.table_words : options.updates));
}

TEST_CASE("routed runs leave every entry right, on any shape, on threads and on fibers") {
    const std::vector<int> shape =
        GENERATE(std::vector<int>{1}, std::vector<int>{2}, std::vector<int>{7}, std::vector<int>{4, 4, 2},
                 std::vector<int>{3, 5, 2}, std::vector<int>{1, 1, 4}, std::vector<int>{2, 2},
                 std::vector<int>{6, 1, 3, 2}, std::vector<int>(sanitized ? 6 : 10, 2), std::vector<int>{100});
    GupsOptions options = of(GupsVariant::routed, 14);
    options.shape = shape;
    options.workers = GENERATE(1, 2, 3);
    const GupsRun run = run_gups(options);
    check_right(run);
    CHECK(run.shape == shape);
    CHECK(run.counters.hops_per_update == Approx(counted_hops(options)).epsilon(1e-12));
    if (run.counters.pairs > 0) CHECK(run.counters.packets_in_transit <= 2 * run.counters.pairs);
}

TEST_CASE("of buckets smaller than the shape allows no more words are under way than of two packets a pair") {
    GupsOptions options = of(GupsVariant::routed, 14);
    options.shape = GENERATE(std::vector<int>{2}, std::vector<int>{3, 20}, std::vector<int>{2, 2, 2});
    options.bucket = GENERATE(1, 2, 5, 8);
    options.workers = GENERATE(1, 2);
    const GupsRun run = run_gups(options);
    check_right(run);
    const int largest = most_held / std::accumulate(options.shape.begin(), options.shape.end(), 0);
    CHECK(run.counters.packets_in_transit * run.bucket <= 2 * run.counters.pairs * largest);
    CHECK(run.counters.packets_in_transit > 2 * run.counters.pairs);
}

TEST_CASE("packets are full before the finishing phase") {
    GupsOptions options = of(GupsVariant::routed, 16);
    options.shape = {8, 4};
    options.bucket = GENERATE(0, 1, 3, 8, 50);
    const GupsRun run = run_gups(options);
    check_right(run);
    CHECK(run.bucket == (options.bucket == 0 ? 85 : options.bucket));
    CHECK(run.counters.updates_per_packet == run.bucket);
    CHECK(run.counters.send_blocking_factor >= 0);
    CHECK(run.counters.send_blocking_factor < 1);
}

TEST_CASE("two ranks on two threads are right with every bucket, pages and packets in transit") {
    GupsOptions options = of(GupsVariant::routed, 15);
    options.shape = {2};
    options.workers = 2;
    options.bucket = GENERATE(0, 1, 8, 31, 32, 40, 80, 81, 200);
    options.in_transit = GENERATE(1, 2, 5);
    options.updates = GENERATE(0, 99991);
    check_right(run_gups(options));
}

TEST_CASE("a run with no, few or uneven updates ends") {
    const auto variant = GENERATE(GupsVariant::routed, GupsVariant::bucketed);
    GupsOptions options = of(variant, 10);
    options.ranks = 30;
    if (variant == GupsVariant::routed) options.shape = {3, 5, 2};
    options.updates = GENERATE(1, 7, 29, 31, 1000);
    const GupsRun run = run_gups(options);
    check_right(run);
    CHECK(run.counters.updates == options.updates);
}

TEST_CASE("bucketed runs leave every entry right, on threads and on fibers") {
    GupsOptions options = of(GupsVariant::bucketed, 14);
    options.ranks = GENERATE(1, 2, 3, 7, 32, 100);
    options.workers = GENERATE(1, 2);
    check_right(run_gups(options));
}

// The run would otherwise take ranks that wait for the rest of a bucket to have room for a deadlock, where the worker
// that takes packets has been put aside.
TEST_CASE("bucketed runs: a rank that sends a part of a bucket says that it goes on") {
    GupsOptions options = of(GupsVariant::bucketed, 14);
    options.ranks = GENERATE(2, 3);
    options.workers = 2;
    const GupsOptions chosen = checked(options);
    BucketedRanks<void> ranks(chosen);
    for (const int worker : {0, 1}) ranks.set_up(worker);
    struct Once {
        void advance(std::uint64_t /*updates*/) {}
        bool yield(bool /*progressed*/) { return false; }
    };
    struct Watching {
        BucketedRanks<void>& ranks;
        int last_rank;
        std::uint64_t sent = 0;
        int idle = 0, drained = 0;

        void advance(std::uint64_t /*updates*/) {}
        bool yield(bool progressed) {
            const std::uint64_t now = ranks.workers().at(0)->counters.packets;
            if (!progressed) CHECK(now == sent);
            sent = now;
            idle = progressed ? 0 : idle + 1;
            if (idle < 3) return true;
            Once once;  // the other worker's rank takes what there is
            ranks.run(last_rank, once);
            return ++drained < 40;
        }
    } waiter{ranks, options.ranks - 1};
    ranks.run(0, waiter);
    CHECK(waiter.drained == 40);
}

// After an exchange some have more updates than they formed.
constexpr int most_exchanged = 2048;

TEST_CASE("exchanged runs leave every entry right, by every protocol and through gateways") {
    GupsOptions options = of(GupsVariant::exchanged, 12);
    options.shape = GENERATE(std::vector<int>{2}, std::vector<int>{5}, std::vector<int>{3, 4, 2});
    options.protocol = GENERATE(Protocol::active_message, Protocol::rendezvous, Protocol::buffered,
                                Protocol::receiver_initiated, Protocol::command_queue);
    options.domain = options.protocol == Protocol::receiver_initiated ? GENERATE(0, 2) : 0;
    options.workers = GENERATE(1, 2);
    options.updates = GENERATE(0, 3, 5001);
    const GupsRun run = run_gups(options);
    check_right(run, most_exchanged);
    if (options.updates == 0) CHECK(run.counters.hops_per_update == Approx(counted_hops(options)));
}

TEST_CASE("attempts to send that found no room are those of all processes over all attempts") {
    GupsRun busy, idle;
    busy.seconds = 1;
    busy.counters.packets = 100;
    busy.counters.send_blocking_factor = 0.9;  // of 1000
    idle.counters.packets = 100;
    GupsRun silent;
    const std::vector<std::string> parts = {write_part(busy), write_part(idle), write_part(silent)};
    const GupsRun all = gathered_gups(of(GupsVariant::routed, 12), parts);
    CHECK(all.counters.packets == 200);
    CHECK(all.counters.send_blocking_factor == Approx(900.0 / 1100));
}

TEST_CASE("exchanged runs: a thousand ranks on fibers, by every protocol") {
    GupsOptions options = of(GupsVariant::exchanged, 16);
    options.shape = sanitized ? std::vector<int>{8, 4, 4} : std::vector<int>{16, 8, 8};
    options.protocol = GENERATE(Protocol::active_message, Protocol::rendezvous, Protocol::buffered,
                                Protocol::receiver_initiated, Protocol::command_queue);
    options.updates = 50000;
    const GupsRun run = run_gups(options);
    check_right(run, most_exchanged);
    CHECK(run.counters.updates == options.updates);
}

TEST_CASE("shmem runs leave every entry right by a put an update, on threads and on fibers") {
    GupsOptions options = of(GupsVariant::shmem, 14);
    const auto [ranks, workers] = GENERATE(std::pair{1, 1}, std::pair{2, 2}, std::pair{2, 1}, std::pair{3, 3},
                                           std::pair{8, 2}, std::pair{64, 2}, std::pair{64, 1});
    options.ranks = ranks;
    options.workers = workers;
    options.updates = GENERATE(0, 1, 5001);
    const GupsRun run = run_gups(options);
    check_right(run);
    CHECK(run.counters.packets == run.counters.updates);
    CHECK(run.counters.hops_per_update == 1);
    CHECK(run.counters.held_max <= 512);
    CHECK(run.counters.packets_waiting_max <= run.counters.packets_in_transit);
}

TEST_CASE("shmem runs: the lanes of many ranks are full now and then, in every run alike, and nothing is lost") {
    GupsOptions options = of(GupsVariant::shmem, sanitized ? 13 : 16);
    options.ranks = sanitized ? 128 : 1024;
    options.updates = static_cast<std::uint64_t>(options.ranks) * 1000;
    const GupsRun run = run_gups(options);
    check_right(run);
    CHECK(run.counters.packets == options.updates);
    // One rank owns two of the four words.
    GupsOptions skewed = of(GupsVariant::shmem, 2);
    skewed.ranks = 3;
    skewed.updates = 100000;
    const GupsRun first = run_gups(skewed);
    CHECK(first.errors == 0);
    CHECK(first.counters.send_blocking_factor > 0);
    CHECK(run_gups(skewed).counters.send_blocking_factor == first.counters.send_blocking_factor);
}

TEST_CASE("exchanged runs: ranks that a packet cannot name are input errors") {
    GupsOptions options = of(GupsVariant::exchanged, 24);
    options.ranks = (1 << 20) + 1;
    CHECK_THROWS_WITH(checked(options), Catch::Contains("ranks are too many: give at most 1048576"));
    options.variant = GupsVariant::shmem;
    CHECK_THROWS_WITH(checked(options), Catch::Contains("ranks are too many: give at most 1048576"));
    options.variant = GupsVariant::exchanged;
    options.ranks = 1 << 20;
    options.domain = 8;
    CHECK_THROWS_WITH(checked(options), Catch::Contains("with their gateways"));
}

TEST_CASE("the mean bucket of a bucketed run is that of garg2006, Table 6") {
    const auto [ranks, mean] = GENERATE(std::pair{32, 62.94}, std::pair{256, 8.93});
    GupsOptions options = of(GupsVariant::bucketed, 12);
    options.ranks = ranks;
    options.updates = static_cast<std::uint64_t>(ranks) * (sanitized ? 8192 : 16384);
    const GupsRun run = run_gups(options);
    check_right(run);
    CHECK(run.counters.updates_per_packet == Approx(mean).epsilon(0.015));
}

TEST_CASE("a run too short to send a full packet has the mean of all that it sent") {
    const GupsVariant variant = GENERATE(GupsVariant::bucketed, GupsVariant::routed);
    GupsOptions options = of(variant, 12);
    options.ranks = 4;
    options.updates = 400;  // of 1024 that a rank may hold
    const GupsRun run = run_gups(options);
    check_right(run);
    REQUIRE(run.counters.packets > 0);
    const double sent = run.counters.hops_per_update * static_cast<double>(options.updates);
    CHECK(run.counters.updates_per_packet == Approx(sent / static_cast<double>(run.counters.packets)));
}

TEST_CASE("many ranks route on one machine") {
    GupsOptions options = of(GupsVariant::routed, sanitized ? 13 : 16);
    options.shape = sanitized ? std::vector<int>{8, 4, 4} : std::vector<int>{16, 16, 16};
    options.updates = std::uint64_t{1} << 20;
    const GupsRun run = run_gups(options);
    check_right(run);
    CHECK(run.counters.hops_per_update == Approx(mean_hops(options.shape)).epsilon(0.02));
}

TEST_CASE("updates spread over the ranks, as they do not at the stream's beginning") {
    GupsOptions few = of(GupsVariant::routed, 20);
    few.ranks = GENERATE(1024, 1000);
    few.updates = std::uint64_t{256} * static_cast<std::uint64_t>(few.ranks);
    const auto most_of_a_rank = [&](std::uint64_t first) {
        std::vector<int> received(static_cast<std::size_t>(few.ranks));
        const Ownership ownership = table_ownership(few);
        Word update = stream_start(first);
        for (std::uint64_t i = 0; i < few.updates; ++i) {
            update = next_update(update);
            ++received[static_cast<std::size_t>(ownership.owner(update))];
        }
        return *std::ranges::max_element(received);
    };
    CHECK(most_of_a_rank(few.first_update) < 256 + 5 * 16);  // five standard deviations
    CHECK(most_of_a_rank(0) > 1000);
}

TEST_CASE("verification finds what is wrong") {
    const UpdateTable table(1 << 12, PageSize::small);
    table.fill(0, table.words());
    UpdateStream stream(0);
    for (int batch = 0; batch < 1000; ++batch, stream.advance()) {
        for (std::size_t lane = 0; lane < line_words; ++lane) {
            const Word update = stream.lanes()[lane];
            table.data()[update & (table.words() - 1)] ^= update;
        }
    }
    SECTION("nothing") {
        CHECK(count_errors(table, {0, 8000}, 2) == 0);
    }
    SECTION("an entry that was changed besides") {
        table.data()[77] ^= 4;
        table.data()[4000] ^= 4;
        CHECK(count_errors(table, {0, 8000}, 2) == 2);
    }
    SECTION("an update that is missing") {
        CHECK(count_errors(table, {0, 8001}, 2) == 1);
    }
}

TEST_CASE("progress is reported as a fraction that grows") {
    GupsOptions options = of(GupsVariant::routed, 12);
    options.shape = GENERATE(std::vector<int>{2}, std::vector<int>{8, 8});
    options.workers = 2;
    options.updates = std::uint64_t{1} << (sanitized ? 21 : 25);
    std::vector<double> fractions;
    options.progress = [&fractions](double fraction) { fractions.push_back(fraction); };
    const GupsRun run = run_gups(options);
    check_right(run);
    CHECK(static_cast<double>(fractions.size()) <= run.seconds * 10 + 1);
    CHECK(std::ranges::is_sorted(fractions));
    for (const double fraction : fractions) {
        CHECK(fraction > 0);
        CHECK(fraction <= 1);
    }
}

TEST_CASE("times and rates fit together") {
    GupsOptions options = of(GupsVariant::routed, 16);
    options.shape = {2};
    options.verify = false;
    const GupsRun run = run_gups(options);
    CHECK_FALSE(run.verified);
    CHECK(run.seconds > 0);
    CHECK(run.rate() == Approx(static_cast<double>(run.counters.updates) / run.seconds));
    CHECK(run.counters.cycles_per_update > 0);
    CHECK(GupsRun{}.rate() == 0);
}
