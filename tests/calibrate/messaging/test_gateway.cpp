#include <catch2/catch.hpp>
#include <string>
#include <tuple>

#include "calibrate/messaging/collectives.hpp"
#include "gateway_world.hpp"

using namespace narrows;

namespace {

std::byte data[64];

}  // namespace

TEST_CASE("gateways: domains, their gateways and the way between them") {
    const GatewayShape shape = shape_of(20, 8, 4, false);
    CHECK(shape.domains() == 3);
    CHECK(shape.total() == 26);
    CHECK(shape.controller(2) == 22);
    CHECK(shape.host(0) == 23);
    for (const auto& [id, domain] : {std::pair{0, 0}, {7, 0}, {8, 1}, {19, 2}, {20, 0}, {22, 2}, {23, 0}, {25, 2}}) {
        CHECK(shape.domain_of(id) == domain);
    }
    CHECK(shape.next_hop(20, 2) == 23);
    CHECK(shape.next_hop(23, 2) == 25);
    CHECK(shape.next_hop(25, 2) == 22);
    CHECK(shape.next_hop(22, 2) == 22);
    GatewayShape roadrunner;
    roadrunner.ranks = 97920;
    CHECK(roadrunner.gateways() == 24480);
    CHECK(roadrunner.total() == 122400);
    CHECK(GatewayMemory::bytes_per_rank(roadrunner) < 1400);
}

TEST_CASE("gateways: what is delivered is what was sent, in order, for several shapes") {
    const auto [ranks, domain, slots, workers, messages] =
        GENERATE(std::tuple{2, 1, 1, 2, 4000U}, std::tuple{4, 2, 2, 1, 4000U}, std::tuple{2, 1, 4, 6, 100U},
                 std::tuple{16, 8, 2, 2, 6000U}, std::tuple{20, 8, 1, 2, 6000U}, std::tuple{64, 4, 3, 2, 12000U});
    const bool overlap = GENERATE(false, true);
    check_gateway_messages(shape_of(ranks, domain, slots, overlap), synchronous_mix(ranks, messages, 5), workers);
}

TEST_CASE("gateways: all ranks of many domains exchange messages at once, through few slots") {
    const int ranks = 96;
    GatewayWorld world(shape_of(ranks, 8, 1, false), 2);
    std::atomic<int> wrong{0};
    const RankTimes times = run_with_gateways(world, [&](int rank, auto& protocol, auto& waiter) {
        MemberOf member(protocol, rank, waiter);
        for (int round = 0; round < 20; ++round) {
            std::int64_t sum = rank;
            std::int64_t scratch = 0;
            allreduce(member, Algorithm::recursive_doubling, &sum, &scratch, 1, std::plus<>());
            wrong += sum == ranks * (ranks - 1) / 2 ? 0 : 1;
        }
    });
    CHECK_FALSE(times.deadlocked);
    CHECK(wrong == 0);
}

TEST_CASE("gateways: what a rank may not do is an error that says so") {
    const auto fails = [](auto step, const std::string& text) {
        GatewayWorld world(shape_of(4, 2, 2, false), 2);
        CHECK_THROWS_WITH(run_with_gateways(world, step), text);
    };
    fails(
        [](int rank, auto& p, auto& w) {
            if (rank == 0) p.send(0, 4, 0, data, 8, w);
        },
        "there is no rank 4: ranks are 0 to 3");
    fails(
        [](int rank, auto& p, auto& w) {
            if (rank == 0) p.send(0, 2, 5, data, 8, w);
            if (rank == 2) p.receive(2, 0, 6, data, 8, w);
        },
        "rank 0 sends tag 5 to rank 2, which waits for tag 6: receive in the order of the sends");
    fails(
        [](int rank, auto& p, auto& w) {
            if (rank == 0) p.send(0, 2, 5, data, 64, w);
            if (rank == 2) p.receive(2, 0, 5, data, 8, w);
        },
        "rank 2 was sent 64 bytes by rank 0 and receives into 8: give it a larger buffer");
}

TEST_CASE("gateways: ranks that wait for each other are a deadlock, not a hang") {
    GatewayWorld world(shape_of(4, 2, 2, false), 2);
    const RankTimes times = run_with_gateways(world, [](int rank, auto& protocol, auto& waiter) {
        if (rank % 2 == 0) protocol.send(rank, 2 - rank, 0, data, 8, waiter);
    });
    CHECK(times.deadlocked);
}

TEST_CASE("gateways: as many ranks as Roadrunner's processors have exchange messages in one process") {
    const int ranks = sanitized ? 640 : 97920;
    GatewayWorld world(shape_of(ranks, 8, 4, false), 2);
    std::atomic<int> wrong{0};
    const RankTimes times = run_with_gateways(
        world,
        [&](int rank, auto& protocol, auto& waiter) {
            // Each gives its number to the rank half the system away and to its neighbour, and takes theirs.
            for (const int peer : {(rank + ranks / 2) % ranks, rank ^ 1}) {
                std::int64_t value = -1;
                const std::int64_t own = rank;
                if (rank < peer) protocol.send(rank, peer, 1, &own, 8, waiter);
                protocol.receive(rank, peer, 1, &value, 8, waiter);
                if (rank > peer) protocol.send(rank, peer, 1, &own, 8, waiter);
                wrong += value == peer ? 0 : 1;
            }
        },
        default_stack_bytes);
    CHECK_FALSE(times.deadlocked);
    CHECK(wrong == 0);
}
