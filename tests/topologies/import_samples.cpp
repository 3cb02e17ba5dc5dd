#include "tests/topologies/import_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "topologies/topology.hpp"

namespace narrows::testing {
namespace {

constexpr const char* ibnetdiscover = R"(#
# Topology file: generated on Mon Mar  4 10:00:00 2024
#
# Initiated from node 0002c90300000001 port 0002c90300000001

vendid=0x2c9
devid=0xd2f0
sysimgguid=0xb8599f0300f00000
switchguid=0xb8599f0300f00000(b8599f0300f00000)
Switch	41 "S-b8599f0300f00000"		# "MF0;leaf1:MQM8700/U1" enhanced port 0 lid 1 lmc 0
[1]	"H-0002c90300000001"[1](2c90300000001) 		# "node001 mlx5_0" lid 11 4xHDR
[2]	"H-0002c90300000002"[1](2c90300000002) 		# "node002 mlx5_0" lid 12 4xHDR
[3]	"H-0002c90300000003"[1](2c90300000003) 		# "node003 mlx5_0" lid 13 1xHDR
[21]	"S-b8599f0300f00001"[21]		# "MF0;leaf2:MQM8700/U1" lid 2 4xHDR
[22]	"S-b8599f0300f00001"[22]		# "MF0;leaf2:MQM8700/U1" lid 2 4xHDR
[41]	"H-b8599f0300f00008"[1](b8599f0300f00008) 		# "Mellanox Technologies Aggregation Node" lid 9 4xHDR

vendid=0x2c9
devid=0xd2f0
sysimgguid=0xb8599f0300f00001
switchguid=0xb8599f0300f00001(b8599f0300f00001)
Switch	41 "S-b8599f0300f00001"		# "MF0;leaf2:MQM8700/U1" enhanced port 0 lid 2 lmc 0
[1]	"H-0002c90300000004"[1](2c90300000004) 		# "node004 mlx5_0" lid 14 2xHDR
[2]	"H-0002c90300000005"[1](2c90300000005) 		# "node004 mlx5_1" lid 15 2xHDR
[21]	"S-b8599f0300f00000"[21]		# "MF0;leaf1:MQM8700/U1" lid 1 4xHDR
[22]	"S-b8599f0300f00000"[22]		# "MF0;leaf1:MQM8700/U1" lid 1 4xHDR

vendid=0x2c9
devid=0x101b
sysimgguid=0x2c90300000001
caguid=0x2c90300000001
Ca	1 "H-0002c90300000001"		# "node001 mlx5_0"
[1](2c90300000001) 	"S-b8599f0300f00000"[1]		# lid 11 lmc 0 "MF0;leaf1:MQM8700/U1" lid 1 4xHDR

caguid=0x2c90300000002
Ca	1 "H-0002c90300000002"		# "node002 mlx5_0"
[1](2c90300000002) 	"S-b8599f0300f00000"[2]		# lid 12 lmc 0 "MF0;leaf1:MQM8700/U1" lid 1 4xHDR

caguid=0x2c90300000003
Ca	1 "H-0002c90300000003"		# "node003 mlx5_0"
[1](2c90300000003) 	"S-b8599f0300f00000"[3]		# lid 13 lmc 0 "MF0;leaf1:MQM8700/U1" lid 1 1xHDR

caguid=0x2c90300000004
Ca	1 "H-0002c90300000004"		# "node004 mlx5_0"
[1](2c90300000004) 	"S-b8599f0300f00001"[1]		# lid 14 lmc 0 "MF0;leaf2:MQM8700/U1" lid 2 2xHDR

caguid=0x2c90300000005
Ca	1 "H-0002c90300000005"		# "node004 mlx5_1"
[1](2c90300000005) 	"S-b8599f0300f00001"[2]		# lid 15 lmc 0 "MF0;leaf2:MQM8700/U1" lid 2 2xHDR

caguid=0xb8599f0300f00008
Ca	1 "H-b8599f0300f00008"		# "Mellanox Technologies Aggregation Node"
[1](b8599f0300f00008) 	"S-b8599f0300f00000"[41]		# lid 9 lmc 0 "MF0;leaf1:MQM8700/U1" lid 1 4xHDR
)";

constexpr const char* slurm = R"(# two leaves below two spines
SwitchName=leaf0 Nodes=node[001-003,10]
SwitchName=leaf1 \
  Nodes=login,rack[1-2]n[1-2]   # a continued line
switchname=spine0 switches=leaf[0-1]
SwitchName=spine1 Switches=leaf[0-1]
)";

constexpr const char* graphml = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="kind" attr.type="string"><default>host</default></key>
  <key id="d1" for="edge" attr.name="capacity" attr.type="double"><default>25</default></key>
  <graph id="G" edgedefault="undirected">
    <node id="a"/>
    <node id="b &amp; c"/>
    <node id="s"><data key="d0">switch</data></node>
    <edge source="a" target="s"/>
    <edge source="b &amp; c" target="s"><data key="d1">100</data></edge>
  </graph>
</graphml>
)";

constexpr const char* dot = R"(// a comment
strict graph "net" {
  capacity_unit="Gbit/s"; node [kind=host];
  /* leaves */
  subgraph cluster_leaves { node [kind=switch]; s0; s1 }
  edge [capacity=10];
  a -- s0; "b" + "c":p:n -- s0
  d -- {s0 s1} [capacity=2.5, color="red"];
  s0 -- s1 [capacity=40]
}
)";

