#include "calibrate/messaging/messaging_memory.hpp"

#include "calibrate/messaging/buffered_memory.hpp"
#include "calibrate/messaging/gateway_memory.hpp"
#include "calibrate/ranks/fiber_stacks.hpp"

namespace narrows {

std::size_t messaging_memory(Protocol protocol, int domain, int ranks, int workers) {
    const auto count = static_cast<std::size_t>(ranks);
    GatewayShape shape;
    shape.ranks = ranks;
    shape.domain = domain;
    const int all = domain == 0 ? ranks : shape.total();
    const std::size_t stacks = all > workers ? static_cast<std::size_t>(all) * default_stack_bytes : 0;
    if (domain != 0) return stacks + count * GatewayMemory::bytes_per_rank(shape);
    switch (protocol) {
        case Protocol::buffered:
            return stacks + BufferedMemory::bytes(ranks);
        case Protocol::receiver_initiated:
            return stacks + count * DescriptorMemory::bytes_per_rank(ranks);
        case Protocol::active_message:
        case Protocol::rendezvous:
        case Protocol::command_queue:
            break;  // what a rank has does not grow with the ranks
    }
    return stacks;
}

}  // namespace narrows
