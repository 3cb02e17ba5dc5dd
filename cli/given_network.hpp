#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/routes/host_names.hpp"
#include "topologies/search/analysis.hpp"
#include "topologies/topology.hpp"

namespace narrows {

/// How a user names a network and what part of it counts, as written.
struct NetworkWords {
    /// A SPEC such as 'torus 8x8', or a FILE in one of the formats that are imported.
    std::string network;
    /// Format of the file.
    std::string from;
    /// Cables between two switches, where the file omits them.
    std::string cables;
    /// `first:512`, `random:512:7` or a file that lists hosts.
    std::string hosts;
    /// Whether the links of hosts that hang on one switch cannot be what is narrow.
    bool without_host_links = false;
};

/// A network that a user names.
struct GivenNetwork {
    /// Canonical SPEC, or the file's name.
    std::string name;
    /// When it is a SPEC.
    std::optional<Topology> topology;
    /// Written out: always of a file or a part, of a SPEC when asked with `write_out`.
    std::optional<Network> graph;
    /// Of the vertices, when they have names.
    std::vector<std::string> names;
    /// Of a part, its vertices' numbers in the whole network, which has so many hosts; else empty.
    std::vector<int> numbers_in_whole;
    int hosts_of_whole = 0;
    /// Empty when a file does not say it.
    std::string capacity_unit = "links";
    std::vector<std::string> warnings;
    /// Whether this is less than the network that was named: some hosts only, or without host links.
    bool part = false;
    /// Without host links: the capacity that stands for no limit; 0 when host links count.
    double widened = 0;

    /// What to call a vertex: its name, its coordinates in a grid given by name, else "host 12" or "switch 3".
    std::string label(int vertex) const;
    /// Finds the hosts by all that they are called here. Precondition: written out; this outlives it.
    HostFinder host_finder() const;
    /// What to call all vertices in one word each; empty where their numbers do.
    std::vector<std::string> words_for_vertices() const;
    /// The shape, when it is a plain grid given by name, of which this may be a part; else empty.
    std::vector<int> grid_shape() const;
    std::int64_t nodes() const { return graph ? graph->hosts : topology->nodes(); }
};

/// Reads the file when there is one of that name, else the SPEC. Throws InputError that names the place.
GivenNetwork given_network(const NetworkWords& words);

/// Makes sure of `given.graph`; throws InputError when a SPEC is too large for that.
const Network& write_out(GivenNetwork& given);

/// The numbers that formulas give; nothing of a file or a part.
NetworkNumbers known_numbers(const GivenNetwork& given);

/// Whether all four numbers are known exactly.
bool all_exact(const NetworkNumbers& numbers);

/// True from `seconds` after this call on.
Stop stop_after(double seconds);

/// The seconds that are left of so many from this call on.
TimeLeft left_of(double seconds);

/// Processors that searches may use.
int search_threads();

}  // namespace narrows
