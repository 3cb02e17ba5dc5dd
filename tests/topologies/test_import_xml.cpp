#include <catch2/catch.hpp>

#include "tests/topologies/import_samples.hpp"

using namespace narrows;
using namespace narrows::testing;

namespace {

std::string graph(const std::string& content, const std::string& direction = "undirected") {
    return "<graphml>\n<key id=\"c\" for=\"edge\" attr.name=\"capacity\"/><key id=\"w\" for=\"edge\" "
           "attr.name=\"weight\"/>"
           "<key id=\"k\" for=\"node\" attr.name=\"type\"/><key id=\"n\" for=\"node\" attr.name=\"name\"/>\n<graph "
           "edgedefault=\"" +
           direction + "\">\n" + content + "\n</graph></graphml>\n";
}

const std::string two_nodes = R"(<node id="a"/><node id="b"/>)";

}  // namespace

TEST_CASE("GraphML has kinds and capacities, given or by default") {
    const LabelledNetwork network = import_network(import_sample("graphml").text, "file");
    CHECK(network.format == "graphml");
    CHECK(network.names == std::vector<std::string>{"a", "b & c", "s"});
    CHECK(network.network.switches == 1);
    CHECK(by_name(network).links.at({"a", "s"}) == 25);
    CHECK(by_name(network).links.at({"b & c", "s"}) == 100);
    CHECK(network.capacity_unit.empty());
}

TEST_CASE("GraphML vertices show their name when it is theirs alone") {
    const LabelledNetwork network =
        import_network(graph(R"(<node id="a"><data key="n">x</data></node><node id="b"><data key="n">y</data></node>
                 <node id="c"><data key="n">y</data></node><edge source="a" target="b"/><edge source="b" target="c"/>)"),
                       "file");
    CHECK(network.names == std::vector<std::string>{"x", "y b", "y c"});
    CHECK(network.capacity_unit == "links");
    const LabelledNetwork weight =
        import_network(graph(two_nodes + R"(<edge source="a" target="b"><data key="w">7</data></edge>)"), "file");
    CHECK(weight.network.edges[0].capacity == 7);
    CHECK(warns_of(weight, "the weight is used as capacity"));
}

TEST_CASE("opposite arcs of a directed graph are one link") {
    const std::string there = R"(<edge source="a" target="b"/>)";
    const std::string back = R"(<edge source="b" target="a"/>)";
    const LabelledNetwork both = import_network(graph(two_nodes + there + back, "directed"), "file");
    CHECK(both.network.edges.size() == 1);
    CHECK(both.network.edges[0].capacity == 1);
    CHECK(both.warnings.empty());
    const LabelledNetwork one = import_network(graph(two_nodes + there, "directed"), "file");
    CHECK(one.network.edges.size() == 1);
    CHECK(warns_of(one, "every arc counts as a link usable both ways"));
    CHECK(import_error(graph(two_nodes + R"(<node id="c"/><edge source="b" target="c"/>)" + there + back, "directed"))
              .starts_with("0:0: 1 of 2 pairs of vertices are joined one way only"));
}

TEST_CASE("bad GraphML is answered with line and column") {
    CHECK(import_error(graph(two_nodes + "\n <edge source=\"a\" target=\"zz\"/>"))
              .starts_with("5:3: target 'zz' is not a <node> of this file"));
    CHECK(import_error(graph(two_nodes + "\n<edge source=\"a\"/>")).starts_with("5:2: <edge> has no target"));
    CHECK(import_error(graph(two_nodes + "\n<node/>")).starts_with("5:2: <node> has no id"));
    CHECK(import_error(graph(two_nodes + "\n<node id=\"a\"/>")).starts_with("5:2: vertex 'a' comes twice"));
    CHECK(import_error(graph(two_nodes + "\n<edge source=\"a\" target=\"b\"><data key=\"c\">x</data></edge>"))
              .starts_with("5:2: capacity 'x' is not a finite number"));
    CHECK(import_error(graph("<node id=\"a\"><data key=\"k\">bridge</data></node>"))
              .starts_with("4:2: 'bridge' is not a kind of vertex"));
    CHECK(import_error(graph(two_nodes + "<hyperedge/>")).find("hyperedges are not supported") != std::string::npos);
    CHECK(import_error(graph("<node id=\"a\"><graph/></node>")).find("flatten it") != std::string::npos);
    CHECK(import_error(graph("")).starts_with("0:0: there is no host"));
    CHECK(import_error(graph(two_nodes + R"(<edge source="a" target="b" directed="true"/>)")).find("make them agree") !=
          std::string::npos);
}
