#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/kernels/messages/plan.hpp"
#include "calibrate/kernels/messages/shared_core.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/ranks/run_ranks.hpp"
#include "calibrate/ranks/sanitizer.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

namespace {

/// As few samples as show whether what is sent arrives.
MessageOptions quick(MessageKernel kernel, Protocol protocol, std::vector<std::size_t> sizes, int messages = 40) {
    MessageOptions options;
    options.kernel = kernel;
    options.protocol = protocol;
    options.sizes = std::move(sizes);
    options.repeats = 2;
    options.messages = messages;
    return options;
}

MessageRun check_run(const MessageOptions& options) {
    CAPTURE(std::string(name_of(options.kernel)), std::string(name_of(options.protocol)), options.ranks);
    MessageRun run = measure_messages(options);
    CHECK(run.errors == 0);
    CHECK(run.verified == true);
    CHECK(run.points.size() == options.sizes.size());
    return run;
}

auto any_protocol() {
    return GENERATE(Protocol::active_message, Protocol::eager, Protocol::rendezvous, Protocol::buffered,
                    Protocol::receiver_initiated, Protocol::command_queue);
}

auto any_pair_kernel() {
    return GENERATE(MessageKernel::ping_pong, MessageKernel::stream, MessageKernel::send_overhead,
                    MessageKernel::receive_overhead);
}

}  // namespace

TEST_CASE("pair plan: every size as often, in random order, long messages fewer") {
    const SamplePlan plan = sample_plan({8, 1 << 20}, 5, 1000, 1);
    REQUIRE(plan.samples.size() == 10);
    int long_ones = 0;
    for (const SampleOfSize& sample : plan.samples) {
        long_ones += sample.bytes > 8 ? 1 : 0;
        CHECK(sample.messages == (sample.bytes > 8 ? 4 : 996));
    }
    CHECK(long_ones == 5);
    CHECK(plan.most_bytes() == 1 << 20);
}

TEST_CASE("pairs: partners are half of the ranks apart, and one is left over if they are odd") {
    for (const int ranks : {2, 3, 8, 9}) {
        for (int rank = 0; rank < ranks; ++rank) {
            const int other = pair_partner(rank, ranks);
            CHECK(pair_partner(other, ranks) == rank);
            if (other == rank) {
                CHECK(ranks % 2 == 1);
                CHECK(rank == ranks / 2);
            } else {
                CHECK(begins(rank, ranks) != begins(other, ranks));
            }
        }
    }
}

TEST_CASE("pairs: partners have different threads for any ranks and workers, but one worker") {
    for (int ranks = 2; ranks <= 40; ++ranks) {
        for (int workers = 2; workers <= ranks; ++workers) {
            const RankLayout layout{ranks, workers};
            for (int rank = 0; rank < ranks; ++rank) {
                const int other = pair_partner(rank, ranks);
                CAPTURE(ranks, workers, rank, other);
                REQUIRE((other == rank || layout.worker_of(other) != layout.worker_of(rank)));
            }
        }
    }
}

TEST_CASE("pairs: the first has two cores wherever there are two, and it is told where they share one") {
    MessageOptions options;
    options.kernel = GENERATE(MessageKernel::ping_pong, MessageKernel::stream, MessageKernel::overlap);
    for (options.ranks = 2; options.ranks <= 20; ++options.ranks) {
        for (options.workers = 0; options.workers <= 20; ++options.workers) {
            for (const int cores : {1, 2, 3, 7}) {
                CAPTURE(options.ranks, options.workers, cores);
                REQUIRE(shares_core(options, cores) == (options.workers == 1 || cores == 1));
            }
        }
    }
}

