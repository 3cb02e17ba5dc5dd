#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/topologies/import_samples.hpp"
#include "topologies/topology.hpp"

using namespace narrows;
using namespace narrows::testing;

namespace {

std::string cluster(const std::string& radical, const std::string& more) {
    return fmt::format(
        "<platform version=\"4.1\">\n <cluster id=\"c\" prefix=\"n\" radical=\"{}\" suffix=\"\" speed=\"1Gf\" "
        "bw=\"10Gbps\" lat=\"0\" {}/>\n</platform>\n",
        radical, more);
}

std::string topology(const std::string& radical, const std::string& name, const std::string& parameters) {
    return cluster(radical, fmt::format("topology=\"{}\" topo_parameters=\"{}\"", name, parameters));
}

/// A zone of hosts a, b, c, d, links l1 … l5 of 1 … 5 Gbit/s, and the given routes.
std::string zone(const std::string& routes) {
    std::string text = "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n";
    for (const std::string host : {"a", "b", "c", "d"}) text += fmt::format("<host id=\"{}\" speed=\"1Gf\"/>", host);
    for (int i = 1; i <= 5; ++i)
        text += fmt::format("<link id=\"l{0}\" bandwidth=\"{0}Gbps\" sharing_policy=\"SPLITDUPLEX\"/>", i);
    return text + "\n" + routes + "</zone></platform>\n";
}

std::string route(const std::string& from, const std::string& to, const std::vector<std::string>& links,
                  const std::string& more = "") {
    std::string text = fmt::format("<route src=\"{}\" dst=\"{}\" {}>", from, to, more);
    for (const std::string& link : links) text += fmt::format("<link_ctn id=\"{}\"/>", link);
    return text + "</route>\n";
}

/// Links as pairs of vertex numbers, sorted.
std::vector<std::pair<int, int>> links(const Network& network) {
    std::vector<std::pair<int, int>> pairs;
    for (const Edge& edge : network.edges) pairs.push_back(std::minmax(edge.u, edge.v));
    std::ranges::sort(pairs);
    return pairs;
}

double rate(const std::string& bandwidth) {
    return import_network(
               "<platform><zone routing=\"Floyd\" id=\"z\"><host id=\"a\"/><host id=\"b\"/><link id=\"l\" "
               "bandwidth=\"" +
                   bandwidth + "\"/>" + route("a", "b", {"l"}) + "</zone></platform>",
               "file")
        .network.edges.at(0)
        .capacity;
}

}  // namespace

TEST_CASE("SimGrid's graph form has hosts, routers and links in Gbit/s") {
    const LabelledNetwork network = import_network(import_sample("simgrid").text, "file");
    CHECK(network.format == "simgrid");
    CHECK(network.capacity_unit == "Gbit/s");
    CHECK(network.names == std::vector<std::string>{"h0", "h1", "r"});
    CHECK(network.network.switches == 1);
    CHECK(by_name(network).links ==
          std::map<std::pair<std::string, std::string>, double>{{{"h0", "r"}, 1}, {{"h1", "r"}, 10}});
    CHECK(network.warnings ==
          std::vector<std::string>{"the latencies of links are left out: a network has none, a machine's description "
                                   "has"});
}

TEST_CASE("bandwidths have bits or bytes, and thousands or 1024s") {
    CHECK(rate("1Gbps") == 1);
    CHECK(rate("125MBps") == 1);
    CHECK(rate("1GBps") == 8);
    CHECK(rate("1e9") == 8);
    CHECK(rate("1 kbps") == Approx(1e-6));
    CHECK(rate("1MiBps") == Approx(8 * 1.048576e-3));
    for (const std::string bad : {"", "fast", "1Gb", "1Xbps", "-1Gbps", "0Gbps", "nanGbps", "1Gbps 2Gbps"}) {
        INFO(bad);
        CHECK_THROWS_AS(rate(bad), InputError);
    }
}

