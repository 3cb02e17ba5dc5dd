#include <catch2/catch.hpp>

#include "tests/topologies/import_samples.hpp"
#include "topologies/exporters/export.hpp"
#include "topologies/topology.hpp"

using namespace narrows;
using namespace narrows::testing;

namespace {

/// A network with odd names, links of different speed in parallel, and a part of its own.
LabelledNetwork weighted() {
    LabelledNetwork network;
    network.network.hosts = 4;
    network.network.switches = 2;
    network.network.connect(0, 4, 100);
    network.network.connect(1, 4, 25);
    network.network.connect(2, 5, 3);
    network.network.connect(4, 5, 200);
    network.network.connect(5, 4, 40);
    network.names = {"node 1", "switch", "a<b>&'c'", "lonely", "s\xC3\xA4ule", "#5"};
    network.capacity_unit = "Gbit/s";
    return network;
}

LabelledNetwork named(const std::string& spec) {
    return number_vertices(parse_topology(spec).graph());
}

}  // namespace

TEST_CASE("what is exported is imported again, in every format") {
    for (const ExportFormat& format : export_formats()) {
        for (const std::string spec : {"mesh 4x3", "torus 5x4x3", "torus 4x2", "hypercube 4",
                                       "fat-tree ports=4 levels=3", "fat-tree ports=6 levels=2 taper=2:1"}) {
            INFO(format.name << " of " << spec);
            const LabelledNetwork before = named(spec);
            LabelledNetwork after = import_network(export_network(before, format.name), "copy" + format.ending);
            CHECK(after.format == format.name);
            CHECK(after.network.hosts == before.network.hosts);
            CHECK(after.network.switches == before.network.switches);
            CHECK(after.warnings.empty());
            CHECK(after.capacity_unit == (format.name == "simgrid" ? "Gbit/s" : "links"));
            // METIS numbers vertices from 1.
            if (format.name == "metis") after.names = before.names;
            CHECK(by_name(after) == by_name(before));
            CHECK(after.names == before.names);
        }
    }
}

TEST_CASE("names, kinds and speeds survive every format that has them") {
    const LabelledNetwork before = weighted();
    for (const std::string format : {"simgrid", "dot", "graphml", "edge-list"}) {
        INFO(format);
        const LabelledNetwork after = import_network(export_network(before, format), "copy");
        CHECK(after.format == format);
        CHECK(by_name(after) == by_name(before));
        CHECK(after.capacity_unit == "Gbit/s");
        CHECK(warns_of(after, "the network is in 2 parts that no link joins, 2 of them with hosts"));
        CHECK(warns_of(after, "1 link repeats another") == (format != "simgrid"));
    }
    const LabelledNetwork metis = import_network(export_network(before, "metis"), "copy.graph");
    CHECK(metis.network.switches == 2);
    CHECK(metis.network.edges.size() == 5);
}

TEST_CASE("names that a format changes stay apart, and what it leaves out is told") {
    LabelledNetwork before = named("mesh 4");
    before.names = {"a\\b", "a_b", "c\"", "d"};
    for (const std::string format : {"simgrid", "dot", "graphml", "edge-list"}) {
        INFO(format);
        const LabelledNetwork after = import_network(export_network(before, format), "copy");
        CHECK(after.network.edges.size() == 3);
        if (format != "edge-list") CHECK(by_name(after) == by_name(before));
    }
    before.names[3] = "c_";
    CHECK_THROWS_WITH(export_network(before, "edge-list"), Catch::Contains("another vertex is called like 'c_'"));
    before.capacity_unit = "Gbit/s";
    CHECK(import_network(export_network(before, "metis"), "copy.graph").capacity_unit.empty());
    const ExportFormat& metis = export_formats().back();
    REQUIRE(metis.name == "metis");
    CHECK(metis.changed(before).size() == 2);
    CHECK(metis.changed(named("mesh 4")).empty());
}

TEST_CASE("every sample survives a passage through every format") {
    for (const ImportSample& sample : import_samples()) {
        const LabelledNetwork before = import_network(sample.text, sample.name, sample.options);
        for (const std::string format : {"simgrid", "dot", "graphml", "edge-list"}) {
            INFO(sample.name << " through " << format);
            CHECK(by_name(import_network(export_network(before, format), "copy")) == by_name(before));
        }
    }
}

TEST_CASE("what a format cannot say is an input error") {
    LabelledNetwork network = weighted();
    CHECK_THROWS_WITH(export_network(network, "graphm"),
                      "networks are not written as 'graphm', did you mean 'graphml'?");
    network.network.edges[2].capacity = 2.5;
    CHECK_THROWS_WITH(export_network(network, "metis"),
                      "METIS takes whole numbers only, and the link between 'a<b>&'c'' and '#5' has capacity 2.5: "
                      "choose another unit or another format");
    network.names.pop_back();
    CHECK_THROWS_AS(export_network(network, "dot"), std::logic_error);
}