TEST_CASE("ranks that share a core: next to each other, behind one gateway, of processes on one core") {
    constexpr int cores = 2;
    MessageOptions options{.kernel = GENERATE(MessageKernel::exchange, MessageKernel::allreduce, MessageKernel::matvec),
                           .ranks = 8};
    CHECK(shares_core(options, cores));
    options.ranks = 2;
    CHECK_FALSE(shares_core(options, cores));
    options.kernel = MessageKernel::stream;
    options.ranks = 8;
    options.pattern = StreamPattern::indirect;
    CHECK(shares_core(options, cores));
    options = {};
    options.protocol = Protocol::receiver_initiated;
    for (const int domain : {1, 2, 4}) {
        options.ranks = 8;
        options.domain = domain;
        CHECK_FALSE(shares_core(options, cores));  // by way of the gateways, on the other core
    }
    options.domain = 8;
    CHECK(shares_core(options, cores));  // with two gateways, rank 4 is in the first half
    options = {};
    options.transport = Transport::tcp;
    CHECK(shares_core(options, 1));
    CHECK_FALSE(shares_core(options, cores));
    options.ranks = 4;
    CHECK(shares_core(options, cores));
    options.ranks_per_process = 2;
    CHECK_FALSE(shares_core(options, cores));
    options.transport = Transport::mpi;
    CHECK_FALSE(shares_core(options, 1));
}

TEST_CASE("workers beyond the cores share them in blocks") {
    CHECK(core_of_worker(1, 2, 2) == 1);
    CHECK(core_of_worker(1, 2, 8) == 1);
    std::vector<int> of_five;
    for (int worker = 0; worker < 5; ++worker) of_five.push_back(core_of_worker(worker, 5, 2));
    CHECK(of_five == std::vector<int>{0, 0, 1, 1, 1});
}

TEST_CASE("pattern: differs between seeds and is recognised") {
    const std::size_t bytes = GENERATE(1, 7, 8, 9, 100);
    std::vector<std::byte> data(bytes);
    fill_pattern(data.data(), bytes, 3);
    CHECK(has_pattern(data.data(), bytes, 3));
    CHECK_FALSE(has_pattern(data.data(), bytes, 4));
    for (const std::size_t wrong : {std::size_t{0}, bytes / 2, bytes - 1}) {
        data[wrong] ^= std::byte{1};
        CHECK_FALSE(has_pattern(data.data(), bytes, 3));
        data[wrong] ^= std::byte{1};
    }
    fill_pattern(nullptr, 0, 3);
    CHECK(has_pattern(nullptr, 0, 3));
}

TEST_CASE("measured pairs: every kernel and protocol, threads and fibers, brings what was sent") {
    MessageOptions options = quick(any_pair_kernel(), any_protocol(), {8, 2048, 2056, 65536});
    options.ranks = GENERATE(2, 7);
    options.workers = 2;
    const MessageRun run = check_run(options);
    const bool of_one_call =
        options.kernel == MessageKernel::send_overhead || options.kernel == MessageKernel::receive_overhead;
    for (const MessagePoint& point : run.points) {
        CHECK((of_one_call ? point.seconds.value >= 0 : point.seconds.value > 0));
        CHECK(point.seconds.samples == 2);
    }
    CHECK(run.samples.size() == 8);
}

TEST_CASE("measured pairs: every kernel and protocol between processes over TCP") {
    MessageOptions options = quick(any_pair_kernel(), any_protocol(), {8, 2048, 2056, 65536});
    options.transport = Transport::tcp;
    check_run(options);
}

TEST_CASE("measured ranks: exchange and matvec bring the right result by every protocol") {
    MessageOptions options = quick(GENERATE(MessageKernel::exchange, MessageKernel::matvec), any_protocol(), {}, 20);
    options.transport = GENERATE(Transport::shared, Transport::tcp);
    options.ranks = options.transport == Transport::tcp ? 3 : GENERATE(2, 5, 8);
    options.workers = options.transport == Transport::tcp ? 0 : 2;
    options.neighbours = std::min(6, 2 * (options.ranks - 1));
    options.sizes = {static_cast<std::size_t>(8 * options.ranks), static_cast<std::size_t>(80 * options.ranks)};
    check_run(options);
}

TEST_CASE("measured ranks: an allreduce by nodes brings the right result by every protocol that receives") {
    MessageOptions options = quick(MessageKernel::allreduce, any_protocol(), {8, 2048, 20000, 300000}, 8);
    options.algorithm = GENERATE(Algorithm::node, Algorithm::node_direct, Algorithm::node_ring, Algorithm::node_shared);
    options.ranks = GENERATE(2, 9);
    options.node_ranks = GENERATE(2, 4);
    options.workers = 2;
    check_run(options);
}

