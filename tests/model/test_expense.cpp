#include "model/expense.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "model/gups/workload.hpp"
#include "predictions.hpp"
#include "tests/error_of.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

Machine priced(Machine machine) {
    machine = with_change(std::move(machine), "price.node", "1000 EUR");
    machine = with_change(std::move(machine), "price.link", "50 EUR");
    return with_change(std::move(machine), "price.port", "20 EUR");
}

bool beats(const Offer& a, const Offer& b, bool less_is_better) {
    const bool better = less_is_better ? a.result < b.result : a.result > b.result;
    return (a.cost <= b.cost && better) || (a.cost < b.cost && a.result == b.result);
}

}  // namespace

TEST_CASE("expense: links and ports are those of the network that is built") {
    const Machine fat_tree = load_machine("cluster-400g");  // of switches with 64 ports, three levels
    // 64 hosts on two leaf switches: a link each, and as many upwards.
    const NetworkParts parts = network_parts(fat_tree, 64);
    const Topology built = parse_topology("fat-tree ports=64 levels=3 hosts=64");
    CHECK(parts.nodes == 64);
    CHECK(parts.links == built.links());
    CHECK(parts.ports == 2 * built.links() - 64);
    const NetworkParts torus = network_parts(on_network(fat_tree, parse_topology("torus 4x4x4")), 64);
    CHECK(torus.links == 192);  // three of each node
    CHECK(torus.ports == 384);
    const NetworkParts alone = network_parts(fat_tree, 1);
    CHECK(alone.links == 0);
    CHECK(alone.ports == 0);
}

TEST_CASE("expense: of hosts with two links to switches neither end at the host is a port") {
    Machine machine = load_machine("cluster-400g");
    Network rails{2, 2, {{0, 2, 1}, {0, 3, 1}, {1, 2, 1}, {1, 3, 1}}};
    SearchedNetwork searched{.name = "rails",
                             .nodes = 2,
                             .pair_flow = 1,
                             .switched = hang_on_switches(rails),
                             .graph = std::make_shared<const BoundedNetwork>(BoundedNetwork{rails, {}, {}})};
    const NetworkParts parts = network_parts(on_network(machine, searched), 2);
    CHECK(parts.links == 4);
    CHECK(parts.ports == 4);
}

TEST_CASE("expense: a sum over nodes, links and ports, and nothing for what has no price") {
    const Machine torus = on_network(load_machine("cluster-400g"), parse_topology("torus 4x4x4"));
    const Expense all = expense_of(priced(torus), Spent::price, 64);
    CHECK(all.sum == 64 * 1000 + 192 * 50 + 384 * 20);
    CHECK(all.unit == "EUR");
    CHECK(all.share_of(torus, "network.link.bandwidth") == Approx(192 * 50 / all.sum));
    CHECK(all.share_of(torus, "paths.mpi.link.framing.header") == Approx(192 * 50 / all.sum));
    CHECK(all.share_of(torus, "compute.flops") == Approx(64 * 1000 / all.sum));
    CHECK(all.share_of(torus, "paths.mpi.send.overhead") == Approx(64 * 1000 / all.sum));
    CHECK(all.share_of(torus, "network.router.latency") == Approx(384 * 20 / all.sum));
    CHECK_FALSE(all.share_of(torus, "other_networks.tree.bandwidth"));
    const Machine watts = with_change(torus, "power.node", "0.7 kW");
    const Expense power = expense_of(watts, Spent::power, 64);
    CHECK(power.sum == Approx(64 * 700));
    CHECK(power.unit == "W");
    CHECK_FALSE(power.share_of(torus, "network.link.bandwidth"));
    CHECK(error_of([&] { expense_of(torus, Spent::power, 64); }).find("each a power such as '350 W'") !=
          std::string::npos);
}

TEST_CASE("expense: the network's machine brings the prices of its links, and none is converted") {
    const Machine nodes = priced(load_machine("cluster-400g"));
    const Machine torus = with_change(load_machine("bluegene-l"), "price.link", "7 USD");
    const Machine both = on_network(nodes, torus);
    CHECK(find(both, "price.node")->measure.value == 1000);
    CHECK(find(both, "price.link")->measure.value == 7);
    CHECK(find(both, "price.port") == nullptr);
    CHECK(error_of([&] { expense_of(both, Spent::price, 64); }).find("none is converted") != std::string::npos);
    CHECK(error_of([&] { with_change(nodes, "price.link", "5 USD"); }).find("give all prices in one currency") !=
          std::string::npos);
    CHECK_THROWS_WITH(parse_machine("name: m\nprice:\n  node: 5\n", "m.yaml", "m"),
                      Catch::Contains("expected an amount of money such as '1200 USD'"));
    CHECK_THROWS_WITH(with_change(nodes, "price.node", "-5 EUR"), Catch::Contains("at least zero"));
    CHECK_NOTHROW(with_change(nodes, "price.link", "0 EUR"));
}

TEST_CASE("expense: money and power are measures of their own") {
    const Measure price = parse_measure("12500 EUR");
    CHECK(price.dimension == Dimension::money);
    CHECK(print(price) == "12500 EUR");
    CHECK(base_unit(price) == "EUR");
    const Measure power = parse_measure("1.5 kW");
    CHECK(power.dimension == Dimension::power);
    CHECK(power.value == 1500);
    CHECK(base_unit(power) == "W");
    CHECK_THROWS_AS(parse_measure("5 kEUR", Dimension::money), InputError);
}

TEST_CASE("frontier: no offer of it is beaten, and each other is beaten by one of it or as one of it") {
    std::mt19937 random(7);
    for (int trial = 0; trial < 300; ++trial) {
        // Few values, so that many are equal.
        std::uniform_int_distribution<int> value(1, trial % 3 == 0 ? 4 : 1000);
        std::vector<Offer> offers(1 + random() % 60);
        for (Offer& one : offers) one = {static_cast<double>(value(random)), static_cast<double>(value(random))};
        const bool less_is_better = trial % 2 == 0;
        const std::vector<std::size_t> found = frontier(offers, less_is_better);
        REQUIRE_FALSE(found.empty());
        for (std::size_t i = 1; i < found.size(); ++i) CHECK(offers[found[i - 1]].cost < offers[found[i]].cost);
        for (std::size_t i = 0; i < offers.size(); ++i) {
            const bool is_of_it = std::ranges::find(found, i) != found.end();
            const bool is_beaten = std::ranges::any_of(
                offers, [&](const Offer& other) { return beats(other, offers[i], less_is_better); });
            if (is_of_it) CHECK_FALSE(is_beaten);
            if (is_of_it || is_beaten) continue;
            CHECK(std::ranges::any_of(found, [&](std::size_t one) {
                return offers[one].cost == offers[i].cost && offers[one].result == offers[i].result;
            }));
        }
    }
}

}  // namespace narrows
