#pragma once

#include <cstdint>
#include <vector>

#include "calibrate/transport/torus_links.hpp"

namespace narrows {

/// The machine whose time a run of the routed variant tells: its links, and what its processors take, in seconds.
struct GupsClock {
    LinkGrid grid;
    LinkCosts links;
    double form = 0;     ///< forming an update
    double apply = 0;    ///< applying one
    double route = 0;    ///< putting one into a bucket for another rank
    double send = 0;     ///< sending a packet
    double receive = 0;  ///< taking a packet up
    double look = 0;     ///< from one look to the next of a rank that has nothing to do but look; above 0
};

/// What ranks did, all together.
struct ClockedWork {
    std::uint64_t formed = 0;
    std::uint64_t applied = 0;
    std::uint64_t routed = 0;    ///< updates put into buckets for others
    std::uint64_t sent = 0;      ///< packets
    std::uint64_t received = 0;  ///< packets
    std::uint64_t attempts = 0;  ///< to send a packet
    std::uint64_t refused = 0;   ///< of these, for which there was no place

    ClockedWork since(const ClockedWork& before) const;
};

/// What is known of a run by its clock, in virtual time. In its middle, from the half to three quarters of the updates
/// formed by all ranks, a run is steady if it is long enough: the buckets have filled, and nearly nobody has finished.
/// A middle of less than 20 updates a rank, or of less time than a rank takes for as many, is none.
struct ClockedGups {
    double seconds = 0;                ///< from the first update formed to the last applied
    double steady_seconds = 0;         ///< of its middle; 0 when there was none
    ClockedWork work;                  ///< of the whole run
    ClockedWork steady;                ///< of its middle
    std::uint64_t packet_links = 0;    ///< packets times the links that each has passed, in the whole run
    std::vector<double> mean_link;     ///< share of the middle that a link of each dimension was busy, on average
    std::vector<double> fullest_link;  ///< the same of the fullest one
    std::uint64_t events = 0;          ///< times that a rank was resumed or a link examined
    double wall_seconds = 0;           ///< that the run took here

    /// Updates formed a second in the middle of the run; 0 when there was none.
    double steady_rate() const;
    /// Attempts in the middle to send a packet that found no place, over all attempts.
    double blocking() const;
};

}  // namespace narrows