TEST_CASE("a cluster's torus is the family's") {
    for (const std::string shape : {"4x3x3", "4x2", "5", "2x2x3"}) {
        const Topology torus = parse_topology("torus " + shape);
        std::string parameters = shape;
        std::ranges::replace(parameters, 'x', ',');
        const LabelledNetwork network =
            import_network(topology(fmt::format("0-{}", torus.nodes() - 1), "TORUS", parameters), "file");
        CHECK(network.network.switches == 0);
        CHECK(links(network.network) == links(torus.graph()));
        CHECK(network.names[1] == "n1");
        CHECK(network.network.edges[0].capacity == 10);
    }
}

TEST_CASE("a cluster's fat tree has its levels, parents and parallel cables") {
    const Network two = import_network(topology("0-15", "FAT_TREE", "2;4,4;1,2;1,2"), "file").network;
    CHECK(two.hosts == 16);
    CHECK(two.switches == 4 + 2);
    CHECK(two.edges.size() == 16 + 2 * 8);
    CHECK(two.edges.back().capacity == 10);
    // With single cables it is the leaf and spine tree of 6-port switches, four hosts and two uplinks each.
    const Network clos = parse_topology("fat-tree ports=6 levels=2 taper=2:1 hosts=16").graph();
    const Network single = import_network(topology("0-15", "FAT_TREE", "2;4,4;1,2;1,1"), "file").network;
    CHECK(links(single) == links(clos));
    const LabelledNetwork labelled = import_network(topology("0-15", "FAT_TREE", "3;2,2,4;1,2,2;1,1,1"), "file");
    const Network& three = labelled.network;
    CHECK(three.switches == 8 + 8 + 4);
    CHECK(three.edges.size() == 16 + 16 + 16);
    CHECK(largest_degree(three) == 4);
    CHECK(labelled.warnings.empty());
    const NetworkByName named = by_name(labelled);
    for (const int pod_switch : {8, 10, 12, 14}) {
        CHECK(named.links.contains(std::minmax(fmt::format("c_switch_{}", pod_switch), std::string("c_switch_16"))));
        CHECK(named.links.contains(std::minmax(fmt::format("c_switch_{}", pod_switch), std::string("c_switch_18"))));
    }
}

TEST_CASE("a cluster's dragonfly has green, black and blue links") {
    const LabelledNetwork network = import_network(import_sample("dragonfly").text, "file");
    CHECK(network.network.hosts == 12);
    CHECK(network.network.switches == 12);
    // 12 hosts, 6 chassis of two routers, 2 pairs in each of 3 groups, 3 pairs of groups.
    CHECK(network.network.edges.size() == 12 + 6 * 1 + 6 * 3 + 3 * 4);
    double all = 0;
    for (const Edge& edge : network.network.edges) all += edge.capacity;
    CHECK(all == 12 + 6 * 1 + 6 * 3 + 3 * 4);
    CHECK(by_name(network).links.at({"df_switch_2", "df_switch_8"}) == 4 * 0 + 4);
    CHECK(network.names[0] == "node-0.grid");
    CHECK(network.warnings.size() == 1);  // of latencies
}

TEST_CASE("a plain cluster is a crossbar") {
    const LabelledNetwork network = import_network(cluster("0-2,7", "router_id=\"hub\""), "file");
    CHECK(network.names == std::vector<std::string>{"n0", "n1", "n2", "n7", "hub"});
    CHECK(network.network.edges.size() == 4);
    CHECK(import_error(cluster("0-3", "bb_bw=\"40Gbps\"")) == "accepted");
    CHECK(import_error(cluster("0-3", "bb_bw=\"39Gbps\""))
              .starts_with("2:3: the backbone bb_bw limits all hosts together"));
    CHECK(import_error(cluster("0-3", "limiter_link=\"1Gbps\""))
              .starts_with("2:3: a limiter_link limits what all links of a host"));
    CHECK(warns_of(import_network(cluster("0-3", "sharing_policy=\"SHARED\""), "file"), "shared by both directions"));
}

