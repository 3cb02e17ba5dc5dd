#include <catch2/catch.hpp>

#include "tests/topologies/import_samples.hpp"
#include "topologies/importers/hostlist.hpp"

using namespace narrows;
using namespace narrows::testing;

namespace {

ImportOptions cables(int count) {
    ImportOptions options;
    options.cable_multiplicity = count;
    return options;
}

std::vector<std::string> expanded(const std::string& list) {
    return expand_hostlist(Source(list, "file"), list);
}

}  // namespace

TEST_CASE("topology.conf gives hosts, switches and as many cables as asked for") {
    const LabelledNetwork network = import_network(import_sample("slurm").text, "file", cables(3));
    CHECK(network.capacity_unit == "links");
    CHECK(network.network.hosts == 9);
    CHECK(network.network.switches == 4);
    const NetworkByName named = by_name(network);
    CHECK(named.links.size() == 13);
    CHECK(named.links.at({"leaf1", "rack2n1"}) == 1);
    CHECK(named.links.at({"leaf0", "node10"}) == 1);
    CHECK(named.links.at({"leaf0", "spine1"}) == 3);
    CHECK(network.warnings.empty());
}

TEST_CASE("without the number of cables the error asks for it, never guesses") {
    CHECK(
        import_error(import_sample("slurm").text) ==
        "5:28: topology.conf does not say how many cables join two switches: give their number, 1 if there is one, or "
        "use ibnetdiscover's output instead [switchname=spine0 switches=leaf[0-1]]");
    CHECK(import_error("SwitchName=s Nodes=n[0-3]\n") == "accepted");
    CHECK(import_error(import_sample("slurm").text, cables(0)) ==
          "0:0: 0 cables between two linked switches: give 1 or more []");
}

TEST_CASE("LinkSpeed is the capacity of a cable") {
    const LabelledNetwork network = import_network(
        "SwitchName=a Nodes=n1 LinkSpeed=100\nSwitchName=b Switches=a LinkSpeed=200\n", "file", cables(2));
    CHECK(network.capacity_unit.empty());
    CHECK(by_name(network).links.at({"a", "n1"}) == 100);
    CHECK(by_name(network).links.at({"a", "b"}) == 400);
}

TEST_CASE("values of topology.conf may be quoted, with blanks around '='") {
    const NetworkByName plain = by_name(import_network(
        "SwitchName=s0 Nodes=tux[0-1],tux2\nSwitchName=s1 Nodes=a\nSwitchName=s2 Switches=s0,s1\n", "file", cables(1)));
    ImportOptions options = cables(1);
    options.format = "slurm";
    CHECK(by_name(import_network("SwitchName = s0 Nodes=\"tux[0-1],tux2\"\nSwitchName=\"s1\"\tNodes= a\n"
                                 "SwitchName=s2 Switches =\"s0,s1\"\n",
                                 "file", options)) == plain);
}

TEST_CASE("circles and switches of several parents are kept") {
    const LabelledNetwork network = import_network(
        "SwitchName=a Nodes=n1 Switches=c\nSwitchName=b Switches=a\nSwitchName=c Switches=b,x\nSwitchName=a Nodes=n2\n",
        "file", cables(1));
    CHECK(network.network.edges.size() == 6);
    CHECK(network.warnings == std::vector<std::string>{
                                  "1 switch has no line of its own: 'x'",
                                  "1 switch is described more than once: 'a'; all links count",
                                  "switches list each other in a circle, 'a' among them or below; all links are kept"});
}

TEST_CASE("two switches that list each other have the cables of one link") {
    const LabelledNetwork network =
        import_network("SwitchName=a Nodes=n1 Switches=b\nSwitchName=b Nodes=n2 Switches=a\n", "file", cables(2));
    CHECK(by_name(network).links.at({"a", "b"}) == 2);
    CHECK(warns_of(network, "1 pair of switches list each other, one is 'a'; cables between them count once"));
    // However often the other one lists it, and as often as the first one does.
    const std::string a = "SwitchName=a Nodes=n1 Switches=b\n", b = "SwitchName=b Nodes=n2 Switches=a\n";
    CHECK(by_name(import_network(a + b + b, "file", cables(2))).links.at({"a", "b"}) == 2);
    CHECK(by_name(import_network(a + b + a, "file", cables(2))).links.at({"a", "b"}) == 4);
}

TEST_CASE("included files come from the caller") {
    ImportOptions options;
    CHECK(import_error("Include leaves.conf\n", options) ==
          "1:9: 'leaves.conf' cannot be read: put its lines here instead [Include leaves.conf]");
    options.read_included = [](const std::string& path) {
        return path == "leaves.conf"
                   ? std::optional<std::string>("SwitchName=a Nodes=n[1-3]\nSwitchName=b Nodes=n[4x]\n")
                   : std::nullopt;
    };
    try {
        import_network("Include leaves.conf\n", "file", options);
        FAIL("accepted");
    } catch (const InputError& error) {
        CHECK(error.file() == "leaves.conf");
        CHECK(error.line() == 2);
        CHECK(error.column() == 22);
    }
    options.read_included = [](const std::string&) { return std::optional<std::string>("Include again\n"); };
    CHECK(import_error("Include again\n", options) ==
          "1:1: files include each other too deeply: remove a circle of includes [Include again]");
}

TEST_CASE("hostlists expand as Slurm's do") {
    CHECK(expanded("a") == std::vector<std::string>{"a"});
    CHECK(expanded("n[008-010,2],b") == std::vector<std::string>{"n008", "n009", "n010", "n2", "b"});
    CHECK(expanded("r[1-2]n[1-2]-ib") == std::vector<std::string>{"r1n1-ib", "r1n2-ib", "r2n1-ib", "r2n2-ib"});
    CHECK_THROWS_AS(expanded("n[1-9999999]"), InputError);
    CHECK_THROWS_AS(expanded("n[1-1000]n[1-1000]n[1-1000]"), InputError);
    for (const std::string bad : {"", "n[", "n]", "n[1", "n[]", "n[2-1]", "n[1-]", "n[a]", "a,,b", "n[1,]"}) {
        INFO(bad);
        CHECK_THROWS_AS(expanded(bad), InputError);
    }
}
