#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>

#include "calibrate/ranks/event_calendar.hpp"
#include "calibrate/transport/torus_links.hpp"

namespace narrows {
namespace {

using Arrivals = std::vector<std::pair<int, double>>;  // rank, time

/// Links with nobody behind them: a packet of w words keeps a link busy for 10 + 10 w, a hop takes 3.
class Wires final : public LinkHost {
  public:
    explicit Wires(const LinkGrid& grid, LinkCosts costs = {}, int inside_dimensions = 0)
        : inside(inside_dimensions),
          links(grid, static_cast<int>(grid.shape.size()) + inside, timed(std::move(costs)), *this) {}

    static LinkCosts timed(LinkCosts costs) {
        if (costs.service.empty()) costs.service = {10, 20, 30};
        costs.latency = 3;
        if (costs.reception == 1) costs.reception = 100;
        return costs;
    }
    void schedule(double time, std::uint32_t event) override { calendar.push(time, event); }
    void deliver(double time, int rank, int dimension, const Word* words, int count) override {
        arrivals.emplace_back(rank, time);
        last_word = words[count - 1];
        if (release_at_once) links.release(time, rank, dimension);
    }
    void deliver_end(double time, int rank, int) override {
        ends.emplace_back(rank, time);
        before_end = arrivals.size();
    }
    void room(double time, int rank) override { rooms.emplace_back(rank, time); }

    bool send(double time, int from, int to, int dimension = 0) {
        const Word words[8] = {7};
        return links.try_send(time, from, dimension, to, words, 1);
    }
    void run(double until = 1e9) {
        while (!calendar.empty() && calendar.next_time() <= until) {
            const TimedEvent event = calendar.pop();
            links.handle(event.time, event.what);
        }
    }

