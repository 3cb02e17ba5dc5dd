#include <catch2/catch.hpp>
#include <functional>

#include "calibrate/ranks/ordered_worker.hpp"

namespace narrows {
namespace {

/// Ranks and events by functions, and what happened in which order.
struct Script {
    std::function<void(int, OrderedWaiter&)> rank;
    std::function<void(double, std::uint32_t)> event;
    OrderedWorker* worker = nullptr;
    bool ended = false;
    std::vector<double> ends;

    void run(int ranks) {
        FiberStacks stacks(ranks, default_stack_bytes, PageSize::large);
        ends.assign(static_cast<std::size_t>(ranks), -1);
        OrderedProgram program;
        program.run = [this](int id, OrderedWaiter& waiter) {
            rank(id, waiter);
            ends[static_cast<std::size_t>(id)] = waiter.now();
        };
        program.handle = event;
        OrderedWorker own(ranks, stacks, 1, std::move(program));
        worker = &own;
        ended = own.run();
    }
};

TEST_CASE("ordered clock: the rank with the least clock goes first") {
    Script script;
    std::vector<std::pair<int, double>> turns;
    script.rank = [&](int rank, OrderedWaiter& waiter) {
        for (int i = 0; i < 3; ++i) {
            waiter.spend(rank == 0 ? 5 : 3);
            waiter.await_turn();
            turns.emplace_back(rank, waiter.now());
        }
    };
    script.run(2);
    CHECK(script.ended);
    CHECK(turns == std::vector<std::pair<int, double>>{{1, 3}, {0, 5}, {1, 6}, {1, 9}, {0, 10}, {0, 15}});
}

TEST_CASE("ordered clock: events before a rank's turn have happened, later ones have not") {
    Script script;
    int happened = 0;
    script.event = [&](double, std::uint32_t) { ++happened; };
    script.rank = [&](int, OrderedWaiter& waiter) {
        script.worker->schedule(4, 0);
        script.worker->schedule(8, 1);
        waiter.spend(5);
        waiter.await_turn();
        CHECK(happened == 1);
        waiter.spend(5);
        waiter.await_turn();
        CHECK(happened == 2);
    };
    script.run(1);
    CHECK(script.ended);
}

TEST_CASE("ordered clock: a rank whose polls are unsuccessful goes on at the first poll after a change") {
    Script script;
    script.event = [&](double time, std::uint32_t) { script.worker->changed(0, time); };
    script.rank = [&](int, OrderedWaiter& waiter) {
        waiter.looks_take(10);
        waiter.spend(1);
        waiter.await_turn();
        script.worker->schedule(27, 0);
        script.worker->schedule(25, 0);
        waiter.yield(false);
        CHECK(waiter.now() == 31);  // looks at 11 and 21 find nothing
        CHECK(waiter.missed() == 2);
        waiter.yield(true);
        CHECK(waiter.now() == 31);
        CHECK(waiter.missed() == 0);
    };
    script.run(1);
    CHECK(script.ended);
    CHECK(script.ends[0] == 31);
}

TEST_CASE("ordered clock: ranks for which nothing can change any more wait for each other") {
    Script script;
    script.rank = [](int, OrderedWaiter& waiter) {
        waiter.looks_take(1);
        waiter.yield(false);
    };
    script.run(3);
    CHECK(!script.ended);
}

TEST_CASE("ordered clock: what a rank throws ends the run") {
    Script script;
    script.rank = [](int rank, OrderedWaiter&) {
        if (rank == 1) throw std::runtime_error("out of cheese");
    };
    CHECK_THROWS_WITH(script.run(3), "out of cheese");
}

}  // namespace
}  // namespace narrows
