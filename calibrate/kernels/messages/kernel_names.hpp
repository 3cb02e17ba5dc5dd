#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "calibrate/messaging/collectives.hpp"
#include "model/messages/collective_rounds.hpp"

namespace narrows {

/// The kernels: between pairs of ranks, or among all.
enum class MessageKernel {
    ping_pong,
    stream,
    send_overhead,
    receive_overhead,
    exchange,
    overlap,
    allreduce,
    all_to_all,
    broadcast,
    allgather,
    reduce_scatter,
    barrier,
    matvec,
    program  ///< a user's, of a workload file
};

/// What it is called on the command line and in files.
std::string_view name_of(MessageKernel kernel);
/// The kernel of that name, if there is one.
std::optional<MessageKernel> message_kernel(std::string_view name);
/// Whether it runs between pairs of ranks.
bool between_pairs(MessageKernel kernel);
/// Whether it is a collective, of which the slowest rank's time counts.
bool is_collective(MessageKernel kernel);

/// The algorithms of a collective; the first is its default. None of other kernels.
const std::vector<Algorithm>& algorithms_of(MessageKernel kernel);
std::string_view name_of(Algorithm algorithm);
/// Those of the collective that the kernel has no code of its own for: they run as their rounds of messages.
std::vector<const CollectiveAlgorithm*> algorithms_by_rounds(MessageKernel kernel);
/// Whether it goes by nodes of several ranks.
bool goes_by_nodes(Algorithm algorithm);

/// How bytes move: between threads or fibers of this process, or between processes over TCP, MPI or UDP.
enum class Transport { shared, tcp, mpi, udp };
std::string_view name_of(Transport transport);
/// Whether this program itself starts and joins the processes.
constexpr bool over_sockets(Transport transport) {
    return transport == Transport::tcp || transport == Transport::udp;
}
/// The transport of that name, if there is one.
std::optional<Transport> transport_named(std::string_view name);

}  // namespace narrows