TEST_CASE("routes over several links place links between hosts and switches") {
    // A star: every pair of hosts over both their links.
    const LabelledNetwork star = import_network(
        zone(route("a", "b", {"l1", "l2"}) + route("b", "c", {"l2", "l3"}) + route("a", "c", {"l1", "l3"})), "file");
    CHECK(star.network.switches == 1);
    CHECK(by_name(star).links.at({"b", "switch 1"}) == 2);
    CHECK(star.network.edges.size() == 3);
    CHECK(warns_of(star, "2 links are in no route and are left out"));
    // Two switches: the middle link is passed in either direction, which the hosts' links decide.
    const LabelledNetwork dumbbell =
        import_network(zone(route("a", "c", {"l1", "l5", "l3"}) + route("d", "b", {"l4", "l5", "l2"}) +
                            route("a", "b", {"l1", "l2"}) + route("c", "d", {"l3", "l4"})),
                       "file");
    CHECK(dumbbell.network.switches == 2);
    const NetworkByName named = by_name(dumbbell);
    CHECK(named.links.at({"switch 1", "switch 2"}) == 5);
    CHECK(named.links.at({"b", "switch 1"}) == 2);
    CHECK(named.links.at({"d", "switch 2"}) == 4);
    CHECK(dumbbell.warnings.empty());
    // A chain of hosts, whose links one-hop routes fix.
    const LabelledNetwork chain = import_network(zone(route("a", "c", {"l1", "l2"}) + route("a", "b", {"l1"}) +
                                                      route("b", "c", {"l2"}) + route("d", "d", {"l5"})),
                                                 "file");
    CHECK(chain.network.switches == 0);
    CHECK(chain.network.edges.size() == 2);
}

TEST_CASE("links that are used one way make a link with their opposite") {
    const std::string one_way = "symmetrical=\"NO\"";
    const std::string there = route("a", "b", {"l1"}, one_way);
    const LabelledNetwork pair = import_network(zone(there + route("b", "a", {"l1"}, one_way)), "file");
    CHECK(pair.network.edges.size() == 1);
    CHECK(import_error(zone(there + route("b", "a", {"l2"}, one_way))).find("carries 1 one way and 2 the other") !=
          std::string::npos);
}

TEST_CASE("routes that leave a link without a place are refused") {
    const std::string bus =
        route("a", "b", {"l1", "l5", "l2"}) + route("a", "c", {"l1", "l5", "l3"}) + route("b", "c", {"l2", "l5", "l3"});
    CHECK(import_error(zone(bus)).find(
              "link 'l5' of this route cannot be placed between two vertices, since all routes share it, as a "
              "backbone") != std::string::npos);
    CHECK(import_error(zone(route("a", "b", {"l1"}) + route("c", "d", {"l1"})))
              .starts_with("4:2: link 'l1' of this route cannot be placed"));
    CHECK(import_error(zone(route("a", "b", {"l1", "l5", "l2"}) + route("c", "d", {"l3", "l5", "l4"})))
              .find("since the routes do not say which way it is passed here") != std::string::npos);
}

TEST_CASE("a bad platform is answered with line and column") {
    CHECK(import_error(zone(route("a", "x", {"l1"}))).starts_with("3:2: dst 'x' is neither a host nor a router above"));
    CHECK(import_error(zone(route("a", "b", {"l9"}))).find("'l9' is not a link above") != std::string::npos);
    CHECK(import_error(zone(route("a", "b", {}))).starts_with("3:2: this route has no <link_ctn>"));
    CHECK(import_error(zone("<host id=\"a\"/>")).starts_with("3:2: 'a' comes twice"));
    CHECK(import_error(topology("0-8", "TORUS", "4,2"))
              .starts_with("2:3: topo_parameters ask for 8 hosts, but radical gives 9"));
    CHECK(
        import_error(topology("0-8", "TORUS", "4,0")).starts_with("2:3: '0' in '4,0' is not a whole number from 1 on"));
    CHECK(import_error(topology("0-8", "TORUS", "9999999,9999999")).find("too large a network") != std::string::npos);
    CHECK(import_error(topology("0-8", "RING", "9")).find("is none of FLAT, TORUS, FAT_TREE, DRAGONFLY") !=
          std::string::npos);
    CHECK(import_error(topology("0-7", "FAT_TREE", "2;4,2;1;1")).find("a number for each level") != std::string::npos);
    CHECK(import_error(topology("8-0", "TORUS", "9")).find("is neither a number nor a range") != std::string::npos);
    CHECK(import_error(cluster("0-1", "") + "<").find("this is not XML") != std::string::npos);
}
