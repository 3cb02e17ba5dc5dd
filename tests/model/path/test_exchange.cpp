#include "model/path/exchange.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <random>

namespace narrows {
namespace {

Stage stage(const std::string& server, double overhead, double bandwidth, double latency = 0, double piece = 0) {
    Stage made;
    made.server = server;
    made.site = server == "link" ? Site::link : Site::processor;
    made.overhead = seconds(overhead);
    made.bandwidth = Bandwidth(bandwidth);
    made.latency = seconds(latency);
    made.piece = bytes(piece);
    return made;
}

// With a message to each neighbour, over a link of its own.
Breakdown exchange_time(const Path& path, Data payload, int neighbours) {
    const double messages = neighbours;
    return Exchange(path, payload).time({messages, messages, messages, 1});
}

double time_of(const Path& path, double payload, int neighbours) {
    return exchange_time(path, bytes(payload), neighbours).total.si();
}

double term(const Breakdown& time, const std::string& name) {
    double sum = 0;
    for (const NamedTime& each : time.terms) sum += each.name == name ? each.time.si() : 0;
    return sum;
}

/// Queues served in the order of arrival, event by event: the reference of the closed form.
class Simulation {
  public:
    Simulation(const Path& path, double payload, int neighbours, std::vector<std::string> own)
        : path_(path), payload_(payload), neighbours_(neighbours), own_(std::move(own)) {}

    double run() {
        for (int message = 0; message < neighbours_; ++message) arrive({0, order_++, message, 0, 0, payload_, true});
        while (!events_.empty()) {
            const Part part = events_.top();
            events_.pop();
            serve(part);
        }
        return end_;
    }

  private:
    struct Part {
        double at = 0;
        long order = 0;
        int message = 0;
        std::size_t stage = 0;
        double offset = 0;
        double size = 0;
        bool last = false;

        bool operator<(const Part& other) const { return std::tie(other.at, other.order) < std::tie(at, order); }
    };

    bool in_pieces(std::size_t stage) const { return path_.stages[stage].piece.si() > 0; }

    // A stage without pieces waits for the whole message, one with pieces cuts up what comes whole.
    void arrive(Part part) {
        if (part.stage == path_.stages.size()) {
            end_ = std::max(end_, part.at);
            return;
        }
        const double piece = path_.stages[part.stage].piece.si();
        if (piece <= 0) {
            if (!part.last) return;
            part.size = payload_;
            events_.push(part);
            return;
        }
        for (double begin = 0; begin < part.size; begin += piece) {
            Part cut = part;
            cut.order = order_++;
            cut.size = std::min(piece, part.size - begin);
            cut.last = part.last && begin + piece >= part.size;
            events_.push(cut);
        }
    }

    void serve(Part part) {
        const Stage& stage = path_.stages[part.stage];
        const bool own = std::ranges::find(own_, stage.server) != own_.end();
        double& free_at = free_at_[stage.server + (own ? std::to_string(part.message) : "")];
        free_at = std::max(free_at, part.at) + service_time(stage, bytes(part.size)).si();
        part.at = free_at + stage.latency.si();
        part.order = order_++;
        ++part.stage;
        arrive(part);
    }

