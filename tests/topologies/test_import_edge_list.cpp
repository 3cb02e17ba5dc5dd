#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/error_cases.hpp"
#include "tests/topologies/import_samples.hpp"
#include "topologies/exporters/writers.hpp"
#include "topologies/importers/network_builder.hpp"

using namespace narrows;
using namespace narrows::testing;

TEST_CASE("an edge list has names, kinds, capacities and comments") {
    const LabelledNetwork network = import_network(import_sample("edge-list").text, "file");
    CHECK(network.format == "edge-list");
    CHECK(network.capacity_unit.empty());
    CHECK(network.names == std::vector<std::string>{"lonely", "a", "b c", "d", "s1", "s2"});
    CHECK(network.network.hosts == 4);
    const NetworkByName named = by_name(network);
    CHECK(named.links.at({"b c", "s1"}) == 10);
    CHECK(named.links.at({"s1", "s2"}) == 2.5);
    CHECK(named.links.at({"d", "s2"}) == 10);
    CHECK(network.warnings ==
          std::vector<std::string>{"the network is in 2 parts that no link joins, 2 of them with hosts"});
}

TEST_CASE("an edge list says the unit of its capacities as exports do") {
    const LabelledNetwork read =
        import_network("# capacities in Gbit/s\nhost a b\nswitch s\na s 100\nb s 100\n", "file");
    CHECK(read.capacity_unit == "Gbit/s");
    CHECK(import_network(write_edge_list(read), "file").capacity_unit == "Gbit/s");
    CHECK(import_network("# capacities in Gbit/s\na b\n", "file").capacity_unit == "links");
    CHECK(import_network("# capacities as measured\na b 3\n", "file").capacity_unit.empty());
}

TEST_CASE("a network without switches is asked for them where several vertices hang on one") {
    const std::string tree = "a leaf\nb leaf\nleaf spine\n";
    CHECK(import_network(tree, "file").warnings ==
          std::vector<std::string>{"all 4 vertices count as nodes, also 'leaf', on which 3 others hang alone: write a "
                                   "line 'switch leaf' for each that is a switch"});
    CHECK(import_network("switch leaf spine\n" + tree, "file").warnings.empty());
    const auto warning_of = [](const std::string& text) { return import_network(text, "file").warnings.at(0); };
    const std::string hanging = "all 4 vertices count as nodes, also ";
    CHECK(warning_of("graph {a -- leaf; b -- leaf; leaf -- spine}") ==
          hanging + "'leaf', on which 3 others hang alone: write '\"leaf\" [kind=switch]' for each that is a switch");
    CHECK(warning_of("4 3\n2\n1 3 4\n2\n2\n") ==
          hanging + "'2', on which 3 others hang alone: give 2 and each other switch the weight 0");
    CHECK(warning_of("<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/><node id='c'/><node id='l'/>"
                     "<edge source='a' target='l'/><edge source='b' target='l'/><edge source='c' target='l'/></graph>"
                     "</graphml>") ==
          hanging + "'l', on which 3 others hang alone: give 'l' and each other switch the kind 'switch'");
    CHECK(import_network("0 1\n1 2\n2 3\n", "file").warnings.empty());  // a line, whose ends hang on others
}

TEST_CASE("five lines with the numbers of a METIS graph are an edge list where they are no such graph") {
    const LabelledNetwork network = import_network("4 3 1\n1 2 1\n2 3 1\n3 1 1\n4 1 1\n", "file");
    CHECK(network.format == "edge-list");
    CHECK(network.network.edges.size() == 5);
}

TEST_CASE("vertices that are numbers keep their order") {
    const LabelledNetwork network = import_network("10 2\r\n2 0\r\n", "file");
    CHECK(network.names == std::vector<std::string>{"0", "2", "10"});
    CHECK(network.capacity_unit == "links");
    CHECK(network.network.edges[0].capacity == 1);
    CHECK(network.warnings.empty());
}

TEST_CASE("what is odd about a network is warned of") {
    const LabelledNetwork network = import_network("a b\nb b\n\nc c\nb a\na b\n", "file");
    CHECK(network.network.edges.size() == 3);
    CHECK(network.warnings ==
          std::vector<std::string>{"2 self-loops dropped, the first at line 2",
                                   "2 links each repeat another and adds up with it in cuts and flows",
                                   "the network is in 2 parts that no link joins, 2 of them with hosts"});
    CHECK(warns_of(import_network("0 1\n1 0\n1 2\n2 1\n", "file"), "every link is there in both directions"));
    const LabelledNetwork single = import_network("host a\n", "file");
    CHECK(single.network.hosts == 1);
    CHECK(warns_of(single, "there is a single host, so there is nothing to cut"));
}

TEST_CASE("a bad file of any format is answered with line and column") {
    for (const std::string format : {"any", "metis"}) {
        ImportOptions options;
        if (format != "any") options.format = format;
        const std::vector<ErrorCase> cases = error_cases(fmt::format("{}/{}.txt", NARROWS_IMPORT_ERRORS, format));
        CHECK(cases.size() > 10);
        for (const ErrorCase& one : cases) {
            CAPTURE(one.text);
            CHECK(import_error(one.text, options) == fmt::format("{} [{}]", one.error, one.line));
        }
    }
}

TEST_CASE("a file that is no text says so") {
    CHECK(import_error(std::string_view("\x1F\x8B\0\0", 4)) ==
          "1:1: this is not text (it holds a zero byte): unpack or convert it []");
    ImportOptions options;
    options.format = "graphm";
    CHECK(import_error("a b", options) == "0:0: no network format is called 'graphm', did you mean 'graphml'? []");
}

TEST_CASE("formats are recognised by content, then by the file's name") {
    for (const ImportSample& sample : import_samples()) {
        INFO(sample.name);
        const std::string expected = sample.name == "dragonfly" ? "simgrid" : sample.name;
        CHECK(import_network(fmt::format("\xEF\xBB\xBF{}", sample.text), "file", sample.options).format == expected);
    }
    CHECK(import_network("2 1\n1 2\n", "file").format == "edge-list");
    CHECK_THROWS_AS(import_network("2 1\n1 2\n", "file.graph"), InputError);
    CHECK(import_network("2 1\n2\n1\n", "file").format == "metis");
}

TEST_CASE("a thousand names keep their numbers") {
    NameTable table;
    for (int i = 0; i < 1000; ++i) CHECK(table.number(fmt::format("v{}", i)) == i);
    for (int i = 0; i < 1000; ++i) CHECK(table.find(fmt::format("v{}", i)) == i);
    CHECK(table.find("w") == -1);
    CHECK(table.name(999) == "v999");
}

TEST_CASE("a name that is not UTF-8 is refused where it stands") {
    CHECK(import_error("# caf\xE9\na b\nb caf\xE9\n") ==
          "3:3: 'caf\xE9' is not UTF-8 text: save the file as UTF-8 [b caf\xE9]");
    CHECK(import_error("<graphml><graph><node id='caf\xE9'/></graph></graphml>")
              .starts_with("1:27: 'caf\xE9' is not UTF-8 text"));
}
