#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "../predictions.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "model/gups/workload.hpp"
#include "model/messages/collective_rounds.hpp"
#include "model/messages/residuals.hpp"
#include "model/messages/workload.hpp"
#include "model/uncertainty.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr double mega = 1e6;

MessageQuery query(const std::string& protocol, double payload) {
    MessageQuery made{.protocol = protocol, .payload = bytes(payload)};
    return made;
}

double sum_of(const TimePrediction& prediction) {
    return std::accumulate(prediction.terms.begin(), prediction.terms.end(), 0.0,
                           [](double sum, const NamedTime& term) { return sum + term.time.si(); });
}

TimePrediction exchange(const std::string& protocol, int neighbours) {
    MessageQuery made = query(protocol, 1 << 20);
    made.nodes = 512;
    made.neighbours = neighbours;
    return predict_halo_exchange(load_machine("bluegene-p"), made);
}

// MB/s that a node moves with each neighbour, both ways together.
double each_neighbour(const std::string& protocol, int neighbours) {
    return exchange(protocol, neighbours).throughput->si() / mega / neighbours;
}

TimePrediction allreduce(const Machine& machine, const char* algorithm, std::int64_t nodes, double payload) {
    MessageQuery made = query(chosen_protocol(machine, ""), payload);
    made.algorithm = algorithm;
    made.nodes = nodes;
    return predict_collective(machine, "allreduce", made);
}

}  // namespace

TEST_CASE("a ping-pong is its protocol: the numbers of the papers") {
    const Machine machine = load_machine("bluegene-p");
    CHECK(predict_ping_pong(machine, query("eager", 0)).time.si() == Approx(1.9 * micro));
    CHECK(predict_ping_pong(machine, query("mpi-eager", 0)).time.si() == Approx(3.2 * micro));
    const TimePrediction chain = predict_ping_pong(load_machine("roadrunner"), query("between-nodes", 0));
    CHECK(chain.time.si() == Approx(11.77 * micro));
    CHECK(chain.terms.size() == 5);
    for (const char* id : {"bluegene-p", "roadrunner", "cell-blade", "xt3-pgas-nic"}) {
        const Machine each = load_machine(id);
        for (const double payload : {0.0, 8.0, 4096.0, 1e6}) {
            const TimePrediction prediction = predict_ping_pong(each, query(chosen_protocol(each, ""), payload));
            CHECK(sum_of(prediction) == Approx(prediction.time.si()));
            CHECK(prediction.time <=
                  protocol_time(read_protocol(each, chosen_protocol(each, "")), bytes(payload)).total * (1 + 1e-12));
        }
    }
}

TEST_CASE("kumar2008 Figures 5 and 6: eager saturates at three links, rendezvous scales to six") {
    for (int neighbours = 1; neighbours <= 6; ++neighbours) {
        CHECK(each_neighbour("mpi-rendezvous", neighbours) == Approx(748).epsilon(0.01));
        CHECK(each_neighbour("mpi-eager", neighbours) == Approx(748 * std::min(1.0, 3.0 / neighbours)).epsilon(0.01));
    }
    CHECK(exchange("mpi-eager", 3).bottleneck == "link");
    CHECK(exchange("mpi-eager", 4).bottleneck == "receiver");
    CHECK(exchange("mpi-rendezvous", 6).bottleneck == "link");
    CHECK(exchange("mpi-rendezvous", 7).time > exchange("mpi-rendezvous", 6).time);  // two links away
    CHECK_THROWS_WITH(exchange("mpi-eager", 22), Catch::Contains("a grid of 8x8x8: give at most 21"));
}

TEST_CASE("neighbours are links: none where nodes hang on switches or a machine has no network") {
    CHECK(linked_neighbours(load_machine("bluegene-p"), 512) == 6);
    CHECK(linked_neighbours(load_machine("bluegene-p"), 8) == 3);  // 2x2x2: one link to each
    CHECK_FALSE(linked_neighbours(load_machine("roadrunner"), 180));
    CHECK_FALSE(linked_neighbours(load_machine("cell-blade"), 2));
    MessageQuery made = query("between-nodes", 1e6);
    made.nodes = 180;
    made.neighbours = 6;  // one link to a switch carries them all
    const double six = predict_halo_exchange(load_machine("roadrunner"), made).time.si();
    made.neighbours = 1;
    CHECK(six > predict_halo_exchange(load_machine("roadrunner"), made).time.si() + 5 * 0.5e-3);
}

