#include "calibrate/kernels/messages/shared_core.hpp"

#include <algorithm>

#include "calibrate/messaging/gateway_memory.hpp"
#include "calibrate/ranks/run_ranks.hpp"

namespace narrows {
namespace {

int first_target(const MessageOptions& options) {
    const bool to_all = options.kernel == MessageKernel::stream && from_one(options.pattern);
    const bool in_pairs = between_pairs(options.kernel) || options.kernel == MessageKernel::overlap;
    return in_pairs && !to_all ? pair_partner(0, options.ranks) : 1;
}

}  // namespace

bool shares_core(const MessageOptions& options, int cores) {
    if (options.transport == Transport::mpi || options.between) return false;
    if (cores == 1) return true;
    if (over_sockets(options.transport)) return options.ranks / options.ranks_per_process > cores;
    RankLayout layout = rank_layout(options.ranks, options.workers == 0 ? cores : options.workers);
    const int target = first_target(options);
    if (options.domain > 0) {
        const GatewayShape shape{options.ranks, options.domain};
        // The last worker has the last gateway, through which every way between domains leads.
        if (!shape.are_near(0, target)) return layout.workers == 1;
        layout = {shape.total(), std::min(layout.workers, shape.total())};
    }
    const auto core_of = [&](int rank) { return core_of_worker(layout.worker_of(rank), layout.workers, cores); };
    return core_of(0) == core_of(target);
}

}  // namespace narrows
