#pragma once

#include <optional>
#include <span>

#include "model/gups/bounds.hpp"

namespace narrows {

/// Software routing along the dimensions of a shape, with a bucket for each peer.
struct RoutedGups : MessageGups {
    double hops = 0;                ///< h, software hops of an update
    double updates_per_packet = 1;  ///< k
    Time per_update;                ///< t_route, moving one update one hop
    double first = 0;               ///< a, the same where an update is made, before its first hop: hops it is worth
    double alone = 0;               ///< b, what an update takes more where it is alone in its packet: updates
    Time per_packet;                ///< t_packet, sending and receiving one packet, the mean of all
    double flushed_packets = 0;     ///< `finishing_packets`
    Time per_run;                   ///< t_run, what a rank takes once, however many updates it makes
    double updates_of_rank = 1;     ///< u
    Time end_of_run;                ///< e, from the last update formed to the last applied, for each of a processor
    int under_way = 1;              ///< packets that a rank has on their way before it waits
    Data lookup_state;              ///< what routing looks up at random: routing table, peers, updates
    Data cache;                     ///< first-level cache; zero: misses are not modelled
    Time miss;                      ///< a miss there that the next level serves
};

/// f, the share of what routing looks up that the first-level cache does not hold: max(0, 1 - cache/state); 0 where
/// misses are not modelled. Source: derived from garg2006 Section 5.3. Test: tests/model/test_gups.cpp
double missing_share(const RoutedGups& inputs);

/// Software hops of a random update.
///
/// Statement: h = sum over dimensions of (X_i - 1)/X_i.
/// Source:    garg2006 Section 6.2 (2 hops on 4 x 4 x 2).
/// Range:     any shape, ranks uniform.
/// Test:      tests/model/test_gups.cpp
double routed_hops(std::span<const int> shape);

/// Packets of the finishing phase, for each update: of buckets that hold some updates at the end, not all they could.
///
/// Statement: sum over dimensions of (X_i - 1) (1 - 1/k) (1 - e^-m) (1 - min(m/k, 1/2)) / u, with m = u/X_i.
/// Symbols:   u updates of a rank, k of a packet; m updates for a peer, a Poisson number N. All packets together are
///            E[ceil(N/k)] for each peer: 1 - e^-m where m is well below k, and m/k + (1 - 1/k)/2 far above it.
/// Source:    derived.
/// Range:     both limits are exact for any k; between them all packets are right within 17 %.
/// Test:      tests/model/test_gups.cpp
double finishing_packets(std::span<const int> shape, double bucket, double updates_of_rank);

/// Cache lines of 64 B that a packet of so many updates takes, at least one. Test: tests/model/test_gups.cpp
double lines_of_packet(int updates);

/// Updates a bucket holds.
///
/// Statement: K = floor(1024 / sum X_i), at least 1.
/// Source:    garg2006 Section 5.3: X_i - 1 buckets and one receive buffer a dimension.
/// Test:      tests/model/test_gups.cpp
int routed_bucket(std::span<const int> shape);

/// The bucket that is asked for, else `routed_bucket`. InputError when a rank would hold more than 1024 updates: a
/// shape whose sizes add up to more, or a bucket beyond floor(1024 / sum X_i). Test: tests/model/test_gups.cpp
int checked_bucket(std::span<const int> shape, std::optional<int> asked);

/// Statement: t = t_u (1 + b/k) + a t_route + h (t_route + f t_miss + t_packet/k) + flushed t_packet + t_run/u, with
///            f = max(0, 1 - cache/state); processors and network are a closed queue with two places
///            and one for each packet under way (`queued_rate`). With X their rate, W / (W / X + e), where e is W / U
///            of sum over dimensions of (T(8 k_i) + k_i t_route) + k_d t_u, with k_i = min(k, max(1, u/X_i)), and 0
///            where ranks share one node whose costs were measured, of which t_run has it.
/// Symbols:   as in RoutedGups; U all updates, T a message, d the last dimension; t_u between packets,
/// `compute.gups.route.slowdown` times that of a loop of updates. Source:    garg2006 Section 6.2 has one cost a hop;
/// split in two here, fitted on N <= 8192; Section 5.3 gives what
///            the routing table needs of the cache. Derived.
/// Range:     shapes whose routes do not share links beyond the cut; congestion inside the network is not modelled.
/// Test:      tests/model/test_gups.cpp (Table 7: 6.5 % up to N = 16384)
Prediction routed_gups(const RoutedGups& inputs);

}  // namespace narrows