constexpr const char* edge_list = R"(# the unit is ours
switch s1 s2
host lonely
a s1 10
"b c" s1 10   % half of it
s1 s2 2.5
d s2 1e1
)";

constexpr const char* metis =
    "% a ring of four, of which one is a switch\n4 4 011\n1 2 5 4 7\n1 1 5 3 5\n1 2 5 4 5\n0 3 5 1 7\n";

constexpr const char* simgrid = R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Floyd">
    <host id="h0" speed="1Gf"/><host id="h1" speed="1Gf"/>
    <router id="r"/>
    <link id="l0" bandwidth="125MBps" latency="50us" sharing_policy="SPLITDUPLEX"/>
    <link id="l1" bandwidth="10Gbps" latency="50us" sharing_policy="SPLITDUPLEX"/>
    <route src="h0" dst="r"><link_ctn id="l0" direction="UP"/></route>
    <route src="h1" dst="r"><link_ctn id="l1" direction="UP"/></route>
    <route src="h0" dst="h1"><link_ctn id="l0" direction="UP"/><link_ctn id="l1" direction="DOWN"/></route>
  </zone>
</platform>
)";

constexpr const char* dragonfly = R"(<platform version="4.1">
  <cluster id="df" prefix="node-" radical="0-11" suffix=".grid" speed="1Gf" bw="1Gbps" lat="50us"
           topology="DRAGONFLY" topo_parameters="3,4;2,3;2,1;1"/>
</platform>
)";

ImportOptions with_cables(int cables) {
    ImportOptions options;
    options.cable_multiplicity = cables;
    return options;
}

constexpr std::uint64_t guid_base = 0x0002c90300000000;

/// One node's block of ibnetdiscover.
std::string block(const Network& network, int vertex, const std::vector<std::vector<std::pair<int, int>>>& ports,
                  std::string_view speed) {
    const auto id = [&](int v) {
        return fmt::format("\"{}-{:016x}\"", v < network.hosts ? 'H' : 'S', guid_base + static_cast<std::uint64_t>(v));
    };
    const auto described = [&](int v) {
        return v < network.hosts ? fmt::format("node{:05} mlx5_0", v) : fmt::format("MF0;sw{:04}:MQM8700/U1", v);
    };
    const bool host = vertex < network.hosts;
    std::string text =
        fmt::format("\nvendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0x{0:x}\n{1}=0x{0:x}\n{2}\t{3} {4}\t\t# \"{5}\"\n",
                    guid_base + static_cast<std::uint64_t>(vertex), host ? "caguid" : "switchguid",
                    host ? "Ca" : "Switch", ports[vertex].size(), id(vertex), described(vertex));
    for (std::size_t port = 0; port < ports[vertex].size(); ++port) {
        const auto [peer, peer_port] = ports[vertex][port];
        text += fmt::format("[{}]\t{}[{}]\t\t# \"{}\" lid {} {}\n", port + 1, id(peer), peer_port + 1, described(peer),
                            peer + 1, speed);
    }
    return text;
}

}  // namespace

const std::vector<ImportSample>& import_samples() {
    static const std::vector<ImportSample> samples{
        {"ibnetdiscover", ibnetdiscover, {}},
        {"slurm", slurm, with_cables(3)},
        {"graphml", graphml, {}},
        {"dot", dot, {}},
        {"edge-list", edge_list, {}},
        {"metis", metis, {}},
        {"simgrid", simgrid, {}},
        {"dragonfly", dragonfly, {}},
    };
    return samples;
}

const ImportSample& import_sample(const std::string& name) {
    for (const ImportSample& sample : import_samples()) {
        if (sample.name == name) return sample;
    }
    throw std::logic_error("no such sample");
}

NetworkByName by_name(const LabelledNetwork& network) {
    NetworkByName result;
    for (int v = 0; v < network.network.vertices(); ++v) result.switches[network.names[v]] = v >= network.network.hosts;
    for (const auto& [u, v, capacity] : network.network.edges) {
        const auto& [low, high] = std::minmax(network.names[u], network.names[v]);
        result.links[{low, high}] += capacity;
    }
    return result;
}

std::string import_error(std::string_view text, const ImportOptions& options) {
    try {
        import_network(text, "file", options);
    } catch (const InputError& error) {
        return fmt::format("{}:{}: {} [{}]", error.line(), error.column(), error.what(), error.text());
    }
    return "accepted";
}

bool warns_of(const LabelledNetwork& network, std::string_view part) {
    return std::ranges::any_of(network.warnings,
                               [&](const std::string& warning) { return warning.find(part) != std::string::npos; });
}

std::string fat_tree_ibnetdiscover(int ports, std::string_view speed) {
    const Network network = parse_topology(fmt::format("fat-tree ports={} levels=3", ports)).graph();
    std::vector<std::vector<std::pair<int, int>>> connected(static_cast<std::size_t>(network.vertices()));
    for (const auto& [u, v, capacity] : network.edges) {
        const int at_u = static_cast<int>(connected[u].size());
        connected[u].emplace_back(v, static_cast<int>(connected[v].size()));
        connected[v].emplace_back(u, at_u);
    }
    std::string text = "#\n# Topology file: generated on Mon Mar  4 10:00:00 2024\n#\n";
    for (int v = network.hosts; v < network.vertices(); ++v) text += block(network, v, connected, speed);
    for (int v = 0; v < network.hosts; ++v) text += block(network, v, connected, speed);
    return text;
}

}  // namespace narrows::testing
