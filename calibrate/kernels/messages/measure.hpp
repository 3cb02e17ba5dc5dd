#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibrate/kernels/messages/plan.hpp"
#include "calibrate/kernels/messages/stream_pattern.hpp"
#include "calibrate/measure/order_statistics.hpp"
#include "calibrate/messaging/begun_message.hpp"
#include "calibrate/messaging/collectives.hpp"
#include "calibrate/messaging/protocol.hpp"
#include "calibrate/ranks/cores.hpp"

namespace narrows {

/// The kernels: between pairs of ranks, or among all.
enum class MessageKernel { ping_pong, stream, send_overhead, receive_overhead, exchange, overlap, allreduce, matvec };

/// What it is called on the command line and in files.
std::string_view name_of(MessageKernel kernel);
/// The kernel of that name, if there is one.
std::optional<MessageKernel> message_kernel(std::string_view name);
/// Whether it runs between pairs of ranks.
bool between_pairs(MessageKernel kernel);

/// How bytes move: between threads or fibers of this process, or between processes over TCP or MPI.
enum class Transport { shared, tcp, mpi };
std::string_view name_of(Transport transport);
/// The transport of that name, if there is one.
std::optional<Transport> transport_named(std::string_view name);

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
    Allreduce algorithm = Allreduce::doubling;
    int node_ranks = 0;  ///< of an allreduce by nodes; 0: among all alike
    int ranks = 2;
    int workers = 0;                    ///< threads; 0: one a core
    std::optional<CorePair> between{};  ///< the cores of two threads over shared memory; without it cores 0, 1, …
    std::vector<std::size_t> sizes = {8};
    int repeats = 15;        ///< samples of each size
    int messages = 20000;    ///< of a sample, fewer of long ones; divided by the pairs
    std::uint64_t seed = 1;  ///< of the samples' order
};

/// What one size took: half a round trip of ping-pong and overlap, the time from one message of a stream to the next, a
/// call that sends or receives, an exchange with all neighbours, an allreduce, or a product of matrix and vector with
/// its allgather.
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

/// One sample of rank 0: seconds of a message, each of so many of a size.
struct TakenSample {
    std::size_t bytes = 0;
    int messages = 0;
    double seconds = 0;
};

struct MessageRun {
    int ranks = 0;
    int workers = 0;
    double seconds = 0;  ///< of the whole run
    double cpu_seconds = 0;
    long involuntary_switches = 0;
    bool pinned = false;
    std::uint64_t errors = 0;  ///< samples that brought something else than was sent
    /// Whether as many samples as were taken have been looked at; of a job that was started by others absent where
    /// other ranks do that.
    std::optional<bool> verified;
    std::vector<MessagePoint> points;
    std::vector<OverlapRatios> overlaps;  ///< of each point, `overlap` only
    std::vector<TakenSample> samples;     ///< what the points come from, in the order in which they were taken
};

/// Least size that kernel and protocol can send: puts carry a word that tells of them.
std::size_t least_bytes(MessageKernel kernel, Protocol protocol);

/// What the sizes of a measurement are multiples of: bytes, the words of a put, or the doubles that ranks sum.
std::size_t unit_bytes(const MessageOptions& options);

/// Runs it: with threads or fibers over shared memory, or with a process a rank over TCP. By active messages and the
/// command queue ping-pong puts into the peer's memory, and so do the overheads, and a stream of active messages is
/// taken by its handler; all else is sent and received. Samples are those of the first pair, the others run beside it;
/// of streams from one rank to all, those of that one. Over TCP it must be called before the program has threads.
/// InputError for options that cannot be, before anything runs.
MessageRun measure_messages(const MessageOptions& options);

/// What one rank of a job does, whose processes were started by others, a rank each: takes the samples of a plan, in
/// step with the other ranks, and returns what it measured.
using RankPart = std::function<RankRecord(const MessageOptions& options, const SamplePlan& plan)>;

/// InputError for options that cannot be; `measure_part` looks for itself too.
void check_messages(const MessageOptions& options);

/// The part of `rank` in a measurement of such a job. Rank 0 gets the points and its own errors; the others' errors end
/// the job.
MessageRun measure_part(const MessageOptions& options, int rank, const RankPart& part);

}  // namespace narrows
