#include "calibrate/transport/shared_memory.hpp"

namespace narrows {
namespace {

std::size_t ring_bytes_for(int workers) {
    constexpr std::size_t together = std::size_t{32} << 20;
    const std::size_t each = together / (static_cast<std::size_t>(workers) * static_cast<std::size_t>(workers));
    return std::clamp<std::size_t>(each & ~std::size_t{4095}, std::size_t{64} << 10, std::size_t{1} << 20);
}

}  // namespace

static_assert(least_ring_bytes <= std::size_t{64} << 10);

std::size_t SharedRings::bytes(int workers) {
    return static_cast<std::size_t>(workers) * static_cast<std::size_t>(workers) * ring_bytes_for(workers);
}

SharedRings::SharedRings(const RankLayout& layout) : layout_(layout), ring_bytes_(ring_bytes_for(layout.workers)) {
    const auto rings = static_cast<std::size_t>(layout.workers) * static_cast<std::size_t>(layout.workers);
    memory_ = Mapping(rings * ring_bytes_, PageSize::large);
    progress_ = std::make_unique<RingProgress[]>(rings);
}

SharedEndpoint::SharedEndpoint(const SharedRings& rings, int worker) : layout_(rings.layout()), worker_(worker) {
    for (int other = 0; other < layout_.workers; ++other) {
        peers_.push_back({RingWriter(rings.ring(worker, other), rings.ring_bytes(), rings.progress(worker, other)),
                          RingReader(rings.ring(other, worker), rings.ring_bytes(), rings.progress(other, worker))});
    }
}

}  // namespace narrows
