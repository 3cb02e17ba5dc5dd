#include "model/messages/collective_rounds.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "model/messages/round_time.hpp"

namespace narrows {
namespace {

constexpr double alpha = 3;
constexpr double beta = 0.25;
constexpr double gamma_ = 0.125;

MessageCosts linear() {
    MessageCosts costs;
    costs.between = costs.inside = [](Data) {
        Stage stage;
        stage.server = "message";
        stage.overhead = seconds(alpha);
        stage.bandwidth = Bandwidth(1 / beta);
        return Path{"linear", {stage}};
    };
    costs.combine = TimePerByte(gamma_);
    return costs;
}

double formula(const char* algorithm, std::int64_t ranks, double payload) {
    return phase_time(unshared_loads(collective_rounds("allreduce", algorithm, ranks, bytes(payload))), linear())
        .total.si();
}

// Followed from rank to rank, all of them on one node.
double followed(const char* algorithm, std::int64_t ranks, double payload) {
    const RankPlaces places{1, ranks, {}};
    const auto rounds = collective_rounds("allreduce", algorithm, ranks, bytes(payload));
    const PhaseLoads loads = phase_loads(rounds, places, NodeNetwork());
    CHECK((loads.by_ranks || ranks <= 2));
    return phase_time(loads, linear()).total.si();
}

/// Clocks of ranks: a message starts when both its ranks are there and keeps both until it has arrived.
class Ranks {
  public:
    explicit Ranks(std::size_t count) : clock_(count, 0.0) {}

    double now(std::size_t rank) const { return clock_[rank]; }

    void send(std::size_t from, std::size_t to, double size, bool combines) {
        const double arrived = std::max(clock_[from], clock_[to]) + alpha + beta * size;
        clock_[from] = arrived;
        clock_[to] = arrived + (combines ? gamma_ * size : 0);
    }

    void swap(std::size_t a, std::size_t b, double size) {
        clock_[a] = clock_[b] = std::max(clock_[a], clock_[b]) + alpha + beta * size + gamma_ * size;
    }

    // Every rank sends a piece to the next one at once; rank i sends piece i - step.
    void rotate(const std::vector<double>& pieces, std::size_t step, bool combines) {
        const std::size_t count = clock_.size();
        std::vector<double> next(count);
        for (std::size_t to = 0; to < count; ++to) {
            const std::size_t from = (to + count - 1) % count;
            const double size = pieces[(from + 2 * count - step) % count];
            const double arrived = std::max(clock_[from], clock_[to]) + alpha + beta * size;
            next[to] = arrived + (combines ? gamma_ * size : 0);
        }
        clock_ = next;
    }

    double end() const { return *std::ranges::max_element(clock_); }

