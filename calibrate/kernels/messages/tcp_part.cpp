#include "calibrate/kernels/messages/tcp_part.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "calibrate/kernels/messages/message_program.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/transport/tcp_job.hpp"

namespace narrows {
namespace {

// All that ranks must have in common to take samples in step.
std::string words_of(const MessageOptions& options) {
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {}", static_cast<int>(options.kernel),
                       static_cast<int>(options.protocol), static_cast<int>(options.pattern),
                       static_cast<int>(options.progress), options.neighbours, static_cast<int>(options.algorithm),
                       options.node_ranks, fmt::join(options.sizes, ","), options.repeats, options.messages,
                       options.seed);
}

}  // namespace

RankPart tcp_part(const TcpPlace& place, const JobSecret& secret) {
    return [place, secret](const MessageOptions& options, const SamplePlan& plan) {
        // Elsewhere than on loopback how many ranks share a host is not known here: each is taken to have its own.
        const bool crowded = place.rendezvous.loopback() && options.ranks > Cores().count();
        const auto body = [&](TcpEndpoint& endpoint, int rank) {
            return run_lone_process(options, plan, endpoint, rank, crowded);
        };
        return read_record(run_tcp_rank(place, secret.bound_to(words_of(options)), body));
    };
}

}  // namespace narrows
