#pragma once

#include <string>
#include <vector>

#include "topologies/importers/network_builder.hpp"
#include "topologies/importers/xml.hpp"

namespace narrows::simgrid {

/// Gbit/s of a bandwidth such as `125MBps` (bytes), `10Gbps` (bits), `1GiBps` or `1.25e8` (B/s), each way. Throws
/// InputError at `node` for anything else.
double link_rate(const Source& source, const Xml& xml, pugi::xml_node node, const char* attribute);

/// Adds what a `<cluster>` stands for: its hosts, named prefix + radical + suffix, and switches. Torus, fat tree and
/// dragonfly are wired as SimGrid 3.32 wires them. Throws InputError for what is no link of a graph: a backbone that
/// can limit, a limiter link.
void add_cluster(const Source& source, const Xml& xml, pugi::xml_node cluster, NetworkBuilder& builder);

/// A `<link>`.
struct Link {
    std::string id;
    double rate = 0;
    bool half_duplex = false;
    pugi::xml_node node;
};

/// A `<route>`: its ends, and the links between in order.
struct Route {
    int from = 0;
    int to = 0;
    std::vector<int> links;
    bool one_way = false;
    pugi::xml_node node;
};

/// Adds the links that routes name as edges. A route over one link gives the link its ends. In routes over several, a
/// link begins where the one before ends; where two links meet and no host or router is named, there is a switch.
/// Throws InputError when that leaves a link's ends open or contradicts itself.
void add_routes(const Source& source, const Xml& xml, const std::vector<Link>& links, const std::vector<Route>& routes,
                NetworkBuilder& builder);

}  // namespace narrows::simgrid
