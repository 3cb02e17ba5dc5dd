#include <catch2/catch.hpp>

#include "tests/topologies/import_samples.hpp"

using namespace narrows;
using namespace narrows::testing;

TEST_CASE("a METIS graph has weights, and a switch has weight 0") {
    const LabelledNetwork network = import_network(import_sample("metis").text, "file");
    CHECK(network.format == "metis");
    CHECK(network.network.hosts == 3);
    CHECK(network.names == std::vector<std::string>{"1", "2", "3", "4"});
    const NetworkByName named = by_name(network);
    CHECK(named.switches.at("4"));
    CHECK(named.links.at({"1", "4"}) == 7);
    CHECK(named.links.at({"1", "2"}) == 5);
    CHECK(network.warnings.empty());
}

TEST_CASE("lines without neighbours, sizes and several weights are read") {
    const LabelledNetwork network = import_network("3 1 110 2\n9 4 1 2\n9 1 1 1\n9 1 1\n", "file");
    CHECK(network.network.edges.size() == 1);
    CHECK(warns_of(network, "vertex weights above 1 and vertex sizes are not used"));
    CHECK(warns_of(network, "the network is in 2 parts"));
    CHECK(import_network("3 1\n2\n1\n\n", "file").network.hosts == 3);
}

TEST_CASE("self-loops of a METIS graph are dropped") {
    const LabelledNetwork network = import_network("2 1\n1 2\n1\n", "file.graph");
    CHECK(network.network.edges.size() == 1);
    CHECK(network.warnings == std::vector<std::string>{"1 self-loop dropped, the first at line 2"});
}