  private:
    std::vector<double> clock_;
};

double ring_recurrence(std::size_t count, double payload) {
    Ranks ranks(count);
    std::vector<double> pieces(count);
    const double largest = std::ceil(payload / static_cast<double>(count));
    double left = payload;
    for (double& piece : pieces) left -= piece = std::min(left, largest);
    for (std::size_t step = 0; step + 1 < count; ++step) ranks.rotate(pieces, step, true);
    for (std::size_t step = 0; step + 1 < count; ++step) ranks.rotate(pieces, step + count - 1, false);
    return ranks.end();
}

double tree_recurrence(std::size_t count, double payload) {
    Ranks ranks(count);
    std::size_t reach = 1;
    for (; reach < count; reach *= 2) {
        for (std::size_t to = 0; to + reach < count; to += 2 * reach) ranks.send(to + reach, to, payload, true);
    }
    for (reach /= 2; reach >= 1; reach /= 2) {
        for (std::size_t from = 0; from + reach < count; from += 2 * reach) {
            ranks.send(from, from + reach, payload, false);
        }
    }
    return ranks.end();
}

double doubling_recurrence(std::size_t count, double payload) {
    Ranks ranks(count);
    std::size_t whole = 1;
    while (whole * 2 <= count) whole *= 2;
    const std::size_t pairs = count - whole;  // their even ranks hand over to the odd ones
    const auto rank = [pairs](std::size_t i) { return i < pairs ? 2 * i + 1 : i + pairs; };
    for (std::size_t i = 0; i < pairs; ++i) ranks.send(2 * i, 2 * i + 1, payload, true);
    for (std::size_t bit = 1; bit < whole; bit *= 2) {
        for (std::size_t i = 0; i < whole; ++i) {
            if ((i & bit) == 0) ranks.swap(rank(i), rank(i | bit), payload);
        }
    }
    for (std::size_t i = 0; i < pairs; ++i) ranks.send(2 * i + 1, 2 * i, payload, false);
    return ranks.end();
}

}  // namespace

TEST_CASE("an allreduce is as long as its rounds executed rank by rank") {
    for (std::size_t count = 1; count <= 70; ++count) {
        const auto nodes = static_cast<std::int64_t>(count);
        for (const double payload : {0.0, 1.0, 8.0, 1000.0, 65536.0}) {
            CAPTURE(count, payload);
            CHECK(formula("ring", nodes, payload) == Approx(ring_recurrence(count, payload)));
            CHECK(formula("tree", nodes, payload) == Approx(tree_recurrence(count, payload)));
            CHECK(formula("recursive-doubling", nodes, payload) == Approx(doubling_recurrence(count, payload)));
            CHECK(followed("tree", nodes, payload) == Approx(tree_recurrence(count, payload)));
            CHECK(followed("recursive-doubling", nodes, payload) == Approx(doubling_recurrence(count, payload)));
        }
    }
}

TEST_CASE("hand values of the cost formulas") {
    const double n = 4096;
    const double t = alpha + n * beta;
    CHECK(formula("recursive-doubling", 8, n) == Approx(3 * (t + n * gamma_)));
    CHECK(formula("recursive-doubling", 9, n) == Approx(5 * t + 4 * n * gamma_));
    CHECK(formula("tree", 8, n) == Approx(6 * t + 3 * n * gamma_));
    CHECK(formula("tree", 9, n) == Approx(8 * t + 4 * n * gamma_));
    CHECK(formula("ring", 8, n) == Approx(14 * (alpha + n / 8 * beta) + 7 * (n / 8) * gamma_));
    CHECK(formula("ring", 3, 10) == Approx(4 * (alpha + 4 * beta) + 2 * 4 * gamma_));
}

TEST_CASE("limits: one node takes no time, short vectors want doubling, long ones the ring") {
    for (const auto algorithm : {"ring", "tree", "recursive-doubling"}) {
        CHECK(formula(algorithm, 1, 1e6) == 0);
        CHECK(formula(algorithm, 2, 1e6) > 0);
        CHECK_THROWS_AS(collective_rounds("allreduce", algorithm, 0, bytes(8)), std::logic_error);
    }
    CHECK(formula("recursive-doubling", 1024, 8) < formula("ring", 1024, 8));
    CHECK(formula("recursive-doubling", 1024, 1e9) > formula("ring", 1024, 1e9));
    // However many nodes, a ring moves each byte twice.
    CHECK(formula("ring", 1024, 1e9) == Approx(1e9 * (2 * beta + gamma_)).epsilon(2e-3));
}

TEST_CASE("terms are those of the messages, and combining") {
    const PhaseLoads loads = unshared_loads(collective_rounds("allreduce", "tree", 16, bytes(100)));
    MessageCosts costs = linear();
    const Breakdown time = phase_time(loads, costs);
    CHECK(time.terms.back().name == "combine");
    CHECK(time.terms.back().time.si() == Approx(4 * 100 * gamma_));
    costs.combine = TimePerByte();
    CHECK(phase_time(loads, costs).terms.back().name == "message");
}

}  // namespace narrows
