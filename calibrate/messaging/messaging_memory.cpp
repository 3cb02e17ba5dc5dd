#include "calibrate/messaging/messaging_memory.hpp"

#include "calibrate/messaging/gateway_memory.hpp"
#include "calibrate/ranks/fiber_stacks.hpp"

namespace narrows {

std::size_t stack_memory(int ranks, int workers) {
    return ranks > workers ? static_cast<std::size_t>(ranks) * default_stack_bytes : 0;
}

std::size_t messaging_memory(Protocol protocol, int domain, int ranks, int workers, bool virtual_time) {
    const auto count = static_cast<std::size_t>(ranks);
    const std::size_t stacks =
        virtual_time ? stack_memory(ranks, 0) : stack_memory(with_gateways(ranks, domain), workers);
    if (domain != 0) return stacks + count * GatewayMemory::bytes_per_rank({ranks, domain});
    return stacks + record_of(protocol).memory(ranks);
}

}  // namespace narrows