TEST_CASE("allreduce: one node takes no time, and combining counts where the machine has its cost") {
    const Machine machine = load_machine("bluegene-p");
    const TimePrediction none = allreduce(machine, "ring", 1, 8);
    CHECK(none.time == Time());
    CHECK(none.terms.empty());
    CHECK(none.bottleneck == "nothing");
    const double message = predict_ping_pong(machine, query("put", 4096)).time.si();
    // On a torus 8x8x8 partners 2 and 4 apart share each link with one other pair: two of three rounds a dimension.
    const double shared = 6 * 4096 / 374e6;
    CHECK(allreduce(machine, "recursive-doubling", 512, 4096).time.si() ==
          Approx(9 * (message + 4096 * 3.546e-9) + shared));
    const Machine adding = with_change(machine, "compute.reduce.per_byte", "1 ns/B");
    const TimePrediction with = allreduce(adding, "recursive-doubling", 512, 4096);
    CHECK(with.time.si() == Approx(9 * (message + 4096e-9) + shared));
    CHECK(sum_of(with) == Approx(with.time.si()));
}

TEST_CASE("kumar2008 Section 4.2: allreduce of one and of four processes a node through the collective network") {
    const Machine machine = load_machine("bluegene-p");
    const auto time = [&machine](const char* protocol, double payload) {
        MessageQuery made = query(protocol, payload);
        made.nodes = 32;
        const TimePrediction prediction = predict_collective(machine, "allreduce", made);
        CHECK(sum_of(prediction) == Approx(prediction.time.si()));
        return prediction.time.si();
    };
    const double integers = 4;
    CHECK(time("allreduce", 0) == Approx(3.2 * micro));
    CHECK(time("quad-direct", 0) == Approx((1.2 + 3.2 + 1.2) * micro));
    CHECK(time("quad-direct", 100 * integers) == Approx(5.6 * micro + 400 * (3 / 282e6 + 1 / 824e6)));
    const double largest = 4e6 * integers;
    CHECK(largest / time("quad-ring", largest) == Approx(282e6).epsilon(0.01));  // what a core adds
    CHECK(largest / time("quad-ring-fifo", largest) == Approx(225e6).epsilon(0.01));
    CHECK(largest / time("quad-shared-memory", largest) ==
          Approx(1e6 / (1 / 282.0 + 1 / 824.0 + 1 / 1122.0)).epsilon(0.01));
    // "better throughput for intermediate sized messages than memory FIFO, but lower than the direct-put version"
    CHECK(time("quad-shared-memory", 1024 * integers) < time("quad-ring-fifo", 1024 * integers));
    CHECK(time("quad-shared-memory", 65536 * integers) > time("quad-ring", 65536 * integers));
    CHECK(time("quad", 512 * integers) == time("quad-direct", 512 * integers));
    CHECK(time("quad", 513 * integers) == time("quad-ring", 513 * integers));
}

TEST_CASE("a whole allreduce is no message of one, and a message is no whole allreduce") {
    const Machine machine = load_machine("bluegene-p");
    MessageQuery made = query("quad", 8);
    CHECK(usual_algorithm(machine, "allreduce", "quad") == "network");
    CHECK(usual_algorithm(machine, "allreduce", "put") == "recursive-doubling");
    made.algorithm = "ring";
    CHECK_THROWS_WITH(predict_collective(machine, "allreduce", made),
                      "protocol 'quad' is a whole allreduce, not the messages of ring: leave the algorithm out, or "
                      "choose another protocol");
    made = query("put", 8);
    made.algorithm = "network";
    CHECK_THROWS_WITH(predict_collective(machine, "allreduce", made),
                      "protocol 'put' passes no network that combines: choose a protocol whose path has one of the "
                      "machine's other_networks, or another algorithm");
}

TEST_CASE("a message above a protocol's reach goes by the one that it names") {
    const Machine machine = load_machine("bluegene-p");
    const auto same = [&machine](double payload, const char* one, const char* other) {
        CHECK(predict_ping_pong(machine, query(one, payload)).time ==
              predict_ping_pong(machine, query(other, payload)).time);
        CHECK(predict_halo_exchange(machine, query(one, payload)).time ==
              predict_halo_exchange(machine, query(other, payload)).time);
    };
    same(1024, "mpi", "mpi-eager");
    same(1025, "mpi", "mpi-rendezvous");
    // Pieces of a ring are shorter than the vector: each goes by its own size.
    MessageQuery ring = query("mpi", 2048);
    ring.nodes = 2;
    ring.algorithm = "ring";
    MessageQuery eager = ring;
    eager.protocol = "mpi-eager";
    CHECK(predict_collective(machine, "allreduce", ring).time == predict_collective(machine, "allreduce", eager).time);
}

