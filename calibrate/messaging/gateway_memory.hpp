#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "calibrate/messaging/bells.hpp"
#include "calibrate/messaging/descriptors.hpp"
#include "calibrate/ranks/mapping.hpp"

namespace narrows {

/// How ranks are grouped (pakin2009, Roadrunner: 8 or 16 ranks share memory with a controller, which has a host; only
/// hosts reach other domains). Gateways are numbered after the ranks: all controllers, then all hosts.
struct GatewayShape {
    int ranks = 1;
    /// Ranks of a domain.
    int domain = 8;
    /// Slots of a controller's send queue.
    int slots = 4;
    /// Gateways forward a message piece by piece instead of leg by leg.
    bool overlap = false;
    /// Consecutive ranks that reach each other's memory, a multiple of a domain's (pakin2009: those of a blade, which
    /// has two domains); 0: those of a domain.
    int near = 0;

    int near_ranks() const { return near == 0 ? domain : near; }
    bool are_near(int a, int b) const { return a / near_ranks() == b / near_ranks(); }
    int domains() const { return (ranks + domain - 1) / domain; }
    int gateways() const { return 2 * domains(); }
    /// Ranks and gateways.
    int total() const { return ranks + gateways(); }
    int controller(int of_domain) const { return ranks + of_domain; }
    int host(int of_domain) const { return ranks + domains() + of_domain; }
    bool is_gateway(int id) const { return id >= ranks; }
    bool is_host(int id) const { return id >= ranks + domains(); }
    /// Of a rank, a controller or a host.
    int domain_of(int id) const { return is_gateway(id) ? (id - ranks) % domains() : id / domain; }
    /// Where a gateway sends what is for a domain's controller; itself at the end of the way.
    int next_hop(int gateway, int to_domain) const {
        const int own = domain_of(gateway);
        if (!is_host(gateway)) return own == to_domain ? gateway : host(own);
        return own == to_domain ? controller(own) : host(to_domain);
    }
};

/// Ranks, and their gateways where there are domains.
inline int with_gateways(int ranks, int domain) {
    return domain == 0 ? ranks : GatewayShape{ranks, domain}.total();
}

/// Messages up to this long are copied to their rank by its controller; longer ones the rank gets itself (pakin2009).
inline constexpr std::size_t most_copied_by_controller = 128;

/// A slot of a controller's send queue: what a rank wants done.
struct alignas(64) GatewaySlot {
    enum State : std::uint32_t { free, claimed, full };
    enum Kind : std::uint32_t { send, receive };

    std::uint32_t state;
    Kind kind;
    std::int32_t from;
    std::int32_t to;
    std::int32_t tag;
    std::uint64_t bytes;
    std::uint64_t capacity;
    /// Where the data are, unless they are in the slot.
    const std::byte* address;
    std::byte data[most_copied_by_controller];

    bool claim() {
        std::uint32_t expected = free;
        return std::atomic_ref(state).compare_exchange_strong(expected, claimed);
    }
    bool is_full() { return std::atomic_ref(state).load(std::memory_order_acquire) == full; }
    void fill() { std::atomic_ref(state).store(full, std::memory_order_release); }
    void release() { std::atomic_ref(state).store(free); }
    const std::byte* content() const { return bytes <= most_copied_by_controller ? data : address; }
};

/// A rank's one element for communicating with all that are not of its domain.
struct alignas(64) RankLink {
    enum State : std::uint32_t { idle, waiting, done, fetch };

    /// Where what it waits for is to go.
    std::byte* target;
    std::uint64_t capacity;
    std::int32_t source;
    /// What came, and, of a message to be fetched, where it is.
    std::uint64_t bytes;
    const std::byte* data;
    /// When it stopped waiting, in virtual seconds.
    double time;
    std::uint32_t state;

    State now() { return static_cast<State>(std::atomic_ref(state).load(std::memory_order_acquire)); }
    void set(State to) { std::atomic_ref(state).store(to, std::memory_order_release); }
};

/// What the ranks and gateways of a run share: within a domain, the descriptors of its ranks, their links and their
/// controller's slots.
class GatewayMemory {
  public:
    /// `layout` is of all ranks and gateways.
    GatewayMemory(const RankLayout& layout, const GatewayShape& shape);

    /// Bytes for each rank of a shape, its share of the gateways' slots included; stacks, and messages on their way,
    /// are not.
    static std::size_t bytes_per_rank(const GatewayShape& shape);

    const GatewayShape& shape() const { return shape_; }
    const DescriptorMemory& descriptors() const { return descriptors_; }
    /// In virtual time messages cost this much. `costs` must outlive this.
    void use(const VirtualCosts& costs) { descriptors_.use(costs); }
    const VirtualCosts& costs() const { return descriptors_.costs(); }
    Bells& bells() { return bells_; }
    RankLink& link(int rank) const { return reinterpret_cast<RankLink*>(links_.data())[rank]; }
    /// The first of a domain's slots.
    GatewaySlot* slots(int domain) const {
        return reinterpret_cast<GatewaySlot*>(slots_.data()) + static_cast<std::size_t>(domain * shape_.slots);
    }

    /// A free slot of the rank's controller, now the rank's; nullptr when there is none.
    GatewaySlot* claim_slot(int rank);
    /// Ranks of the domain that wait for a slot.
    std::atomic<std::int32_t>& waiting(int domain) { return waiting_[static_cast<std::size_t>(domain)]; }
    /// Gives a slot back and tells the ranks that wait for one.
    void release_slot(int domain, GatewaySlot& slot);

    /// `rank` will send nothing more: when none will, the gateways end.
    void finish();
    bool finished() const { return finished_.load(std::memory_order_acquire) == shape_.ranks; }

  private:
    GatewayShape shape_;
    DescriptorMemory descriptors_;
    Bells bells_;
    Mapping links_;
    Mapping slots_;
    std::vector<std::atomic<std::int32_t>> waiting_;
    std::atomic<int> finished_{0};
};

}  // namespace narrows
