#pragma once

#include <string>
#include <vector>

#include "tests/cluster/bed.hpp"

namespace narrows::cluster {

/// What every link has sent, Ethernet headers included, as its rate counts it: LinkLoads in bytes. `demand` is 0.
LinkLoads link_counters(const Bed& bed);

/// `after` less `before`.
LinkLoads sent_between(const LinkLoads& before, const LinkLoads& after);

/// `traffic` with what comes back for it over TCP: 66 B of acknowledgement for two full segments of 1514 B.
Traffic with_acknowledgements(const Traffic& traffic);

/// A link's way with what it was to carry and what it did.
struct LinkRow {
    std::string from;
    std::string to;
    double predicted = 0;
    double measured = 0;
};

/// Measured beside predicted bytes.
struct Comparison {
    std::vector<LinkRow> rows;
    double fullest = 0;  ///< bytes that the fullest link was to carry
    double bound = 0;    ///< seconds that the fullest link takes for them
    double worst = 0;    ///< largest difference, in parts of that link's bytes
    double scale = 1;    ///< bytes that were sent for each that the traffic is of: headers, acknowledgements
};

/// What links carried beside the loads of `traffic` by the tables. `bytes` is what a demand of 1 sends, without headers
/// and acknowledgements; the whole is scaled to what all links together carried, and which link carries how much of it
/// is what is predicted. Precondition: something is sent.
Comparison compare(const Bed& bed, const Traffic& traffic, double bytes, const LinkLoads& sent);

}  // namespace narrows::cluster
