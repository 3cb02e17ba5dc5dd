#include "calibrate/messaging/gateway_memory.hpp"

#include <algorithm>
#include <stdexcept>

namespace narrows {

GatewayMemory::GatewayMemory(const RankLayout& layout, const GatewayShape& shape)
    : shape_(shape),
      descriptors_(shape.near_ranks(), 0, shape.ranks),
      bells_(layout),
      waiting_(static_cast<std::size_t>(shape.domains())) {
    if (layout.ranks != shape.total() || shape.slots < 1) {
        throw std::logic_error("a run with gateways has a fiber or thread for each, and a slot or more in each queue");
    }
    links_ = Mapping(static_cast<std::size_t>(shape.ranks) * sizeof(RankLink), PageSize::large);
    slots_ = Mapping(static_cast<std::size_t>(shape.domains() * shape.slots) * sizeof(GatewaySlot), PageSize::large);
}

std::size_t GatewayMemory::bytes_per_rank(const GatewayShape& shape) {
    const std::size_t of_domain =
        static_cast<std::size_t>(shape.slots) * sizeof(GatewaySlot) + sizeof(std::int32_t) + 2 * sizeof(Flag);
    return DescriptorMemory::bytes_per_rank(shape.near_ranks()) + sizeof(RankLink) + sizeof(Flag) +
           of_domain / static_cast<std::size_t>(shape.domain);
}

GatewaySlot* GatewayMemory::claim_slot(int rank) {
    GatewaySlot* first = slots(shape_.domain_of(rank));
    for (GatewaySlot* slot = first; slot != first + shape_.slots; ++slot) {
        if (slot->claim()) return slot;
    }
    return nullptr;
}

// Who has said that it waits sees the slot free, or is seen waiting here: both orders are sequentially consistent.
void GatewayMemory::release_slot(int domain, GatewaySlot& slot) {
    slot.release();
    if (waiting(domain).load() == 0) return;
    const int last = std::min((domain + 1) * shape_.domain, shape_.ranks);
    for (int rank = domain * shape_.domain; rank < last; ++rank) bells_.ring(rank);
}

void GatewayMemory::finish() {
    if (finished_.fetch_add(1, std::memory_order_acq_rel) + 1 != shape_.ranks) return;
    for (int id = shape_.ranks; id < shape_.total(); ++id) bells_.ring(id);
}

}  // namespace narrows
