#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/kernels/messages/kernel_names.hpp"
#include "calibrate/kernels/messages/plan.hpp"
#include "calibrate/kernels/messages/stream_pattern.hpp"
#include "calibrate/kernels/program/rank_program.hpp"
#include "calibrate/measure/order_statistics.hpp"
#include "calibrate/messaging/begun_message.hpp"
#include "calibrate/messaging/protocol.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/thread_time.hpp"

namespace narrows {

/// What to measure, and how thoroughly.
struct MessageOptions {
    MessageKernel kernel = MessageKernel::ping_pong;
    Protocol protocol = Protocol::active_message;
    Transport transport = Transport::shared;
    /// Ranks of a domain whose messages to others go through gateways (receiver-initiated, shared memory); 0: none.
    int domain = 0;
    bool overlap_legs = false;  ///< whether gateways send the first part of a message on before they have the last
    int neighbours = 1;         ///< of `exchange`, 1 to 6
    StreamPattern pattern = StreamPattern::pairs;      ///< of `stream`
    MessageProgress progress = MessageProgress::poll;  ///< of `overlap`
    std::optional<Algorithm> algorithm{};              ///< of a collective; without it the kernel's first
    const CollectiveAlgorithm* by_rounds = nullptr;    ///< in its place: whatever rounds of messages there are
    int node_ranks = 0;                                ///< of an allreduce by nodes; 0: among all alike
    int ranks = 2;
    int ranks_per_process = 1;          ///< over TCP, UDP and MPI
    bool authenticated = true;          ///< over TCP and UDP
    int workers = 0;                    ///< threads; 0: one a core
    std::optional<CorePair> between{};  ///< the cores of two threads over shared memory; without it cores 0, 1, …
    std::vector<std::size_t> sizes = {8};
    int repeats = 15;  ///< samples of each size
    int messages =
        20000;  ///< of a sample at most, fewer of long ones; divided by the pairs, but at least eight of them
    std::uint64_t seed = 1;                         ///< of the samples' order
    std::shared_ptr<const ProgramRanks> program{};  ///< of `program`
    /// Largest size of a series by default, where a link is too slow for the others; none: all of them.
    std::optional<std::size_t> largest{};
    std::function<void(double)> report{};  ///< told by rank 0 after each sample which part of them, 0 to 1, is taken
};

/// What one size took: half a round trip of ping-pong and overlap, the time from one message of a stream to the next, a
/// call that sends or receives, an exchange with all neighbours, a collective on its slowest rank, or a product of
/// matrix and vector with its allgather.
struct MessagePoint {
    std::size_t bytes = 0;
    OrderEstimate seconds;
};

/// Of `overlap`: time of beginning a message, computing as long as one takes, and waiting, over that of computing alone
/// (kumar2008, Section 4.1): 1 when all of it is hidden.
struct OverlapRatios {
    OrderEstimate send;
    OrderEstimate receive;
};

/// One sample of rank 0, of a collective that of its slowest rank: seconds of a message, each of so many of a size.
struct TakenSample {
    std::size_t bytes = 0;
    int messages = 0;
    double seconds = 0;
};

/// What came of a measurement. Times are of the whole run.
struct MessageRun : WorkerTimes {
    int ranks = 0;
    int workers = 0;
    double awake_seconds = 0;  ///< of all workers together, without the time in which they slept until something came
    bool own_cores = false;    ///< whether each worker had a core that it was to have to itself
    std::uint64_t errors = 0;  ///< samples that brought something else than was sent
    /// Whether as many samples as were taken have been checked, by the ranks of all processes; absent but on rank 0,
    /// and where it was cut off.
    std::optional<bool> verified;
    std::vector<MessagePoint> points;
    std::vector<OverlapRatios> overlaps;  ///< of each point, `overlap` only
    std::vector<TakenSample> samples;     ///< what the points come from, in the order in which they were taken
    std::string cut_by;                   ///< what ended it before all samples were taken; empty when nothing did
};

/// The collective's algorithm: the one asked for, or the kernel's first.
Algorithm algorithm_of(const MessageOptions& options);
/// Its name, or that of the rounds; empty where the kernel has none.
std::string_view algorithm_name(const MessageOptions& options);
/// Sets the algorithm of that name, of the kernel's own or of rounds. InputError names those that there are.
void choose_algorithm(MessageOptions& options, std::string_view name);

/// Memory that a rank of a `program` computes in: so much that all ranks' is beyond the caches.
std::size_t bytes_of_work(const MessageOptions& options);

/// What a rank sends from and receives into with messages of so many bytes, and of matvec its rows of the matrix.
long double buffer_bytes(const MessageOptions& options, std::size_t bytes);

/// The samples that a measurement takes.
SamplePlan message_plan(const MessageOptions& options);

/// Least size that kernel and protocol can send: puts carry a word that tells of them.
std::size_t least_bytes(MessageKernel kernel, Protocol protocol);

/// What the sizes of a measurement are multiples of: bytes, the words of a put, or the doubles that ranks sum.
std::size_t unit_bytes(const MessageOptions& options);

/// Runs it: with threads or fibers over shared memory, or with processes over TCP. By active messages and the
/// command queue ping-pong puts into the peer's memory, and so do the overheads, and a stream of active messages is
/// taken by its handler; all else is sent and received. Samples are those of the first pair, the others run beside it;
/// of streams from one rank to all, those of that one. Over TCP it must be called before the program has threads.
/// InputError for options that cannot be, before anything runs.
MessageRun measure_messages(const MessageOptions& options);

/// What one process of a job does, whose processes were started by others: takes the samples of a plan, in
/// step with the other ranks, and returns what it measured.
using RankPart = std::function<RankRecord(const MessageOptions& options, const SamplePlan& plan)>;

/// InputError for options that cannot be; `measure_part` looks for itself too.
void check_messages(const MessageOptions& options);

/// InputError unless the ranks fill processes of so many each, which are the workers if they share no memory.
void check_processes(int ranks, int ranks_per_process, Transport transport, int workers = 0);

/// Processes of a job over sockets, at most.
inline constexpr int most_processes = 64;

/// InputError when packets have no room for so many ranks with their gateways, or over sockets processes have none.
void check_rank_count(std::int64_t ranks, int domain, Transport transport, int ranks_per_process);

/// The part of process `rank` in a measurement of such a job. Rank 0 gets the points and the errors of all.
MessageRun measure_part(const MessageOptions& options, int rank, const RankPart& part);

}  // namespace narrows
