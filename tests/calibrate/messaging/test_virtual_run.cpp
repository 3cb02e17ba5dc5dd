#include <catch2/catch.hpp>

#include "calibrate/messaging/messaging_memory.hpp"
#include "calibrate/messaging/virtual_run.hpp"

using namespace narrows;

namespace {

VirtualCosts two_places() {
    VirtualCosts costs;
    costs.places = {{2, {1, 10, 3, 0.5}, {0, 0.25, 0, 0}}, {4, {2, 20, 5, 0.5}, {0, 0, 0, 0}}};
    costs.gateways.to_controller = 1;
    costs.gateways.from_controller = 2;
    costs.gateways.message = 7;
    costs.gateways.request = 0.5;
    costs.gateways.between_controller_and_host = {3, 0.125};
    costs.gateways.between_hosts = {30, 0};
    return costs;
}

/// Runs `body(messages, rank, waiter)` and returns the ranks' clocks at their ends.
template <class Body>
std::vector<double> clocks(int ranks, int domain, Body body) {
    VirtualCosts costs = two_places();
    if (domain > 0) costs.places.pop_back();  // what is beyond the first place passes gateways
    std::vector<double> ends(static_cast<std::size_t>(ranks));
    const VirtualTimes times = run_virtual(ranks, domain, costs, {}, [&](auto& messages, int rank, auto& waiter) {
        body(messages, rank, waiter);
        ends[static_cast<std::size_t>(rank)] = waiter.now();
    });
    CHECK(times.seconds == *std::ranges::max_element(ends));
    return ends;
}

template <class Messages, class Waiter>
void send_word(Messages& messages, int me, int to, Waiter& waiter) {
    const std::uint64_t word = 42;
    messages.send(me, to, 0, &word, sizeof word, waiter);
}

template <class Messages, class Waiter>
void receive_word(Messages& messages, int me, int from, Waiter& waiter) {
    std::uint64_t word = 0;
    CHECK(messages.receive(me, from, 0, &word, sizeof word, waiter) == sizeof word);
    CHECK(word == 42);
}

}  // namespace

TEST_CASE("virtual clock: a message costs what its place says, whoever is there first") {
    SECTION("the receiver waits") {
        const auto ends = clocks(4, 0, [](auto& messages, int rank, auto& waiter) {
            if (rank == 0) waiter.spend(100);
            if (rank == 0) send_word(messages, 0, 1, waiter);
            if (rank == 1) receive_word(messages, 1, 0, waiter);
        });
        CHECK(ends[0] == 101);
        CHECK(ends[1] == 101 + 10 + 8 * 0.25 + 3);
    }
    SECTION("the sender waits until it knows that the receiver does") {
        const auto ends = clocks(4, 0, [](auto& messages, int rank, auto& waiter) {
            if (rank == 3) waiter.spend(100);
            if (rank == 3) receive_word(messages, 3, 1, waiter);
            if (rank == 1) send_word(messages, 1, 3, waiter);
        });
        CHECK(ends[1] == 100.5 + 2);
        CHECK(ends[3] == 100.5 + 2 + 20 + 5);
    }
}

TEST_CASE("virtual clock: a message through gateways passes its legs one after the other") {
    const auto ends = clocks(4, 2, [](auto& messages, int rank, auto& waiter) {
        if (rank == 1) waiter.spend(1000);
        if (rank == 1) send_word(messages, 1, 2, waiter);
        if (rank == 2) receive_word(messages, 2, 1, waiter);
    });
    const double leaves = 1000 + 1 + 7;  // to the controller, which is busy with it
    CHECK(ends[1] == leaves + 2);
    CHECK(ends[2] == leaves + (3 + 8 * 0.125) + 30 + 7 + (3 + 8 * 0.125) + 2);  // the other host is busy with it too
}

