#include "calibrate/messaging/messaging_memory.hpp"

#include "calibrate/messaging/buffered_memory.hpp"
#include "calibrate/messaging/command_messages.hpp"
#include "calibrate/messaging/gateway_memory.hpp"
#include "calibrate/ranks/fiber_stacks.hpp"

namespace narrows {

std::size_t messaging_memory(Protocol protocol, int domain, int ranks, int workers, bool virtual_time) {
    const auto count = static_cast<std::size_t>(ranks);
    GatewayShape shape;
    shape.ranks = ranks;
    shape.domain = domain;
    const int all = domain == 0 ? ranks : shape.total();
    const int fibers = virtual_time ? ranks : all > workers ? all : 0;
    const std::size_t stacks = static_cast<std::size_t>(fibers) * default_stack_bytes;
    if (domain != 0) return stacks + count * GatewayMemory::bytes_per_rank(shape);
    switch (protocol) {
        case Protocol::buffered:
            return stacks + BufferedMemory::bytes(ranks);
        case Protocol::receiver_initiated:
            return stacks + count * DescriptorMemory::bytes_per_rank(ranks);
        case Protocol::command_queue:
            return stacks + count * command_messages_bytes(ranks);
        case Protocol::active_message:
        case Protocol::eager:
        case Protocol::rendezvous:
            break;  // what a rank has does not grow with the ranks
    }
    return stacks;
}

}  // namespace narrows
