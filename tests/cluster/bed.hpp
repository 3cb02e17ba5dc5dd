#pragma once

#include <string>

#include "cli/given_network.hpp"
#include "tests/cluster/route_tables.hpp"

namespace narrows::cluster {

/// What a test-bed is made of, as given on the command line.
struct BedWords {
    std::string name = "testbed";
    NetworkWords network;
    /// Of a link of capacity 1, such as `10 Mbit/s`, also as tc writes it: `10Mbit`.
    std::string rate = "10 Mbit/s";
    /// Empty: dimension-order on grids given by name, else shortest.
    std::string routing;
    /// A file of lines `AT TARGET NEXT`, hosts and switches as the test-bed calls them: where AT sends what is meant
    /// for host TARGET. They change what `routing` says.
    std::string tables;
};

/// A test-bed on paper: a network namespace for every host and switch, and what `ip` and `tc` are told to make them.
/// Edge i of the network is a pair of veths, both called e<i>, one in the namespace of each of its ends.
struct Bed {
    BedWords words;
    GivenNetwork given;
    Routing routing;
    RouteTables tables;
    double bytes_a_second = 0;  ///< of a link of capacity 1

    const Network& network() const { return *given.graph; }
    int hosts() const { return network().hosts; }
    double bytes_a_second_of(int edge) const { return network().edges[edge].capacity * bytes_a_second; }

    /// What vertices are called in the test-bed: hosts h0, h1, …, switches s0, s1, …
    std::string host_name(int vertex) const;
    /// Of its namespace.
    std::string namespace_of(int vertex) const;
    /// The vertex that is called so. Throws InputError.
    int vertex_called(const std::string& name) const;
    /// Of the namespaces of all beds of that name.
    static std::string namespace_prefix(const std::string& name);

    /// The traffic that a pattern's name means: those of `narrows topology --traffic`, or `halves`, where host i sends
    /// to host i + N/2 and back; or a file of it.
    Traffic traffic(const std::string& pattern) const;
    LinkLoads loads(const Traffic& traffic) const { return walked_loads(network(), tables, traffic); }
};

/// Throws InputError for what cannot be read or routed, has no links or is too large.
Bed plan_bed(const BedWords& words);

/// All tables as lines for `BedWords::tables`.
std::string table_lines(const Bed& bed);

/// The address of a host: 10.77.x.y.
std::string host_address(int host);

/// The subnet of all of them, for `btl_tcp_if_include`.
inline constexpr const char* subnet = "10.77.0.0/16";

}  // namespace narrows::cluster
