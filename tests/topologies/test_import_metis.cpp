#include <catch2/catch.hpp>

#include "tests/topologies/import_samples.hpp"

using namespace narrows;
using namespace narrows::testing;

namespace {

std::string error(const std::string& text) {
    ImportOptions options;
    options.format = "metis";
    return import_error(text, options);
}

}  // namespace

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

TEST_CASE("a bad METIS graph is answered with line and column") {
    CHECK(error("2 1\n2\n") == "2:2: the first line promises 2 vertices, but only 1 follow [2]");
    CHECK(error("2 1\n2\n1\n1\n") == "4:1: there are 2 vertices, and this line is one more [1]");
    CHECK(error("2 2\n2\n1\n") == "1:1: the first line promises 2 edges, but 1 follow [2 2]");
    CHECK(error("3 2\n2\n1\n2\n") ==
          "4:1: vertex 3 has neighbour 2, but 2 does not have 3 as often with that weight: an edge stands in both "
          "lines [2]");
    CHECK(error("2 1 1\n2 5\n1 6\n").starts_with("2:1: vertex 1 has neighbour 2, but 2 does not have 1"));
    CHECK(error("2 1 1\n2\n1 6\n") == "2:1: this neighbour has no edge weight after it [2]");
    CHECK(error("2 1 1\n2 0\n1 0\n") ==
          "2:3: capacity '0' is not above zero: leave the link out, or write what it carries [2 0]");
    CHECK(error("2 1\n3\n1\n") == "2:1: neighbour '3' is not a vertex: write a number from 1 to 2 [3]");
    CHECK(error("2 1\nx\n1\n") == "2:1: neighbour 'x' is not a vertex: write a number from 1 to 2 [x]");
    CHECK(error("2 1 10\n\n1 1\n") == "2:1: the line ends before its vertex weight []");
    CHECK(error("2\n").starts_with("1:1: this is not a line 'vertices edges [format [weights]]'"));
    CHECK(error("2 1 7\n").starts_with("1:1: this is not a line"));
    CHECK(error("% nothing\n") == "1:10: there is no line 'vertices edges [format]': give one [% nothing]");
    CHECK(error("0 0\n") == "0:0: there is no host and no link in this file: give it some []");
    CHECK(error("99999999999 1\n").starts_with("1:1: more than 33554432 vertices or edges"));
}

TEST_CASE("a METIS graph that ends too early says so, whatever its lines name") {
    ImportOptions metis;
    metis.format = "metis";
    CHECK(import_error("4 4\n2 4\n1\n", metis).find("the first line promises 4 vertices, but fewer follow") !=
          std::string::npos);
}

TEST_CASE("self-loops of a METIS graph are dropped") {
    const LabelledNetwork network = import_network("2 1\n1 2\n1\n", "file.graph");
    CHECK(network.network.edges.size() == 1);
    CHECK(network.warnings == std::vector<std::string>{"1 self-loop dropped, the first at line 2"});
}