    int inside;  // dimensions of the ranks before those of the grid
    EventCalendar calendar{1, 64};
    TorusLinks links;
    Arrivals arrivals;
    Arrivals ends;
    Arrivals rooms;
    Word last_word = 0;
    std::size_t before_end = 0;  // packets that came before the last end
    bool release_at_once = false;
};

LinkGrid ring(int size) {
    return {{size}, {true}, 1};
}
LinkGrid line(int size) {
    return {{size}, {false}, 1};
}

TEST_CASE("links: a packet cuts through the links on its way") {
    Wires wires(ring(8));
    REQUIRE(wires.send(5, 0, 3));
    wires.run();
    CHECK(wires.arrivals == Arrivals{{3, 5 + 3 * 3 + 20}});
    CHECK(wires.last_word == 7);
    CHECK(wires.links.passed() == 3);
    CHECK(wires.links.busy(0) == 20);
}

TEST_CASE("links: a packet goes the shorter way round, half way forwards from even places") {
    Wires wires(ring(4));
    REQUIRE(wires.send(0, 0, 2));
    REQUIRE(wires.send(0, 1, 3));
    REQUIRE(wires.send(0, 2, 1));
    wires.run();
    CHECK(wires.arrivals == Arrivals{{1, 3 + 20}, {2, 6 + 20}, {3, 6 + 20}});
    const auto busy = [&](int node, int back) { return wires.links.busy(node * 2 + back); };
    CHECK(busy(0, 0) == 20);
    CHECK(busy(1, 0) == 20);
    CHECK(busy(1, 1) == 20);
    CHECK(busy(0, 1) == 20);
    CHECK(busy(2, 1) == 20);
    CHECK(busy(3, 0) + busy(3, 1) + busy(2, 0) == 0);
    wires.links.forget();
    CHECK(busy(0, 0) == 0);
}

TEST_CASE("links: on a line there is no way round, and a dimension of two has one link") {
    Wires mesh(line(4));
    REQUIRE(mesh.send(0, 0, 3));
    REQUIRE(mesh.send(0, 3, 1));
    mesh.run();
    CHECK(mesh.arrivals == Arrivals{{1, 6 + 20}, {3, 9 + 20}});
    CHECK(!mesh.links.exists(3 * 2));  // forwards from the last node
    CHECK(mesh.links.exists(3 * 2 + 1));
    Wires pair(ring(2));
    REQUIRE(pair.send(0, 0, 1));
    REQUIRE(pair.send(0, 1, 0));
    pair.run();
    CHECK(pair.links.busy(0) == 20);
    CHECK(pair.links.busy(3) == 20);
    CHECK(pair.links.exists(0));
    CHECK(!pair.links.exists(1));
}

TEST_CASE("links: what comes first is served first, by hand on a line of four") {
    Wires wires(line(4));
    SECTION("the packet of the node between is first") {
        REQUIRE(wires.send(0, 0, 3));
        REQUIRE(wires.send(2, 1, 3));
        wires.run();
        // The first passes the link from 1 to 2 from 22 on, and the one to 3 from 25 on, both just left by the other.
        CHECK(wires.arrivals == Arrivals{{3, 5 + 3 + 20}, {3, 25 + 3 + 20}});
    }
    SECTION("the packet that passes is first") {
        REQUIRE(wires.send(0, 0, 3));
        REQUIRE(wires.send(4, 1, 3));
        wires.run();
        CHECK(wires.arrivals == Arrivals{{3, 9 + 20}, {3, 26 + 3 + 20}});
    }
    SECTION("a packet that is ready later does not hold up the link") {
        REQUIRE(wires.send(50, 1, 2));
        REQUIRE(wires.send(0, 0, 2));
        wires.run();
        CHECK(wires.arrivals == Arrivals{{2, 6 + 20}, {2, 50 + 3 + 20}});
    }
}

TEST_CASE("links: a rank has places for its own packets, and is told when one is free again") {
    LinkCosts costs;
    costs.injection = 1;
    Wires wires(ring(8), costs);
    REQUIRE(wires.send(0, 0, 1));
    CHECK(!wires.send(0, 0, 2));
    CHECK(wires.send(0, 0, 7));  // the other way
    wires.run(0);
    CHECK(wires.rooms == Arrivals{{0, 0}});  // the packet has begun
    REQUIRE(wires.send(1, 0, 1));
    CHECK(!wires.send(1, 0, 1));
    wires.run();
    CHECK(wires.rooms == Arrivals{{0, 0}, {0, 20}});
    wires.links.send_end(100, 0, 0, 1);  // always finds a place
    wires.run();
    CHECK(wires.ends == Arrivals{{1, 100 + 3 + 10}});
}

TEST_CASE("links: a packet without a place at its receiver holds up what is behind it") {
    LinkCosts costs;
    costs.reception = 2;
    Wires wires(line(3), costs);
    for (int i = 0; i < 3; ++i) REQUIRE(wires.send(0, 0, 1));
    REQUIRE(wires.send(1, 0, 2));
    wires.run();
    CHECK(wires.arrivals == Arrivals{{1, 23}, {1, 43}});
    wires.links.release(100, 1, 0);
    wires.run();
    CHECK(wires.arrivals == Arrivals{{1, 23}, {1, 43}, {1, 123}, {2, 120 + 6 + 20}});
}

TEST_CASE("links: ranks of a node reach each other without a link") {
    LinkCosts costs;
    costs.reception = 2;
    Wires wires({{4}, {true}, 2}, costs, 1);
    REQUIRE(wires.send(9, 2, 3, 0));
    REQUIRE(wires.send(9, 2, 3, 0));
    CHECK(!wires.send(9, 2, 3, 0));
    REQUIRE(wires.send(0, 3, 5, 1));
    wires.run();
    CHECK(wires.arrivals == Arrivals{{3, 9}, {3, 9}, {5, 23}});
    CHECK(wires.rooms.empty());
    wires.links.release(30, 3, 0);
    CHECK(wires.rooms == Arrivals{{2, 30}, {3, 30}});
}

TEST_CASE("links: an end comes behind its sender's packets though it takes no time") {
    LinkCosts costs;
    costs.service = {0, 0, 0};
    Wires wires({{4}, {true}, 2}, costs, 1);
    const int dimension = GENERATE(0, 1);
    const int to = dimension == 0 ? 1 : 2;
    // What has come leaves its number to the next, the last one first: that of the end is less than the packet's.
    REQUIRE(wires.send(0, 0, to, dimension));
    REQUIRE(wires.send(0, 0, to, dimension));
    wires.run();
    REQUIRE(wires.send(5, 0, to, dimension));
    wires.links.send_end(5, 0, dimension, to);
    wires.run();
    const double at = dimension == 0 ? 5 : 5 + 3;
    CHECK(wires.arrivals.back() == std::pair{to, at});
    CHECK(wires.ends == Arrivals{{to, at}});
    CHECK(wires.before_end == 3);
}

TEST_CASE("links: each dimension inside a node has places of its own at a receiver") {
    LinkCosts costs;
    costs.reception = 2;
    Wires wires({{4}, {true}, 4}, costs, 2);
    REQUIRE(wires.send(0, 0, 1, 0));
    REQUIRE(wires.send(0, 0, 1, 0));
    CHECK(!wires.send(0, 0, 1, 0));
    REQUIRE(wires.send(0, 3, 1, 1));
    REQUIRE(wires.send(0, 3, 1, 1));
    CHECK(!wires.send(0, 3, 1, 1));
    wires.run();
    CHECK(wires.arrivals.size() == 4);
}

TEST_CASE("links: full rings go on moving, and every packet passes its links") {
    const LinkGrid grid = GENERATE(LinkGrid{{8}, {true}, 1}, LinkGrid{{5, 4}, {true, true}, 1},
                                   LinkGrid{{5, 3, 2}, {false, false, false}, 1}, LinkGrid{{4, 3}, {true, true}, 2});
    LinkCosts costs;
    costs.through = 2;
    costs.injection = 2;
    costs.reception = 2;
    const int inside = grid.ranks_per_node > 1 ? 1 : 0;
    Wires wires(grid, costs, inside);
    wires.release_at_once = true;
    std::mt19937 random(3);
    int sent = 0;
    std::uint64_t to_pass = 0;
    for (int round = 0; round < 200; ++round) {
        int stride = grid.ranks_per_node;
        for (std::size_t d = 0; d < grid.shape.size(); ++d) {
            for (int from = 0; from < grid.ranks(); ++from) {
                const int at = from / stride % grid.shape[d];
                const int there = static_cast<int>(random() % static_cast<unsigned>(grid.shape[d]));
                if (there == at) continue;
                if (!wires.send(round, from, from + (there - at) * stride, inside + static_cast<int>(d))) continue;
                ++sent;
                const int apart = std::abs(there - at);
                to_pass += static_cast<std::uint64_t>(grid.wraps[d] ? std::min(apart, grid.shape[d] - apart) : apart);
            }
            stride *= grid.shape[d];
        }
        wires.run(round);
    }
    wires.run();
    CHECK(sent > grid.ranks());
    CHECK(static_cast<int>(wires.arrivals.size()) == sent);
    CHECK(wires.links.passed() == to_pass);
    double busy = 0;
    for (int link = 0; link < wires.links.links(); ++link) {
        busy += wires.links.busy(link);
        if (!wires.links.exists(link)) CHECK(wires.links.busy(link) == 0);
    }
    CHECK(busy == 20 * static_cast<double>(wires.links.passed()));
}

}  // namespace
}  // namespace narrows