    const Path& path_;
    double payload_;
    int neighbours_;
    std::vector<std::string> own_;
    std::priority_queue<Part> events_;
    std::map<std::string, double> free_at_;
    long order_ = 0;
    double end_ = 0;
};

// Overheads at servers of the node, bytes in pieces over own links and by a shared copy, or whole.
Path random_path(std::mt19937_64& random, double piece) {
    const auto uniform = [&random](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    Path path{"random", {}};
    path.stages.push_back(stage("sender", uniform(0, 50), 0, uniform(0, 20)));
    path.stages.push_back(stage("link", 0, uniform(1, 5), uniform(0, 20), piece));
    path.stages.push_back(stage("copy", 0, uniform(1, 20), uniform(0, 20), piece));
    return path;
}

}  // namespace

TEST_CASE("one message over stages that take it whole is the sum of its stages") {
    const Path path{"p", {stage("a", 1, 10, 0.5), stage("b", 2, 5), stage("a", 3, 20)}};
    for (const double payload : {0.0, 1.0, 1000.0}) {
        CHECK(message_time(path, bytes(payload)).total.si() == Approx(path_time(path, bytes(payload)).total.si()));
    }
}

TEST_CASE("one message over stages that take pieces is a pipeline of equal pieces") {
    const Path path{"p", {stage("a", 0, 10, 1, 10), stage("b", 0, 5, 2, 10), stage("c", 0, 20, 3, 10)}};
    for (const double payload : {10.0, 20.0, 1000.0}) {
        CHECK(message_time(path, bytes(payload)).total.si() ==
              Approx(pipelined_time(path, bytes(payload), bytes(10)).total.si()));
    }
    CHECK(message_time(path, bytes(1000)).total < path_time(path, bytes(1000)).total);
    CHECK(term(message_time(path, bytes(1000)), "b") == Approx(200 + 2));  // it sets the pace
}

TEST_CASE("whole messages: the sum of the stages and the slowest shared server for each further one") {
    const Path path{"p", {stage("sender", 1, 0), stage("copy", 2, 10), stage("link", 0, 2)}};
    CHECK(time_of(path, 20, 1) == Approx(1 + 4 + 10));
    CHECK(time_of(path, 20, 3) == Approx(1 + 4 + 10 + 2 * 4));
    // A link for all messages is the slowest.
    CHECK(Exchange(path, bytes(20)).time({3, 3, 3, 3}).total.si() == Approx(1 + 4 + 10 + 2 * 10));
}

TEST_CASE("copies of three links' worth saturate at three links") {
    const Path eager{"eager", {stage("link", 0, 1, 0, 1), stage("copy", 0, 3, 0, 1)}};
    const double large = 1e6;
    for (const int neighbours : {1, 2, 3}) CHECK(time_of(eager, large, neighbours) == Approx(large).epsilon(1e-5));
    for (const int neighbours : {4, 5, 6}) {
        CHECK(time_of(eager, large, neighbours) == Approx(neighbours * large / 3).epsilon(1e-5));
        const Breakdown time = exchange_time(eager, bytes(large), neighbours);
        CHECK(term(time, "copy") > 0.99 * time.total.si());
    }
    const Path rendezvous{"rendezvous", {stage("link", 0, 1, 0, 1)}};
    CHECK(time_of(rendezvous, large, 6) == time_of(rendezvous, large, 1));
}

TEST_CASE("an exchange's terms sum to it, and it grows with payload and neighbours") {
    std::mt19937_64 random(7);
    for (int i = 0; i < 200; ++i) {
        const Path path = random_path(random, i % 2 == 0 ? 8 : 0);
        double before = 0;
        for (int neighbours = 1; neighbours <= 6; ++neighbours) {
            const Breakdown time = exchange_time(path, bytes(640), neighbours);
            const double sum = std::accumulate(time.terms.begin(), time.terms.end(), 0.0,
                                               [](double total, const auto& each) { return total + each.time.si(); });
            CHECK(sum == Approx(time.total.si()));
            CHECK(time.total.si() >= before * (1 - 1e-12));
            CHECK(time.total >= exchange_time(path, bytes(320), neighbours).total);
            before = time.total.si();
        }
    }
}

TEST_CASE("the closed form is what queues simulated event by event take") {
    std::mt19937_64 random(11);
    double worst_whole = 0;
    double worst_pieces = 0;
    for (int i = 0; i < 300; ++i) {
        const bool pieces = i % 2 == 0;
        const Path path = random_path(random, pieces ? 8 : 0);
        const int neighbours = 1 + i % 6;
        const double simulated = Simulation(path, 2048, neighbours, {"link"}).run();
        const double error = time_of(path, 2048, neighbours) / simulated - 1;
        CHECK(error < 1e-3);
        double& worst = pieces ? worst_pieces : worst_whole;
        worst = std::max(worst, std::abs(error));
    }
    CHECK(worst_whole < 1e-12);
    CHECK(worst_pieces < 0.06);
}

TEST_CASE("messages that share a bandwidth wait for each other's bytes, not for overheads") {
    Stage stage;
    stage.server = "bus";
    stage.site = Site::node;
    stage.overhead = seconds(1);
    stage.fair = true;
    Crowd crowd;
    crowd.node = 16;
    double slower = 1e9;
    for (const double faster : {1, 2, 4, 8}) {  // beside a total of eight
        stage.bandwidth = Bandwidth(faster);
        stage.servers = 8 / faster;
        const double time = Exchange({"p", {stage}}, bytes(4)).time(crowd).total.si();
        CHECK(time == Approx(1 + 4 / faster + std::max(0.0, 16 * 4 / 8.0 - 4 / faster)));
        CHECK(time <= slower);
        slower = time;
    }
}

}  // namespace narrows