TEST_CASE("measured ranks: nodes share memory within a domain, and not between processes") {
    MessageOptions options = quick(MessageKernel::allreduce, Protocol::receiver_initiated, {8, 20000}, 8);
    options.algorithm = Algorithm::node_shared;
    options.ranks = 8;
    options.node_ranks = 2;
    options.domain = 4;
    check_run(options);
    options.node_ranks = 3;
    CHECK_THROWS_WITH(measure_messages(options),
                      "the 3 ranks of a node share memory only within a domain, of 4: give a domain of whole nodes");
    options.domain = 0;
    options.transport = Transport::tcp;
    CHECK_THROWS_WITH(measure_messages(options), Catch::Contains("do not share memory"));
}

TEST_CASE("measured streams: every pattern by every protocol that can brings what was sent") {
    MessageOptions options = quick(MessageKernel::stream, any_protocol(), {8, 2048, 65536});
    options.pattern = GENERATE(StreamPattern::bidirectional, StreamPattern::cyclic, StreamPattern::block_cyclic,
                               StreamPattern::indirect);
    options.ranks = GENERATE(2, 5);
    options.workers = 2;
    const bool both_ways = options.pattern == StreamPattern::bidirectional;
    if (both_ways && options.protocol == Protocol::buffered) options.sizes.pop_back();
    if (both_ways && (options.protocol == Protocol::rendezvous || options.protocol == Protocol::receiver_initiated ||
                      options.protocol == Protocol::eager)) {
        CHECK_THROWS_WITH(measure_messages(options), Catch::Contains("cannot go both ways at once"));
        return;
    }
    for (const MessagePoint& point : check_run(options).points) CHECK(point.seconds.value > 0);
}

TEST_CASE("measured streams: from one rank to all over TCP") {
    MessageOptions options = quick(MessageKernel::stream, any_protocol(), {8, 4096});
    options.pattern = StreamPattern::indirect;
    options.transport = Transport::tcp;
    options.ranks = 3;
    check_run(options);
}

TEST_CASE("measured streams: long buffered messages both ways and patterns through gateways are input errors") {
    MessageOptions options{.kernel = MessageKernel::stream,
                           .protocol = Protocol::buffered,
                           .pattern = StreamPattern::bidirectional,
                           .sizes = {8, 2049}};
    CHECK_THROWS_WITH(measure_messages(options),
                      "buffered sends of 2049 B wait for their receives, so that they cannot go both ways at once: "
                      "choose active-message or command-queue, or buffered up to 2048 B");
    options.pattern = StreamPattern::cyclic;
    options.protocol = Protocol::receiver_initiated;
    options.domain = 1;
    CHECK_THROWS_WITH(measure_messages(options),
                      "a stream through gateways goes between pairs only: leave the pattern or the domain out");
}

TEST_CASE("measured overlap: both ratios of every size by every protocol, by polling and with a thread") {
    MessageOptions options = quick(MessageKernel::overlap, any_protocol(), {0, 8, 2056, 65536}, 8);
    options.progress = GENERATE(MessageProgress::poll, MessageProgress::thread);
    options.ranks = options.progress == MessageProgress::poll ? 3 : 2;
    options.workers = options.ranks;
    const MessageRun run = check_run(options);
    REQUIRE(run.overlaps.size() == 4);
    for (const OverlapRatios& ratios : run.overlaps) {
        CHECK(ratios.send.samples == 2);
        CHECK(ratios.send.value > 0);
        CHECK(ratios.receive.value > 0);
    }
}

TEST_CASE("measured overlap: what it needs is said") {
    MessageOptions options{.kernel = MessageKernel::overlap, .ranks = 8, .workers = 2};
    CHECK_THROWS_WITH(measure_messages(options),
                      "overlap needs a thread for each rank, but 8 ranks on 2 workers are fibers: give 2 ranks, or "
                      "8 workers");
    options.workers = 0;
    options.ranks = 2;
    options.transport = Transport::tcp;
    CHECK_THROWS_WITH(measure_messages(options),
                      "overlap is measured over shared memory only: leave the transport out");
    options.transport = Transport::shared;
    options.protocol = Protocol::receiver_initiated;
    options.domain = 1;
    CHECK_THROWS_WITH(measure_messages(options), "overlap is not measured through gateways: leave the domain out");
}

