#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/routes/host_names.hpp"

namespace narrows {

/// What one host sends to another: `amount` > 0 of any unit of rate.
struct Demand {
    int source = 0;
    int target = 0;
    double amount = 0;
};

/// Who sends how much to whom: `each` from every host to every other, and the list. What a host sends to itself uses
/// no link and is left out of both. In the patterns below every host offers 1 in all.
struct Traffic {
    int hosts = 0;
    double each = 0;
    std::vector<Demand> demands;

    /// All of it.
    double total() const;
};

/// The demands in the list of each host, which is one end of them: `&Demand::source` or `&Demand::target`.
std::vector<std::vector<const Demand*>> demands_by(const Traffic& traffic, int Demand::*end);

/// Every host sends 1/(N−1) to every other.
Traffic uniform_traffic(int hosts);

/// Every host sends the same to each of the hosts nearest to it, counted in links: on a grid its neighbours in every
/// dimension, below a leaf switch the other hosts there. A host that reaches no other sends nothing.
Traffic nearest_neighbour_traffic(const Network& network);

/// Host i sends to host N−1−i, which for a power of two is i with every bit flipped (Dally and Towles, "Principles and
/// Practices of Interconnection Networks", Section 3.2); in the middle of an odd number one sends nothing.
Traffic bit_complement_traffic(int hosts);

/// Host x + k·y sends to host y + k·x, where N = k², which for a power of four exchanges the bits' halves (ibid.);
/// the diagonal sends nothing. Throws InputError when N is not a square.
Traffic transpose_traffic(int hosts);

/// Every host sends ⌈k/2⌉−1 onwards in every dimension of k nodes at once, almost half way round, the way in which all
/// traffic of a ring turns alike (ibid.: d_x = s_x + ⌈k/2⌉−1 mod k). A network without a shape is taken for one ring of
/// its hosts in their order: `shape` {N}. Throws InputError when no dimension has three nodes.
Traffic tornado_traffic(const std::vector<int>& shape);

/// The words that `traffic_pattern` knows.
const std::vector<std::string>& traffic_patterns();

/// The pattern `name` of traffic_patterns(): "uniform", "nearest-neighbour", "bit-complement", "transpose", "tornado".
/// `shape` is empty where the network is no grid. Throws InputError with a suggestion for another name and where the
/// network does not fit the pattern.
Traffic traffic_pattern(const std::string& name, const Network& network, const std::vector<int>& shape);

/// A matrix as lines `source target demand`, hosts as `WordLines` finds them, demands 0 or 1e-100 to 1e100 and used as
/// given; equal pairs add up. Empty lines and what follows a # are skipped. Throws InputError with `file`, line and
/// column.
Traffic read_traffic(std::string_view text, const std::string& file, const HostFinder& hosts);

}  // namespace narrows
