#include "calibrate/kernels/gups/process_gups.hpp"

#include <cstring>

#include "calibrate/kernels/messages/socket_run.hpp"
#include "calibrate/measure/elapsed.hpp"

namespace narrows {
namespace {

/// What of a part is sent.
struct Part {
    double seconds = 0;
    double cpu_seconds = 0;
    std::uint64_t errors = 0;
    GupsCounters counters;
    std::optional<DatagramCounters> datagrams;
};

}  // namespace

std::string write_part(const GupsRun& part) {
    const Part sent{part.seconds, part.cpu_seconds, part.errors, part.counters, part.datagrams};
    return {reinterpret_cast<const char*>(&sent), sizeof sent};
}

GupsRun gathered_gups(const GupsOptions& options, const std::vector<std::string>& parts) {
    GupsRun run = begun_run(options);
    run.workers = static_cast<int>(parts.size());
    run.verified = options.verify;
    GupsCounters& all = run.counters;
    double full = 0, attempts = 0, blocked = 0;
    for (const std::string& text : parts) {
        if (text.size() != sizeof(Part)) throw std::logic_error("gathered_gups: these bytes are no part");
        Part part;
        std::memcpy(&part, text.data(), sizeof part);
        run.seconds = std::max(run.seconds, part.seconds);
        run.cpu_seconds += part.cpu_seconds;
        run.errors += part.errors;
        const auto packets = static_cast<double>(part.counters.packets);
        all.packets += part.counters.packets;
        all.hops_per_update += part.counters.hops_per_update;
        full += part.counters.updates_per_packet * packets;
        // Of all attempts to send the packets are those that succeeded.
        const double tried = packets / (1 - part.counters.send_blocking_factor);
        attempts += tried;
        blocked += part.counters.send_blocking_factor * tried;
        all.held_max = std::max(all.held_max, part.counters.held_max);
        all.packets_in_transit = part.counters.packets_in_transit;
        all.pairs = part.counters.pairs;
        all.packets_waiting_max = std::max(all.packets_waiting_max, part.counters.packets_waiting_max);
        if (!part.datagrams) continue;
        if (!run.datagrams) run.datagrams.emplace();
        run.datagrams->add(*part.datagrams);
    }
    if (all.packets > 0) {
        all.updates_per_packet = full / static_cast<double>(all.packets);
        all.send_blocking_factor = blocked / attempts;
    }
    run.seconds = elapsed(run.seconds);
    return run;
}

GupsRun run_gups_over_tcp(const GupsOptions& options) {
    const SocketRun job = run_over_sockets(options, options.ranks, [&](TcpEndpoint& endpoint, bool crowded) {
        return write_part(ProcessGups<TcpEndpoint>(options, endpoint, crowded).run());
    });
    GupsRun run = gathered_gups(options, job.texts);
    run.pinned = !job.crowded;
    return run;
}

GupsRun run_gups_at(const TcpPlace& place, const JobSecret& secret, const GupsOptions& options) {
    GupsRun run;
    run_tcp_rank(place, secret, [&](TcpEndpoint& endpoint, int /*process*/) {
        run = gups_with_others(options, endpoint, endpoint.crowded());
        return std::string();
    });
    return run;
}

}  // namespace narrows