TEST_CASE("measured ranks: who only puts needs no places for what others send") {
    MessageOptions options;
    options.protocol = Protocol::command_queue;
    // Of whose squared number no memory holds 32 bytes each.
    options.ranks = static_cast<int>(std::sqrt(static_cast<double>(available_memory()) / 32)) + 1000;
    CHECK_NOTHROW(check_messages(options));
    options.kernel = MessageKernel::exchange;
    CHECK_THROWS_WITH(check_messages(options), Catch::Contains("give fewer ranks or less bytes"));
}

TEST_CASE("measured pairs: 1024 ranks on fibers by every protocol") {
    MessageOptions options = quick(MessageKernel::ping_pong, any_protocol(), {8, 2056}, 8);
    options.ranks = sanitized ? 128 : 1024;
    options.workers = 2;
    check_run(options);
}

TEST_CASE("measured pairs: through gateways, on more ranks than a domain has") {
    MessageOptions options = quick(MessageKernel::ping_pong, Protocol::receiver_initiated, {8, 4096, 65536});
    options.domain = 4;
    options.ranks = 16;
    check_run(options);
    options.overlap_legs = true;
    check_run(options);
    options.domain = 0;
    CHECK_THROWS_WITH(measure_messages(options), Catch::Contains("has legs to overlap: give a domain"));
    options.domain = 4;
    options.protocol = Protocol::buffered;
    CHECK_THROWS_WITH(measure_messages(options), Catch::Contains("gateways forward receiver-initiated messages"));
}

TEST_CASE("measured ranks: what cannot be is an input error before anything runs") {
    MessageOptions options{.kernel = MessageKernel::exchange, .neighbours = 3};
    CHECK_THROWS_WITH(measure_messages(options), "a rank among 2 has at most 2 neighbours: give fewer");
    options.neighbours = 1;
    options.sizes = {std::size_t{1} << 50};
    CHECK_THROWS_WITH(measure_messages(options), Catch::Contains("MiB of memory are free"));
    options.sizes = {8};
    options.ranks = 1 << 19;
    options.protocol = Protocol::receiver_initiated;  // a descriptor for each pair
    CHECK_THROWS_WITH(measure_messages(options), Catch::Contains("MiB of memory are free: give fewer ranks"));
    options.ranks = 2;
    options.transport = Transport::tcp;
    options.workers = 2;
    CHECK_THROWS_WITH(measure_messages(options),
                      "over TCP, UDP and MPI workers are processes: give the ranks of one in place of the workers");
}

TEST_CASE("pair record: comes back from its bytes") {
    RankRecord record;
    record.checked = 7;
    record.errors = 3;
    record.seconds = {1.5, 0.25};
    const RankRecord back = read_record(write_record(record));
    CHECK(back.checked == 7);
    CHECK(back.errors == 3);
    CHECK(back.seconds == record.seconds);
    CHECK_THROWS_AS(read_record("abc"), std::logic_error);
}

TEST_CASE("measured pairs: options that cannot be are input errors") {
    MessageOptions options;
    options.ranks = 1;
    CHECK_THROWS_WITH(measure_messages(options), "a message needs two ranks: give 2 or more");
    options.ranks = 2;
    options.sizes = {12};
    CHECK_THROWS_WITH(measure_messages(options), "12 B cannot be put: give whole words of 8 B, or another protocol");
    options.protocol = Protocol::buffered;
    options.repeats = 1;
    options.messages = 4;
    CHECK(measure_messages(options).points.size() == 1);
}

TEST_CASE("protocols: names are known both ways, and a mistyped one is suggested") {
    for (const KnownProtocol& known : protocols()) CHECK(name_of(parse_protocol(known.name)) == known.name);
    CHECK_THROWS_WITH(parse_protocol("bufered"), Catch::Contains("did you mean 'buffered'"));
}
