#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <catch2/catch.hpp>

#include "tests/topologies/import_samples.hpp"
#include "topologies/exporters/export.hpp"
#include "topologies/topology.hpp"

using namespace narrows;
using namespace narrows::testing;

namespace {

struct BoostVertex {
    std::string name;
    std::string kind;
};
struct BoostEdge {
    double capacity = 1;
};
using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, BoostVertex, BoostEdge>;

/// What Boost.Graph reads.
NetworkByName read_by_boost(const std::string& text) {
    BoostGraph graph;
    boost::dynamic_properties properties(boost::ignore_other_properties);
    properties.property("node_id", boost::get(&BoostVertex::name, graph));
    properties.property("kind", boost::get(&BoostVertex::kind, graph));
    properties.property("capacity", boost::get(&BoostEdge::capacity, graph));
    boost::read_graphviz(text, graph, properties);
    NetworkByName result;
    for (const auto v : boost::make_iterator_range(boost::vertices(graph))) {
        result.switches[graph[v].name] = graph[v].kind == "switch";
    }
    for (const auto e : boost::make_iterator_range(boost::edges(graph))) {
        const auto [low, high] = std::minmax(graph[boost::source(e, graph)].name, graph[boost::target(e, graph)].name);
        result.links[{low, high}] += graph[e].capacity;
    }
    return result;
}

}  // namespace

TEST_CASE("DOT has defaults, subgraphs, chains, ports and joined strings") {
    const LabelledNetwork network = import_network(import_sample("dot").text, "file");
    CHECK(network.format == "dot");
    CHECK(network.capacity_unit == "Gbit/s");
    CHECK(network.names == std::vector<std::string>{"a", "bc", "d", "s0", "s1"});
    const NetworkByName named = by_name(network);
    CHECK(named.links.size() == 5);
    CHECK(named.links.at({"bc", "s0"}) == 10);
    CHECK(named.links.at({"d", "s1"}) == 2.5);
    CHECK(named.links.at({"s0", "s1"}) == 40);
    CHECK(network.warnings.empty());
}

TEST_CASE("DOT escapes quotes and backslashes, joins lines, and has kinds of vertices alone") {
    const LabelledNetwork network = import_network(
        "graph { graph [type=fabric]; \"C:\\\\\" -- \"a\\\"b\" [type=optical]; \"a\\\"b\" -- \"long\\\r\nname\"; "
        "\"C:\\\\\" [capacity=none]; }",
        "file");
    CHECK(network.names == std::vector<std::string>{"C:\\", "a\"b", "longname"});
    CHECK(network.network.edges.size() == 2);
}

TEST_CASE("an edge that a strict DOT graph repeats has what is said of it last") {
    const std::string text =
        "strict graph { edge [capacity=2]; a -- b [capacity=1]; b -- a [capacity=4]; a -- b; b -- c }";
    const NetworkByName network = by_name(import_network(text, "file"));
    CHECK(network.links.at({"a", "b"}) == 4);
    CHECK(network.links.at({"b", "c"}) == 2);
    CHECK(by_name(import_network("strict graph { a -- b; a -- b [capacity=3] }", "file")).links.at({"a", "b"}) == 3);
    const NetworkByName weighted = by_name(import_network(
        "strict graph { a -- b [capacity=5]; a -- b [weight=7]; b -- c [weight=2]; c -- b [weight=4] }", "file"));
    CHECK(weighted.links.at({"a", "b"}) == 5);
    CHECK(weighted.links.at({"b", "c"}) == 4);
    CHECK_THROWS_AS(import_network("strict graph { a -- b [capacity=2]; b -- c; c -- b }", "file"), InputError);
}

TEST_CASE("a capacity counts, also that of all edges, before a weight of a DOT graph") {
    const NetworkByName by_default = by_name(import_network("graph { edge [capacity=2]; a -- b [weight=9] }", "file"));
    CHECK(by_default.links.at({"a", "b"}) == 2);
    const NetworkByName weights =
        by_name(import_network("graph { edge [weight=2]; a -- b [weight=9]; b -- c }", "file"));
    CHECK(weights.links.at({"a", "b"}) == 9);
    CHECK(weights.links.at({"b", "c"}) == 2);
}

TEST_CASE("DOT is read as Boost.Graph reads it") {
    // Boost.Graph refuses braces without the word subgraph, and HTML strings.
    const std::vector<std::string> texts{
        "graph{a--b--c--a;a--subgraph{b c d}--e}",
        ("graph {edge [capacity=3] a -- b; node [kind=switch] s; "
         "subgraph q {node [kind=host] h} t; \"x y\" -- s; a:p:n -- s}"),
        "graph g {1 -- -2.5 -- .5\n# a comment\n-3 -- four; /* another */ }",
        "graph { subgraph s { a; b } -- subgraph { c; d } ; kind=switch; a [kind=\"switch\"]}",
        export_network(number_vertices(parse_topology("fat-tree ports=4 levels=3").graph()), "dot"),
    };
    for (const std::string& text : texts) {
        INFO(text);
        CHECK(by_name(import_network(text, "file")) == read_by_boost(text));
    }
}

TEST_CASE("bad DOT is answered with line and column") {
    CHECK(import_error("graph { a -- b").starts_with("1:15: 'the end of the file' stands here, where '}' is expected"));
}

TEST_CASE("a weight stands for a capacity that is not given") {
    const LabelledNetwork network =
        import_network("graph { a -- b [weight=3]; b -- c [capacity=2, weight=0] }", "file");
    CHECK(network.network.edges[0].capacity == 3);
    CHECK(network.network.edges[1].capacity == 2);
    CHECK(warns_of(network, "the weight is used as capacity"));
}