TEST_CASE("allreduce: a router more for each link between the partners") {
    const Machine machine = load_machine("xt3-pgas-nic");  // torus 4x4x2, 50 ns a router
    const double neighbour = predict_ping_pong(machine, query("put", 8)).time.si();
    const double doubling = allreduce(machine, "recursive-doubling", 32, 8).time.si();
    // Distances 1, 2, 4, 8, 16: links 1, 2, 1, 2, 1.
    CHECK(doubling == Approx(5 * neighbour + 2 * 50e-9));
    // Of a ring of ranks the last node of a plane is three links from the first of the next one.
    CHECK(allreduce(machine, "ring", 32, 8).time.si() ==
          Approx(62 * (predict_ping_pong(machine, query("put", 1)).time.si() + 2 * 50e-9)));
}

TEST_CASE("a ping-pong on a network that is written out goes over the link that its hosts have") {
    const Machine machine = load_machine("cluster-400g");
    const auto time = [&](double host, double other) {
        Network star{3, 1, {{0, 3, host}, {1, 3, host}, {2, 3, other}}};
        SearchedNetwork searched{
            .name = "star",
            .nodes = 3,
            .pair_flow = 1,
            .switched = true,
            .graph = std::make_shared<const BoundedNetwork>(BoundedNetwork{std::move(star), {}, {}})};
        return predict_ping_pong(on_network(machine, searched), query(chosen_protocol(machine, ""), 1e6)).time;
    };
    CHECK(time(1, 1) == predict_ping_pong(machine, query(chosen_protocol(machine, ""), 1e6)).time);
    CHECK(time(1, 4) == time(1, 1));
    CHECK((time(0.125, 1) - time(1, 1)).si() ==
          Approx(7 * 1e6 / 50e9).epsilon(0.1));  // bytes on a link an eighth as fast
}

TEST_CASE("a ping-pong of nodes that are linked to nodes goes over one link, wherever its nodes lie") {
    const Machine machine = load_machine("torus-pod");
    SearchedNetwork line{
        .name = "line",
        .nodes = 3,
        .pair_flow = 1,
        .graph = std::make_shared<const BoundedNetwork>(BoundedNetwork{{3, 0, {{0, 2, 1}, {2, 1, 1}}}, {}, {}})};
    const MessageQuery asked = query(chosen_protocol(machine, ""), 8);
    CHECK(predict_ping_pong(on_network(machine, line), asked).time == predict_ping_pong(machine, asked).time);
}

TEST_CASE(
    "messages inside nodes pass the links that these nodes have, whatever the network's machine says of its own") {
    const char* const text = R"(name: Nodes
node: {{processors: 8, links: {{bus: {{{}}}}}}}
network: {{topology: torus 4x4, link: {{bandwidth: 10 GB/s}}}}
paths: {{way: {{send: {{overhead: 1 us}}, bus: {{}}, link: {{}}, receive: {{overhead: 1 us}}}}}}
protocols: {{mpi: {{way: 1}}}}
)";
    const auto machine = [&](const char* bus) {
        return parse_machine(fmt::format(fmt::runtime(text), bus), "m.yaml", "m");
    };
    const Machine own = machine("bandwidth: 5 GB/s");
    const Machine on_other = on_network(own, machine("bandwidth: 100 GB/s, total: 1 GB/s, latency: 30 us"));
    CHECK(find(on_other, "node.links.bus.total") == nullptr);
    CHECK(find(on_other, "node.links.bus.latency") == nullptr);
    CHECK(bandwidth_at(on_other, "node.links.bus.bandwidth") == Bandwidth(5e9));
}

TEST_CASE("unknown names come with a suggestion") {
    CHECK_THROWS_WITH(collective_algorithm("allreduce", "rings"), Catch::Contains("did you mean 'ring'?"));
    CHECK_THROWS_WITH(chosen_protocol(load_machine("bluegene-p"), "eagre"), Catch::Contains("did you mean 'eager'?"));
    CHECK(chosen_protocol(load_machine("bluegene-l"), "") == "mpi");  // a layer is a protocol
    CHECK_THROWS_WITH(chosen_protocol(Machine(), ""), Catch::Contains("has no protocols"));
    CHECK(chosen_protocol(load_machine("roadrunner"), "") == "between-nodes");
}

