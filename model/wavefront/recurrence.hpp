#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/path/path.hpp"
#include "model/report_progress.hpp"
#include "model/wavefront/parts.hpp"

namespace narrows {

/// The two axes that ranks divide.
enum class SweepAxis { i, j };

/// What a message between two neighbouring ranks costs.
struct HopCost {
    Time send;                 ///< the sender is busy
    Time latency;              ///< in flight, whatever the size
    Time bytes;                ///< in flight, because of the size
    Time receive;              ///< the receiver is busy once the message is there
    Time request;              ///< until the sender knows that the receiver waits; synchronous only
    bool synchronous = false;  ///< the sender waits for the receiver
};

/// Servers that messages between far ranks pass: `ranks` of consecutive numbers share one each way.
struct SweepGateways {
    int ranks = 0;                ///< 0: there are none
    Time service;                 ///< a server is busy so long with a message
    std::optional<Time> request;  ///< and with a request; without it requests pass beside the servers
    Time wire;                    ///< between two gateways
};

/// Ranks that take turns on the processors of their node, where there are more ranks than processors.
struct SharedProcessors {
    int ranks = 0;       ///< places of a node, whose numbers are consecutive; 0: every rank has a processor of its own
    int processors = 1;  ///< of a node, each with consecutive ranks, whose numbers differ by at most one
    std::vector<int> taken = {};  ///< of each node the places that ranks have, its first; empty: all

    int processor_of(int place) const {
        const int node = place / ranks;
        const int there = taken.empty() ? ranks : taken[static_cast<std::size_t>(node)];
        return node * processors + static_cast<int>(std::int64_t{place % ranks} * processors / there);
    }
};

/// An iteration of a wavefront program as values: who computes how long, and what messages cost.
struct Wavefront {
    std::array<std::vector<int>, 2> cells;  ///< of a rank along I and along J, one value a rank of that axis
    int blocks = 1;                         ///< of an octant
    Time cell;                              ///< computing one column of cells of a block
    Time row;                               ///< what a row of columns along I takes beside its columns
    Time start;                             ///< what a block takes beside its rows
    /// Where each rank (i + j * ranks along I) lies: consecutive places fill a processor, then a node, then the next.
    /// Empty: at its number.
    std::vector<int> places;
    /// Consecutive places that are near each other, by increasing number. Two ranks are as near as the first level that
    /// has them in one group; beyond all is the level after the last.
    std::vector<int> levels;
    /// Cost of a message along `axis` whose surface is so many cells across, at a level. Empty: messages are free.
    std::function<HopCost(SweepAxis axis, int cells, std::size_t level)> hop;
    SweepGateways gateways;   ///< on the way between ranks beyond all levels
    SharedProcessors shared;  ///< the first level is then a processor: `levels` has any number for it

    int place(int rank) const { return places.empty() ? rank : places[static_cast<std::size_t>(rank)]; }
    /// One more than the last place of all.
    int end_of_places() const;

    /// Computing a block of a rank with so many columns of cells along I and J.
    Time compute(int cells_i, int cells_j) const { return start + (row + cell * cells_i) * cells_j; }
};

/// The level at which two ranks are near each other.
std::size_t level_between(const Wavefront& wavefront, int rank, int other);

/// Time of an iteration: the exact max-plus recurrence over all ranks and blocks.
///
/// Statement: octants in the order (---)(--+)(-+-)(-++)(+--)(+-+)(++-)(+++) of the signs of I, J and K; in an octant B
///            blocks; in a block a rank receives from its neighbour upstream in I, then in J, computes c, sends along
///            I, then along J. S and R are the clocks of sender and receiver, for a message of send s, flight l
///            (latency and bytes), receive r and request q: eager:       S += s; R = max(R, S + l) + r. synchronous: t
///            = max(S, R + q); S = t + s; R = t + s + l + r. Between far ranks with gateways l has two services and a
///            wire more, with a wait at each server that is busy: the outgoing one of the sender's gateway, the
///            incoming one of the receiver's. q goes the same way back, or over the wire alone.
/// Symbols:   c = start + (row + cell * cells in I) * cells in J of the rank, times in seconds.
/// Source:    sweep3d.f 2.2b (the schedule); pakin2009 Cell Messaging Layer (synchronous sends, gateways); derived.
/// Range:     grid and blocks of at least 1 (std::logic_error). Ranks that share processors are simulated instead
///            (`shared_processors_breakdown`). A server takes a message into the first idle time long
///            enough, in the order of the schedule: blocks along the diagonals of the sweep. Gateways and the virtual
///            clock serve by arrival. The two are the same where messages do not overtake each other on their way to a
///            server, else within 2 % on grids of up to 16 x 16 (test), and 3 % of the virtual clock up to 32 x 32.
/// Test:      tests/model/wavefront/test_recurrence.cpp (step counts, a simulation event by event, hand values);
///            tests/benchmarks/simgrid_wavefront.sh (SimGrid's SMPI, 64 to 1024 ranks)
Time wavefront_time(const Wavefront& wavefront, const ReportProgress& progress = {});

/// The same time along its critical path, with terms that sum to it: `computing` (the first computation of each block),
/// `fill` (others of the same block, by ranks upstream), `overhead` (senders, receivers and gateways busy), `latency`
/// (flight and requests), `bandwidth`, `gateway waiting` (for a server busy with other messages). Takes several times
/// as long.
Breakdown wavefront_breakdown(const Wavefront& wavefront, const ReportProgress& progress = {});

/// The time of the same iteration with free messages: computing and fill alone. Steps times computing where all ranks
/// are alike, else the recurrence; parts are as `even_parts` makes them, larger ones first.
Time wavefront_ideal_time(const Wavefront& wavefront, const ReportProgress& progress = {});

}  // namespace narrows
