#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/kernels/gups/gups_clock.hpp"
#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/messaging/protocol.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/ranks/thread_time.hpp"
#include "calibrate/ranks/virtual_processor.hpp"
#include "calibrate/transport/reliable_stream.hpp"
#include "calibrate/transport/tcp_mesh.hpp"

namespace narrows {

class MpiJob;

/// Which code of RandomAccess to run.
enum class GupsVariant {
    sequential,  ///< one rank, no exchange
    local,       ///< each worker updates a table of its own, no exchange: what the cores could reach at best
    bucketed,    ///< a bucket for every rank, the largest sent when 1024 updates are pending (garg2006, Section 5.1)
    exchanged,   ///< send and receive by a messaging protocol, a line of ranks at a time
    shmem,       ///< each update put to its owner by the command queue (underwood2008, Figure 14)
    naive,       ///< each update sent to its owner in a packet of its own, or of so many to the same owner
    routed,      ///< software routing with aggregation along dimensions (garg2006, Sections 5.2 to 5.5)
};

/// Whether the code is the router's: the naive one has a single dimension.
constexpr bool routes(GupsVariant variant) {
    return variant == GupsVariant::routed || variant == GupsVariant::naive;
}

/// Update x^n of the stream has few bits set where n / 64 has few ones in binary, for thousands of updates from 0 and
/// from powers of two: few ranks are sent them all. From this one on updates are random destinations.
inline constexpr std::uint64_t random_updates = 123456789012;

/// Packets under way for a pair of ranks.
inline constexpr int most_in_transit = 64;

/// What to run. Zero means: choose.
struct GupsOptions {
    GupsVariant variant = GupsVariant::routed;
    /// Number of ranks; 0: the product of `shape`, or of `local` one a worker, else 1.
    int ranks = 0;
    /// Sizes of the routing dimensions, fastest-varying first; `routed` and `exchanged`. Empty: one dimension.
    std::vector<int> shape = {};
    /// Words of the table of all ranks together, a power of two.
    std::uint64_t table_words = std::uint64_t{1} << 22;
    /// Updates of all ranks together; 0: four times the table's words.
    std::uint64_t updates = 0;
    /// The run's first update in HPCC's stream, from 0, where HPCC begins.
    std::uint64_t first_update = random_updates;
    /// `exchanged`: what sends and receives.
    Protocol protocol = Protocol::active_message;
    /// `exchanged`: ranks of a domain whose messages to others go through gateways (receiver-initiated); 0: none.
    int domain = 0;
    /// Over what ranks send: to those of other processes by TCP, UDP or MPI.
    Transport transport = Transport::shared;
    bool authenticated = true;  ///< over TCP and UDP
    int ranks_per_process = 1;
    /// `naive`, `bucketed` and `routed` on processes: of a slower processor, which each rank is given.
    ProcessorCosts processor = {};
    /// Updates in a full bucket; 0: floor(1024 / sum of X_i), of `naive` one.
    int bucket = 0;
    /// 0 or the number of dimensions: one receive buffer for each. 1: a single one, which may deadlock.
    int receive_buffers = 0;
    /// Packets under way for each pair of ranks, on aggregate; of buckets smaller than the shape allows as many words.
    int in_transit = 2;
    PageSize pages = PageSize::large;
    /// Worker threads; 0: one a core, and not more than ranks.
    int workers = 0;
    bool verify = true;
    /// `routed`: the machine whose time is told instead of the wall's, on one worker.
    std::optional<GupsClock> clock = {};
    /// Of ranks of one process: called at most about ten times a second during the timed part, with the fraction done.
    /// May be empty.
    std::function<void(double)> progress = {};
};

/// What a run counted. Zero where a variant has no such thing.
struct GupsCounters {
    std::uint64_t updates = 0;
    std::uint64_t packets = 0;
    /// Mean updates of the packets sent full before the finishing phase; `bucketed`: of the buckets removed, own ones
    /// included, while the last quarter of the updates is formed. Of all packets where none of these were.
    double updates_per_packet = 0;
    /// Times that an update was put into a packet, per update.
    double hops_per_update = 0;
    /// Attempts to send that found no room, over all attempts. `shmem`: puts for which their lane had none.
    double send_blocking_factor = 0;
    /// Time-stamp ticks of one core per update: all workers' ticks over updates; of several processes not counted.
    double cycles_per_update = 0;
    /// Most updates that a rank held in its buckets and receive buffers. `shmem`: that it formed between
    /// barriers; after one they are all applied.
    int held_max = 0;
    /// Packets that may be under way to one rank at a time, and the pairs that they are for.
    int packets_in_transit = 0;
    int pairs = 0;
    /// Most packets that a rank found waiting along one dimension when it looked. `shmem`: landed in a phase.
    int packets_waiting_max = 0;
};

/// What came of a run. Times are of the updates, with finishing, without set-up and verification; switches of several
/// processes are not counted.
struct GupsRun : WorkerTimes {
    int ranks = 0;
    int workers = 0;
    std::vector<int> shape;
    /// Updates in a full bucket of `routed`, else 0.
    int bucket = 0;
    /// True when the table was checked by applying all updates again.
    bool verified = false;
    /// Entries of the table that were then wrong.
    std::uint64_t errors = 0;
    GupsCounters counters;
    /// Over UDP, of all processes.
    std::optional<DatagramCounters> datagrams;
    /// By the clock that the options have; then `seconds` is its time.
    std::optional<ClockedGups> clocked;
    /// Empty, or why the ranks could not go on: a cycle of ranks that wait for each other.
    std::string deadlock;

    /// Updates per second, 0 when there are none.
    double rate() const { return seconds > 0 ? static_cast<double>(counters.updates) / seconds : 0; }
};

/// `options` with everything chosen that was left open. Throws InputError when they make no sense or do not fit.
GupsOptions checked(const GupsOptions& options);

/// Bytes that the run of checked options takes: the table, and what ranks keep.
double needed_memory(const GupsOptions& options);

/// What all processes of a job must have in common, of such options.
std::vector<std::size_t> job_plan(const GupsOptions& options);

/// Runs RandomAccess by HPCC's rules, on threads, fibers or processes of this machine. Throws InputError as `checked`
/// does.
GupsRun run_gups(const GupsOptions& options);

/// The part of one process of a job over TCP between hosts, with options that `checked` has returned: the first process
/// returns what came of all, the others nothing.
GupsRun run_gups_at(const TcpPlace& place, const JobSecret& secret, const GupsOptions& options);

/// The same of a job that a launcher of MPI started. Any error ends the processes of all; `complain` is called with
/// what it was.
GupsRun run_gups_under_mpi(const MpiJob& job, const GupsOptions& options,
                           const std::function<void(const std::string&)>& complain);

}  // namespace narrows