TEST_CASE("virtual clock: a sender behind gateways waits for the request of its receiver") {
    const auto ends = clocks(4, 2, [](auto& messages, int rank, auto& waiter) {
        if (rank == 2) waiter.spend(1000);
        if (rank == 2) receive_word(messages, 2, 1, waiter);
        if (rank == 1) send_word(messages, 1, 2, waiter);
    });
    const double asked = 1000 + 1 + 0.5 + 3 + 30 + 0.5 + 3;  // a controller and a host are busy with it
    CHECK(ends[1] == asked + 2);
    CHECK(ends[2] == asked + (3 + 8 * 0.125) + 30 + 7 + (3 + 8 * 0.125) + 2);
}

TEST_CASE("virtual clock: a controller serves in the order of arrival though ranks run in another") {
    // Both receivers asked long ago. Rank 1 sends first, though rank 0 runs first.
    const auto ends = clocks(4, 2, [](auto& messages, int rank, auto& waiter) {
        if (rank == 0) waiter.spend(1003);
        if (rank == 1) waiter.spend(1000);
        if (rank < 2) {
            send_word(messages, rank, rank + 2, waiter);
        } else {
            receive_word(messages, rank, rank - 2, waiter);
        }
    });
    const double first = 1000 + 1 + 7;
    CHECK(ends[1] == first + 2);
    CHECK(ends[0] == first + 7 + 2);  // it comes at 1004 and waits until 1008
}

TEST_CASE("virtual clock: requests that cost nothing pass a controller that is busy") {
    VirtualCosts costs = two_places();
    costs.places.pop_back();
    costs.gateways.request = 0;
    std::vector<double> ends(4);
    // Rank 0's message keeps its controller busy from 1000 to 1007; rank 3 asks rank 1 of the same domain meanwhile.
    run_virtual(4, 2, costs, {}, [&](auto& messages, int rank, auto& waiter) {
        if (rank == 0) waiter.spend(1000);
        if (rank == 3) waiter.spend(1004 - 1 - 36);
        if (rank < 2) {
            send_word(messages, rank, rank + 2, waiter);
        } else {
            receive_word(messages, rank, rank - 2, waiter);
        }
        ends[static_cast<std::size_t>(rank)] = waiter.now();
    });
    const double asked = 1004;  // rank 1's message has been served long ago: it leaves as soon as it is asked for
    CHECK(ends[0] == 1000 + 1 + 7 + 2);
    CHECK(ends[1] == asked + 2);
    CHECK(ends[3] == asked + (3 + 8 * 0.125) + 30 + 7 + (3 + 8 * 0.125) + 2);
}

TEST_CASE("virtual clock: ranks that wait for each other for ever are told") {
    for (const int domain : {0, 1}) {
        CHECK_THROWS_WITH(
            clocks(2, domain,
                   [](auto& messages, int rank, auto& waiter) { receive_word(messages, rank, 1 - rank, waiter); }),
            "deadlock: every rank waits for a message, and none is under way");
    }
}

TEST_CASE("virtual clock: gateways are no fibers, and need no stacks") {
    const auto memory = [](int domain, bool virtual_time) {
        return messaging_memory(Protocol::receiver_initiated, domain, 1024, 1, virtual_time);
    };
    CHECK(memory(8, false) - memory(8, true) == 256 * default_stack_bytes);
    CHECK(memory(0, false) == memory(0, true));
    // A rank alone is a fiber beside the clock's thread.
    CHECK(messaging_memory(Protocol::receiver_initiated, 0, 1, 1, true) >= default_stack_bytes);
}

TEST_CASE("virtual clock: a rank alone has a clock too, and what a rank throws ends the run") {
    CHECK(clocks(1, 0, [](auto&, int, auto& waiter) { waiter.spend(5); })[0] == 5);
    CHECK_THROWS_WITH(clocks(3, 0,
                             [](auto&, int rank, auto&) {
                                 if (rank == 1) throw std::runtime_error("out of cheese");
                             }),
                      "out of cheese");
}
