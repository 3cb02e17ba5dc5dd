#include <algorithm>
#include <catch2/catch.hpp>

// clang-format off
#include "topologies/eigen.hpp"
#include <Eigen/QR>
// clang-format on
#include "data/csv.hpp"
#include "data/library.hpp"
#include "model/gups/routed.hpp"
#include "model/read_costs.hpp"
#include "predictions.hpp"

namespace narrows {
namespace {

CsvTable published(const char* file) {
    return read_csv(published_directory() / "garg2006" / file);
}

std::int64_t nodes_of(const CsvTable& table, std::size_t row) {
    return static_cast<std::int64_t>(*table.number(row, "nodes"));
}

double gups(Rate rate) {
    return rate.si() / 1e9;
}

// Updates of a packet of Blue Gene/L's raw device, for the partition's own shape.
int packed(const Machine& machine, const std::vector<int>& shape) {
    return items_per_packet(read_framing(machine, "paths.raw.link.framing"), bytes(8), routed_bucket(shape));
}

// t_route and t_packet in cycles by least squares of cycles = 104 + h (t_route + t_packet / k) on Table 7 up to 8192
// nodes, cycles from the measured GUPS.
Eigen::Vector2d fitted_hop_costs(const Machine& machine, bool with_row_128) {
    const CsvTable table = published("table7.csv");
    std::vector<Eigen::Vector3d> rows;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const std::int64_t nodes = nodes_of(table, i);
        if (nodes > 8192 || (nodes == 128 && !with_row_128)) continue;
        const std::vector<int> shape = partition(machine, nodes).shape();
        const double hops = routed_hops(shape);
        const double cycles = static_cast<double>(nodes) * 700e6 / (*table.number(i, "gups") * 1e9);
        rows.emplace_back(hops, hops / packed(machine, shape), cycles - 104);
    }
    Eigen::MatrixX3d system(rows.size(), 3);
    for (std::size_t i = 0; i < rows.size(); ++i) system.row(static_cast<Eigen::Index>(i)) = rows[i];
    return system.leftCols<2>().colPivHouseholderQr().solve(system.col(2));
}

}  // namespace

TEST_CASE("the shipped costs of a test and of a heap level are solved from N = 32 and 0.0515 GUPS") {
    const Machine machine = load_machine("bluegene-l");
    GupsQuery query = gups_query(GupsCode::bucketed, 32);
    CHECK(gups(predict_gups(machine, query).rate) == Approx(*published("table6.csv").number(0, "gups")).epsilon(0.005));
    query.test_interval = 60;
    CHECK(gups(predict_gups(machine, query).rate) == Approx(0.0515).epsilon(0.005));
}

TEST_CASE("garg2006 Table 7 at 65536 nodes: nearer to the measurement than either bound and the paper's projection") {
    const Machine machine = load_machine("bluegene-l");
    const CsvTable table = published("table7.csv");
    const std::size_t last = table.rows.size() - 1;
    REQUIRE(nodes_of(table, last) == 65536);
    const double measured = *table.number(last, "gups");
    const double projection = std::min(*table.number(last, "cpu"), *table.number(last, "network"));
    const Prediction prediction = predict_gups(machine, gups_query(GupsCode::routed, 65536));
    const double predicted = gups(prediction.rate);
    CHECK(predicted > measured);
    CHECK(predicted < gups(limit_of(prediction, "processor")));
    CHECK(predicted < gups(limit_of(prediction, "network")));
    CHECK(predicted < projection);
    CHECK(predicted / measured - 1 == Approx(0.38).margin(0.01));
}

TEST_CASE("the shipped costs of a hop are the least squares of Table 7 without its row 128") {
    const Machine machine = load_machine("bluegene-l");
    const Eigen::Vector2d fitted = fitted_hop_costs(machine, false);
    CHECK(fitted[0] == Approx(find(machine, "compute.gups.route.per_update")->measure.value).epsilon(0.001));
    CHECK(fitted[1] == Approx(find(machine, "compute.gups.route.per_packet")->measure.value).epsilon(0.001));
    CHECK(fitted[0] == Approx(94.813).margin(0.001));
    CHECK(fitted[1] == Approx(698.42).margin(0.01));
    const Eigen::Vector2d with_128 = fitted_hop_costs(machine, true);  // another answer: that row is left out for good
    CHECK(with_128[0] == Approx(96.416).margin(0.001));
    CHECK(with_128[1] == Approx(674.96).margin(0.01));
}

TEST_CASE("virtual-node mode helps below the memory's limit: the gain of Section 6.2") {
    const Machine machine = load_machine("bluegene-l");
    GupsQuery both = gups_query(GupsCode::routed, 8192);
    const Prediction one = predict_gups(machine, both);
    both.mode = "virtual-node";
    const Prediction two = predict_gups(machine, both);
    check_consistent(two);
    CHECK(two.workers == 2 * one.workers);
    CHECK(two.rate / one.rate > 1.1);
    CHECK(two.rate / one.rate < 2);
}

}  // namespace narrows
