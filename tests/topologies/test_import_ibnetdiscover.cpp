
#include <catch2/catch.hpp>

#include "tests/topologies/import_samples.hpp"

using namespace narrows;
using namespace narrows::testing;

namespace {

/// A switch and one adapter, the lines of whose ports are given.
std::string pair(const std::string& at_switch, const std::string& at_adapter) {
    return "Switch\t36 \"S-01\"\t\t# \"leaf\" base port 0 lid 1 lmc 0\n" + at_switch +
           "\nCa\t2 \"H-02\"\t\t# \"n1 HCA-1\"\n" + at_adapter;
}

double only_capacity(const std::string& speed) {
    const LabelledNetwork network =
        import_network(pair("[1] \"H-02\"[1](2)\t# \"n1 HCA-1\" lid 2 " + speed + "\n",
                            "[1](2) \"S-01\"[1]\t# lid 2 lmc 0 \"leaf\" lid 1 " + speed + "\n"),
                       "file");
    REQUIRE(network.network.edges.size() == 1);
    CHECK(network.warnings == std::vector<std::string>{"there is a single host, so there is nothing to cut"});
    return network.network.edges[0].capacity;
}

}  // namespace

TEST_CASE("ibnetdiscover's cables count once, parallel ones add up") {
    const LabelledNetwork network = import_network(import_sample("ibnetdiscover").text, "file");
    CHECK(network.format == "ibnetdiscover");
    CHECK(network.capacity_unit == "Gbit/s");
    CHECK(network.network.hosts == 4);
    CHECK(network.network.switches == 2);
    const NetworkByName named = by_name(network);
    CHECK(named.links.size() == 5);
    CHECK(named.links.at({"MF0;leaf1:MQM8700/U1", "MF0;leaf2:MQM8700/U1"}) == 400);
    CHECK(named.links.at({"MF0;leaf1:MQM8700/U1", "node001"}) == 200);
    CHECK(named.links.at({"MF0;leaf1:MQM8700/U1", "node003"}) == 50);
    CHECK(named.links.at({"MF0;leaf2:MQM8700/U1", "node004"}) == 200);
}

TEST_CASE("a degraded link is kept and reported, an aggregation node is no host") {
    const LabelledNetwork network = import_network(import_sample("ibnetdiscover").text, "file");
    CHECK(network.warnings ==
          std::vector<std::string>{"1 adapters belong to hosts that have another one: each host is one vertex",
                                   "1 aggregation nodes inside switches are left out: they are no hosts",
                                   "degraded link between 'MF0;leaf1:MQM8700/U1' port 3 and 'node003 mlx5_0' port 1: "
                                   "50 Gbit/s beside 200, line 13"});
}

TEST_CASE("widths and speeds are data rates") {
    CHECK(only_capacity("4xSDR") == 8);
    CHECK(only_capacity("4xDDR") == 16);
    CHECK(only_capacity("4xQDR") == 32);
    CHECK(only_capacity("4xFDR10") == 40);
    CHECK(only_capacity("4xFDR") == Approx(54.5454));
    CHECK(only_capacity("4xEDR") == 100);
    CHECK(only_capacity("2xHDR s=4 w=16 v=2") == 100);
    CHECK(only_capacity("4xNDR") == 400);
    CHECK(only_capacity("12xXDR") == 2400);
}

TEST_CASE("adapters of one host are one vertex") {
    const std::string text =
        "Switch 36 \"S-01\" # \"leaf\" base port 0 lid 1 lmc 0\n[1] \"H-02\"[1](2) # \"n1 HCA-1\" lid 2 4xEDR\n"
        "[2] \"H-03\"[1](3) # \"n1 HCA-2\" lid 3 4xEDR\n[3] \"H-04\"[1](4) # \"localhost HCA-1\" lid 4 4xEDR\n"
        "[4] \"H-05\"[1](5) # \"localhost HCA-1\" lid 5 4xEDR\n";
    const LabelledNetwork network = import_network(text, "file");
    CHECK(network.names == std::vector<std::string>{"n1", "localhost HCA-1 H-04", "localhost HCA-1 H-05", "leaf"});
    CHECK(by_name(network).links.at({"leaf", "n1"}) == 200);
    CHECK(warns_of(network, "1 adapters belong to hosts that have another one"));
    CHECK(warns_of(network, "4 cables are seen from one end only and are kept, the first at line 2 (from 'leaf')"));
}

