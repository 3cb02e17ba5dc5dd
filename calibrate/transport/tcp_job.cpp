#include "calibrate/transport/tcp_job.hpp"

#include <fmt/format.h>

#include <utility>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::string run_rank(TcpMesh mesh, const TcpBody& body, std::size_t send_buffer_bytes) {
    const int rank = mesh.job.rank;
    TcpEndpoint endpoint(std::move(mesh), send_buffer_bytes);
    std::string result = body(endpoint, rank);
    endpoint.finish();
    return result;
}

}  // namespace

std::vector<ProcessOutcome> run_tcp_processes(int ranks, const TcpBody& body, const TcpOptions& options) {
    if (ranks < 1) throw InputError(fmt::format("{} ranks cannot run: give 1 or more", ranks));
    const JobSecret secret = JobSecret::random();
    Socket listener = listen_at({"127.0.0.1", 0});
    const HostPort rendezvous = local_address(listener);
    // Should one die before it has come, the parent ends the others: they need not be quick to come.
    constexpr double join_seconds = 600;
    const auto run = [&](int rank) {
        Socket own = std::move(listener);
        if (rank != 0) own.close();
        return run_rank(
            join_mesh({{rank, ranks, false, options.wire}, rendezvous, join_seconds}, secret, std::move(own)), body,
            options.send_buffer_bytes);
    };
    return run_processes(ranks, run, options.grace_seconds);
}

std::string run_tcp_rank(const TcpPlace& place, const JobSecret& secret, const TcpBody& body,
                         std::size_t send_buffer_bytes) {
    return run_rank(join_mesh(place, secret), body, send_buffer_bytes);
}

}  // namespace narrows
