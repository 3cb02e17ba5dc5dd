#include <catch2/catch.hpp>

#include "model/schema.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

TEST_CASE("a row is found by its path, its names and the sizes of its curve") {
    REQUIRE(schema_row("node.clock") != nullptr);
    CHECK(schema_row("node.clock")->kind == Kind::frequency);
    REQUIRE(schema_row("paths.mpi.send.overhead") != nullptr);
    CHECK(schema_row("paths.mpi.send.overhead")->path == "paths.*.*.overhead");
    REQUIRE(schema_row("messaging.mpi.send.per_message") != nullptr);  // of older files
    CHECK(schema_row("messaging.mpi.send") == nullptr);
    REQUIRE(schema_row("compute.gups.update.32 MiB") != nullptr);
    CHECK(schema_row("compute.gups.update.32 MiB")->path == "compute.gups.update");
    CHECK(schema_row("compute.gups.update.1.5 MiB")->path == "compute.gups.update");
    CHECK(schema_row("node") == nullptr);
    CHECK(schema_row("node.clok") == nullptr);
    CHECK(schema_row("node.clock.32 MiB") == nullptr);
    CHECK(schema_row("") == nullptr);
}

TEST_CASE("places of older files are known by where they are now") {
    CHECK(newer_place("messaging.mpi.send.per_message") == "paths.mpi.send.overhead");
    CHECK(newer_place("messaging.mpi.framing") == "paths.mpi.link.framing.header");
    CHECK(newer_place("messaging.shmem.barrier") == "compute.gups.barrier");
    CHECK_FALSE(newer_place("paths.mpi.send.overhead"));
    CHECK_FALSE(newer_place("messaging"));
    for (const SchemaRow& row : schema()) CHECK_FALSE(newer_place(row.path));
}

TEST_CASE("sections know their words") {
    CHECK(words_below("messaging.raw.send").words == std::vector<std::string>{"per_message", "per_byte"});
    CHECK(words_below("messaging").words.empty());
    CHECK(words_below("messaging").any_name);
    CHECK(words_below("network.partitions").any_name);
    CHECK_FALSE(words_below("network").any_name);
}

TEST_CASE("each kind refuses what no machine has") {
    const auto check = [](const char* path, const char* text) { check_value(*schema_row(path), parse_measure(text)); };
    CHECK_NOTHROW(check("node.clock", "700 MHz"));
    CHECK_NOTHROW(check("network.link.latency", "0 ns"));
    CHECK_NOTHROW(check("network.link.latency", "86 cycles"));
    CHECK_NOTHROW(check("messaging.mpi.send.per_byte", "0.25 cycles/B"));
    CHECK_NOTHROW(check("network.simulated_router.overhead", "0 %"));
    CHECK_THROWS_WITH(check("node.clock", "-1 GHz"), "'-1 GHz' is impossible here: the value must be above zero");
    CHECK_THROWS_WITH(check("node.clock", "0 Hz"), "'0 Hz' is impossible here: the value must be above zero");
    CHECK_THROWS_WITH(check("node.clock", "1e40 Hz"), "'1e40 Hz' is impossible here: no machine has so large a value");
    CHECK_THROWS_WITH(check("node.clock", "1e-40 Hz"),
                      "'1e-40 Hz' is impossible here: no machine has so small a value");
    CHECK_THROWS_WITH(check("node.memory.latency", "-1 ns"),
                      "'-1 ns' is impossible here: the value must be at least zero");
    CHECK_THROWS_WITH(check("node.processors", "1.5"), "'1.5' is not a whole number from 1 to 1000000000");
    CHECK_THROWS_WITH(check("protocols.put.wire", "1001"), "'1001' is not a whole number from 1 to 1000");
    CHECK_THROWS_WITH(check("paths.wire.link.times", "1001"), "'1001' is not a whole number from 1 to 1000");
    CHECK_THROWS_WITH(check("node.processors", "1e12"), "'1000000000000' is not a whole number from 1 to 1000000000");
    CHECK_THROWS_WITH(check("node.modes.any", "0"), "'0' is impossible here: the value must be above zero");
    CHECK_THROWS_WITH(check("network.link.bandwidth", "5 ns"),
                      "'5 ns' is a time, expected a bandwidth such as '1.4 Gbit/s'");
    CHECK_THROWS_WITH(check("compute.gups.update", "5 B"),
                      "'5 B' is an amount of data, expected a time such as '25 ns' or '86 cycles', or a map from sizes "
                      "to times");
    CHECK_THROWS_WITH(check("network.link.framing.code", "64/72"),
                      "'0.8888888888888888' is impossible here: the value must be at least 1");
    CHECK_THROWS_WITH(check("node.state_change", "1.5"), "'1.5' is impossible here: the value must be at most 1");
    CHECK_THROWS_WITH(check("compute.balanced", "0.5"), "'0.5' is impossible here: the value must be at least 1");
    CHECK_THROWS_WITH(check("compute.balanced", "3"), "'3' is impossible here: the value must be at most 2");
}

TEST_CASE("every row has a help text and an expectation") {
    for (const SchemaRow& row : schema()) {
        INFO(row.path);
        CHECK(row.help.size() > 5);
        CHECK_FALSE(expectation(row.kind).empty());
        CHECK(schema_row(row.path) == &row);
    }
}

TEST_CASE("a topology is checked, and a partition is named after its nodes") {
    CHECK_NOTHROW(check_text(*schema_row("network.topology"), "network.topology", "torus 4x4x2"));
    CHECK_NOTHROW(check_text(*schema_row("network.partitions.32"), "network.partitions.32", "mesh 4x4x2"));
    CHECK_THROWS_AS(check_text(*schema_row("network.topology"), "network.topology", "tours 4x4x2"), InputError);
    CHECK_THROWS_WITH(check_text(*schema_row("network.partitions.64"), "network.partitions.64", "mesh 4x4x2"),
                      "partition '64' is 'mesh 4x4x2', which has 32 nodes: name a partition after its nodes");
}

TEST_CASE("a first bucket may cost nothing and a state may never change, a clock may not be nothing") {
    CHECK_NOTHROW(check_value(*schema_row("node.state_change"), parse_measure("0")));
    CHECK_NOTHROW(check_value(*schema_row("compute.gups.route.first"), parse_measure("0")));
    CHECK_THROWS_AS(check_value(*schema_row("node.clock"), parse_measure("0 GHz")), InputError);
}

TEST_CASE("a point of a curve is named after a size above zero") {
    const SchemaRow& row = *schema_row("compute.gups.update");
    CHECK(curve_size(row, "compute.gups.update.32 MiB") == bytes(33554432));
    CHECK_THROWS_WITH(curve_size(row, "compute.gups.update.0 B"),
                      "'0 B' is impossible as the size of a curve's point: it must be above zero");
    CHECK_THROWS_AS(curve_size(row, "compute.gups.update.5 ns"), InputError);
    CHECK_THROWS_AS(curve_size(row, "compute.gups.update"), std::logic_error);
    const SchemaRow& named = *schema_row("compute.sweep3d.blocks.6.flux");
    CHECK(schema_row("compute.sweep3d.blocks.6.flux.1.5 MiB") == &named);
    CHECK(curve_of(named, "compute.sweep3d.blocks.6.flux.1.5 MiB") == "compute.sweep3d.blocks.6.flux");
    CHECK(curve_size(named, "compute.sweep3d.blocks.6.flux.1.5 MiB") == bytes(1572864));
    CHECK(schema_row("compute.sweep3d.blocks.6.cell.1.5 MiB") == nullptr);
}

}  // namespace narrows
