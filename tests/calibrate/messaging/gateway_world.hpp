#pragma once

#include <memory>
#include <vector>

#include "calibrate/messaging/gateway.hpp"
#include "calibrate/transport/shared_memory.hpp"
#include "check_messages.hpp"

namespace narrows {

/// Ranks with their gateways, all in this process.
class GatewayWorld {
  public:
    using Protocol = GatewayMessages<SharedEndpoint>;

    GatewayWorld(const GatewayShape& shape, int workers)
        : memory(RankLayout{shape.total(), workers}, shape),
          rings_(RankLayout{shape.total(), workers}),
          endpoints_(static_cast<std::size_t>(workers)),
          protocols_(static_cast<std::size_t>(workers)) {}

    const RankLayout& layout() const { return rings_.layout(); }
    void set_up(int worker) {
        const auto at = static_cast<std::size_t>(worker);
        endpoints_[at] = std::make_unique<SharedEndpoint>(rings_, worker);
        protocols_[at] = std::make_unique<Protocol>(*endpoints_[at], layout(), memory);
    }
    Protocol& protocol(int rank) { return protocol_of_worker(layout().worker_of(rank)); }
    Protocol& protocol_of_worker(int worker) { return *protocols_[static_cast<std::size_t>(worker)]; }

    GatewayMemory memory;

  private:
    SharedRings rings_;
    std::vector<std::unique_ptr<SharedEndpoint>> endpoints_;
    std::vector<std::unique_ptr<Protocol>> protocols_;
};

/// `inner(rank, protocol, waiter)` on each rank, and the gateways beside them.
template <class Inner>
RankTimes run_with_gateways(GatewayWorld& world, Inner inner, std::size_t stack_bytes = 0) {
    const auto step = [&](auto& protocol, int rank, auto& waiter) {
        if (world.memory.shape().is_gateway(rank)) {
            protocol.run_gateway(rank, waiter);
        } else {
            inner(rank, protocol, waiter);
            protocol.finish(rank);
        }
    };
    return run_each(world, step, stack_bytes);
}

inline GatewayShape shape_of(int ranks, int domain, int slots, bool overlap) {
    return {.ranks = ranks, .domain = domain, .slots = slots, .overlap = overlap};
}

/// As `check_random_messages`, through the gateways of a shape.
inline std::uint32_t check_gateway_messages(const GatewayShape& shape, MessageMix mix, int workers) {
    if (sanitized) mix.messages /= 8;
    GatewayWorld world(shape, workers);
    RandomMessages<GatewayWorld> exchange(world, mix);
    const RankTimes times =
        run_with_gateways(world, [&exchange](int rank, auto&, auto& waiter) { exchange.run(rank, waiter); });
    CHECK_FALSE(times.deadlocked);
    CHECK(exchange.wrong == 0);
    CHECK(exchange.received_messages == mix.messages);
    return exchange.received_messages;
}

}  // namespace narrows
