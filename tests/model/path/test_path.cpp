#include "model/path/path.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

namespace narrows {
namespace {

Stage stage(const char* server, double overhead, double bandwidth, double latency = 0) {
    Stage made;
    made.server = server;
    made.overhead = seconds(overhead);
    made.bandwidth = Bandwidth(bandwidth);
    made.latency = seconds(latency);
    return made;
}

double sum_of(const std::vector<NamedTime>& terms) {
    return std::accumulate(terms.begin(), terms.end(), 0.0,
                           [](double sum, const NamedTime& term) { return sum + term.time.si(); });
}

Path random_path(std::mt19937_64& random) {
    const auto uniform = [&random](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    Path path{"random", {}};
    const std::size_t stages = 1 + random() % 5;
    for (std::size_t i = 0; i < stages; ++i) {
        Stage made =
            stage(("server" + std::to_string(random() % 4)).c_str(), uniform(0, 2), uniform(1, 9), uniform(0, 2));
        if (random() % 3 == 0) made.piece = bytes(uniform(3, 50));
        if (random() % 4 == 0) made.carries = bytes(uniform(0, 20));
        made.times = 1 + static_cast<int>(random() % 2);
        made.flows = random() % 3 == 0 ? uniform(1, 4) : 1;
        path.stages.push_back(made);
    }
    return path;
}

// Pieces as jobs that every stage takes in order: when each is done at each stage, kept in full.
double flow_shop(const Path& path, double payload, double piece) {
    const auto pieces = static_cast<std::size_t>(std::max(1.0, std::ceil(payload / piece)));
    std::vector<double> ready(pieces, 0.0);
    for (const Stage& each : path.stages) {
        for (int pass = 0; pass < each.times; ++pass) {
            double free_at = 0;
            for (std::size_t k = 0; k < pieces; ++k) {
                const bool only_first = each.carries && k > 0;
                const double part = std::min(piece, payload - piece * static_cast<double>(k));
                free_at = std::max(free_at, ready[k]) + (only_first ? 0 : service_time(each, bytes(part)).si());
                ready[k] = free_at + (only_first ? 0 : each.latency.si());
            }
        }
    }
    return ready.back();
}

}  // namespace

TEST_CASE("a stage takes its overhead and its bytes on the wire over its bandwidth") {
    Stage made = stage("link", 3, 10);
    CHECK(service_time(made, bytes(50)) == seconds(8));
    CHECK(service_time(made, bytes(0)) == seconds(3));
    made.framing = Framing{bytes(10), {}, {}, {}, 2};
    CHECK(service_time(made, bytes(50)) == seconds(3 + 60 * 2 / 10.0));
    made.flows = 4;
    CHECK(service_time(made, bytes(50)) == seconds(4 * 15));
    made.carries = bytes(0);
    CHECK(service_time(made, bytes(50)) == seconds(4 * 5));
    CHECK(service_time(stage("queue", 3, 0), bytes(1e9)) == seconds(3));
}

TEST_CASE("a stage that takes pieces pays its overhead for each of them") {
    Stage made = stage("dma", 1, 8);
    made.piece = bytes(16);
    CHECK(service_time(made, bytes(0)) == seconds(1));
    CHECK(service_time(made, bytes(16)) == seconds(1 + 2));
    CHECK(service_time(made, bytes(17)) == seconds(2 + 17 / 8.0));
    CHECK(service_time(made, bytes(48)) == seconds(3 + 6));
}

TEST_CASE("bytes that a stage spares take no time there, whole or in pieces, and those beyond as long as ever") {
    Stage made = stage("memory", 1, 10);
    made.spared = bytes(100);
    CHECK(service_time(made, bytes(0)) == seconds(1));
    CHECK(service_time(made, bytes(100)) == seconds(1));
    CHECK(service_time(made, bytes(150)) == seconds(1 + 5));
    made.overhead = Time();
    const Path path{"p", {made}};
    CHECK(path_time(path, bytes(150)).total == seconds(5));
    CHECK(pipelined_time(path, bytes(150), bytes(40)).total == seconds(5));
}

TEST_CASE("a path's time is the sum of its stages, a term each") {
    Path path{"p", {stage("a", 1, 10, 0.5), stage("b", 2, 5)}};
    path.stages[0].times = 2;
    const Breakdown time = path_time(path, bytes(20));
    CHECK(time.total == seconds(2 * (1 + 2 + 0.5) + 2 + 4));
    REQUIRE(time.terms.size() == 2);
    CHECK(time.terms[0].name == "a");
    CHECK(time.terms[0].time == seconds(7));
    CHECK(time.terms[1].time == seconds(6));
    CHECK(path_time({}, bytes(20)).total == seconds(0));
}

TEST_CASE("pieces follow each other: the slowest stage sets the pace, the others fill") {
    const Path path{"p", {stage("a", 0, 10), stage("b", 0, 5), stage("c", 0, 20)}};
    // Ten pieces of 10 bytes: 1 + 2 + 0.5 for the first, 2 for each other.
    CHECK(pipelined_time(path, bytes(100), bytes(10)).total.si() == Approx(3.5 + 9 * 2));
    CHECK(path_time(path, bytes(100)).total.si() == Approx(35));
    const Breakdown whole = pipelined_time(path, bytes(100), bytes(100));
    CHECK(whole.total == path_time(path, bytes(100)).total);
    CHECK(whole.terms.size() == 3);
    CHECK(pipelined_time(path, bytes(100), bytes(10)).terms.back().name == "further pieces");
    CHECK_THROWS_AS(pipelined_time(path, bytes(100), bytes(0)), std::logic_error);
}

TEST_CASE("with start-ups there is a best piece: smaller and larger ones are slower") {
    const Path path{"p", {stage("a", 1, 10), stage("b", 1, 10), stage("c", 1, 10)}};
    const auto time = [&path](double piece) { return pipelined_time(path, bytes(1000), bytes(piece)).total; };
    CHECK(time(50) < time(1000));
    CHECK(time(50) < time(2));
}

TEST_CASE("a pipeline cannot use a server twice at a time") {
    const Path path{"p", {stage("memory", 0, 10), stage("memory", 0, 10)}};
    CHECK(pipelined_time(path, bytes(1000), bytes(1)).total == seconds(200));
    const Path two{"p", {stage("here", 0, 10), stage("there", 0, 10)}};
    CHECK(pipelined_time(two, bytes(1000), bytes(1)).total.si() == Approx(100.1));
}

TEST_CASE("a pipeline is the flow shop of its pieces, or what its busiest server needs") {
    std::mt19937_64 random(7);
    for (int i = 0; i < 500; ++i) {
        const Path path = random_path(random);
        const double payload = std::uniform_real_distribution<double>(0, 200)(random);
        const double piece = std::uniform_real_distribution<double>(2, 100)(random);
        const Breakdown time = pipelined_time(path, bytes(payload), bytes(piece));
        CHECK(time.total.si() ==
              Approx(std::max(flow_shop(path, payload, piece), busiest_server(path, bytes(payload)).time.si())));
        CHECK(sum_of(time.terms) == Approx(time.total.si()).margin(1e-12));
        const Breakdown whole = path_time(path, bytes(payload));
        CHECK(sum_of(whole.terms) == Approx(whole.total.si()).margin(1e-12));
        CHECK(busiest_server(path, bytes(payload)).time <= whole.total * (1 + 1e-12));
    }
}

TEST_CASE("times grow with the message") {
    std::mt19937_64 random(11);
    for (int i = 0; i < 200; ++i) {
        const Path path = random_path(random);
        Time before;
        for (double size = 0; size < 300; size += 7) {
            const Time time = path_time(path, bytes(size)).total;
            CHECK(time >= before);
            before = time;
        }
    }
}

TEST_CASE("the busiest server is the one whose stages together take longest") {
    Path path{"p", {stage("memory", 0, 25.6), stage("bus", 1, 0), stage("memory", 0, 25.6)}};
    for (Stage& each : path.stages) each.times = each.server == "memory" ? 2 : 1;
    CHECK(busiest_server(path, bytes(64)).name == "memory");
    CHECK(busiest_server(path, bytes(64)).time.si() == Approx(4 * 2.5));
    CHECK(busiest_server(path, bytes(1)).name == "bus");
    CHECK(message_rate(path, bytes(64)).si() == Approx(0.1));
    CHECK_THROWS_AS(busiest_server({}, bytes(1)), std::logic_error);
    CHECK_THROWS_AS(message_rate({"p", {stage("free", 0, 0)}}, bytes(1)), std::logic_error);
}

TEST_CASE("flows share the server that they name and no other") {
    const Path path{"p", {stage("copy", 1, 10), stage("link", 0, 10)}};
    const Path shared = with_flows(path, "copy", 3);
    CHECK(path_time(shared, bytes(10)).total == seconds(3 * 2 + 1));
    CHECK(path_time(with_flows(path, "none", 3), bytes(10)).total == path_time(path, bytes(10)).total);
    CHECK_THROWS_AS(with_flows(path, "copy", 0.5), std::logic_error);
}

TEST_CASE("two ways of sending cross where their lines do") {
    const Path eager{"eager", {stage("copy", 1, 10)}};
    const Path rendezvous{"rendezvous", {stage("link", 4, 100)}};
    // 1 + n/10 = 4 + n/100 at n = 33.3
    CHECK(crossover(eager, rendezvous, bytes(1e6)).value() == bytes(34));
    CHECK_FALSE(crossover(eager, rendezvous, bytes(20)));
    CHECK(crossover(rendezvous, eager, bytes(1e6)).value() == bytes(0));
}

}  // namespace narrows