TEST_CASE("ends that disagree are reported") {
    const LabelledNetwork slower = import_network(pair("[1] \"H-02\"[1](2) # \"n1 HCA-1\" lid 2 4xEDR\n",
                                                       "[1](2) \"S-01\"[1] # lid 2 lmc 0 \"leaf\" lid 1 4xQDR\n"),
                                                  "file");
    CHECK(slower.network.edges[0].capacity == 32);
    CHECK(warns_of(slower, "1 cables have ends of different speed and count with the lower, the first at line 5"));
    const LabelledNetwork unrated = import_network(pair("[1] \"H-02\"[1]\n", "[1](2) \"S-01\"[1]\n"), "file");
    CHECK(unrated.capacity_unit == "links");
    CHECK(unrated.network.edges[0].capacity == 1);
    const LabelledNetwork grouped =
        import_network("\nChassis 1 (guid 0x1)\n\n# Spine Nodes\n" +
                           pair("[1][ext 3]\t\"H-02\"[1](2) # \"n1 HCA-1\" lid 2 4xEDR\n",
                                "[1](2) \"S-01\"[1][ext 3] # lid 2 lmc 0 \"leaf\" lid 1 4xEDR\n"),
                       "file");
    CHECK(grouped.network.edges.size() == 1);
}

TEST_CASE("a bad line of ibnetdiscover is answered with line and column") {
    ImportOptions options;
    options.format = "ibnetdiscover";
    CHECK(import_error("[1] \"H-02\"[1]\n", options) ==
          "1:1: this port belongs to no node: 'Switch' or 'Ca' comes first [[1] \"H-02\"[1]]");
    CHECK(import_error(pair("[1] \"H-02", ""))
              .starts_with("2:1: this port does not say to which \"node\"[port] it leads"));
    CHECK(import_error(pair("[1] \"H-02\"", "")).starts_with("2:1: a port number in brackets is missing or wrong"));
    CHECK(import_error(pair("[37] \"H-02\"[1]", "")).starts_with("2:1: port 37 is beyond the node's 36"));
    CHECK(import_error(pair("[1] \"H-02\"[1](2) # \"n1\" lid 2 4xZDR\n", ""))
              .starts_with("2:31: '4xZDR' is not a width and speed of InfiniBand"));
    CHECK(import_error(pair("[1] \"H-02\"[1](2) # \"n1\" lid 2 4xEDR\n[2] \"H-02\"[2](3)", ""))
              .starts_with("3:1: this link has no width and speed (such as 4xHDR), but others have"));
}

TEST_CASE("a port of ibnetdiscover has one cable") {
    const std::string port = "[1] \"H-02\"[1](2)\n";
    CHECK(import_error(pair(port + port, ""))
              .starts_with("3:1: port 1 of 'leaf' stands at line 2 already, and a port has one cable"));
    CHECK(
        import_error(pair(port + "  [1] \"H-02\"[2](3)\n", "")).starts_with("3:3: port 1 of 'leaf' stands at line 2"));
    // Two ports lead to one that has no line of its own, or one that leads elsewhere.
    CHECK(import_error(pair(port + "[2] \"H-02\"[1](2)\n", ""))
              .starts_with("3:1: port 1 of 'n1 HCA-1' stands at line 2"));
    CHECK(import_error(pair(port, "[1](2) \"S-01\"[2]\n")).starts_with("5:1: port 1 of 'n1 HCA-1' stands at line 2"));
}

TEST_CASE("a fat tree of 3,456 hosts is read as it was built") {
    const LabelledNetwork network = import_network(fat_tree_ibnetdiscover(24, "4xHDR"), "file");
    CHECK(network.network.hosts == 3456);
    CHECK(network.network.switches == 720);
    CHECK(network.network.edges.size() == 10368);
    CHECK(network.names[17] == "node00017");
    CHECK(network.warnings.empty());
    CHECK(largest_degree(network.network) == 24);
}