TEST_CASE("a time has the interval of its machine's parameters, and follows them") {
    Machine machine = load_machine("bluegene-p");
    for (Parameter& parameter : machine.parameters) {
        if (parameter.path == "paths.mpi.sender.overhead") parameter.interval = Interval{1.2 * micro, 1.5 * micro};
    }
    const TimePredictionOf predict = [](const Machine& m) { return predict_ping_pong(m, query("mpi-eager", 0)); };
    const TimePrediction prediction = with_interval(machine, predict);
    REQUIRE(prediction.low);
    CHECK(prediction.low->si() == Approx(3.1 * micro));
    CHECK(prediction.high->si() == Approx(3.4 * micro));
    const auto found = sensitivities(machine, [&predict](const Machine& m) { return predict(m).time.si(); });
    CHECK(found.front().path == "paths.mpi.sender.overhead");
    CHECK(found.front().elasticity == Approx(1.3 / 3.2).epsilon(1e-3));
    CHECK(sensitivities(machine, [](const Machine&) { return 0.0; }).empty());
}

TEST_CASE("inside a node whose ranks have one message at a time an exchange is its messages one after the other") {
    const Machine here = parse_machine(
        "name: here\nsource: measured\nnode: {processors: 4, messages_at_once: 1}\n"
        "compute: {reduce: {per_byte: 2 ns/B}}\n"
        "paths: {put: {core: {overhead: 1 us, per_byte: 1 ns/B}}}\n"
        "protocols: {put: {put: 1}}\n",
        "here.yaml", "here");
    MessageQuery made = query("put", 1000);
    made.nodes = 1;
    made.ranks_per_node = 2;
    const double message = 2e-6;
    CHECK(predict_ping_pong(here, made).time.si() == Approx(message));
    made.neighbours = 2;
    CHECK(predict_halo_exchange(here, made).time.si() == Approx(4 * message));
    CHECK(predict_collective(here, "all-to-all", made).time.si() == Approx(2 * message));
    made.algorithm = "recursive-doubling";
    CHECK(predict_collective(here, "allreduce", made).time.si() == Approx(2 * message + 2e-6));
    made.algorithm = "tree";
    CHECK(predict_collective(here, "allreduce", made).time.si() == Approx(2 * message + 2e-6));
    made.algorithm = "ring";
    CHECK(predict_collective(here, "allreduce", made).time.si() == Approx(4 * 1.5e-6 + 1e-6));
    made.ranks_per_node = 4;
    made.algorithm.clear();
    CHECK(predict_collective(here, "all-to-all", made).time.si() == Approx(6 * message));
    made.neighbours = 7;
    CHECK_THROWS_WITH(predict_halo_exchange(here, made),
                      "7 neighbours are more than 4 ranks have on a ring: give at most 6");
}

TEST_CASE("measured residuals correct a phase of messages by its protocol inside the node, and no other") {
    Machine here = parse_machine(
        "name: here\nsource: measured\nnode: {processors: 2}\n"
        "paths: {put: {core: {overhead: 1 us}}, get: {core: {overhead: 1 us}}}\n"
        "protocols: {put: {put: 1}, get: {get: 1}}\n",
        "here.yaml", "here");
    MeasuredResiduals measured{.name = "allreduce-put", .scales = {1, 1, 1, 1}, .spread = 1, .noise = 0.01};
    MessageQuery made = query("put", 1000);
    made.nodes = 1;
    made.ranks_per_node = 2;
    made.algorithm = "tree";
    const double plain = predict_collective(here, "allreduce", made).time.si();
    measured.points = {{values_of(residual_variables(MessagePhase::allreduce, made)), std::log(3.0)}};
    here.residuals = {ResidualSurface(measured)};
    const TimePrediction found = predict_collective(here, "allreduce", made);
    CHECK(found.time.si() == Approx(3 * plain).epsilon(1e-3));
    CHECK(sum_of(found) == Approx(found.time.si()));
    CHECK(found.beside.above == Approx(2 * std::sqrt(2) * 0.01).epsilon(0.01));
    made.algorithm.clear();
    CHECK(predict_collective(here, "all-to-all", made).beside.sessions == 0);
    made.algorithm = "tree";
    made.protocol = "get";
    CHECK(predict_collective(here, "allreduce", made).time.si() == Approx(plain));
    made.protocol = "put";
    here.composed = true;
    CHECK(predict_collective(here, "allreduce", made).time.si() == Approx(plain));
    here.composed = false;
    measured.scales.pop_back();
    measured.points.front().at.pop_back();
    here.residuals = {ResidualSurface(measured)};
    CHECK_THROWS_WITH(predict_collective(here, "allreduce", made), Catch::Contains("calibrate anew"));
}

}  // namespace narrows
