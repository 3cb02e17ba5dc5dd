#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "calibrate/transport/shared_memory.hpp"

namespace narrows {

/// The rings of shared memory as if they led to other machines: no address of one rank is valid in another.
class UnsharedEndpoint : public SharedEndpoint {
  public:
    static constexpr bool shares_memory = false;
    using SharedEndpoint::SharedEndpoint;
};

/// A protocol on all workers of a run in this process, as tests of messages want a world:
///
///   const RankLayout& layout()
///   void set_up(int worker)
///   Protocol& protocol(int rank)      that serves this rank
///
/// `Common` is what the protocol's objects share, made from the layout; void if there is nothing. Without shared memory
/// each worker has one of its own, made from the layout and the worker's ranks.
template <class Endpoint, template <class> class ProtocolOver, class Common>
class RingWorld {
  public:
    using Protocol = ProtocolOver<Endpoint>;

    explicit RingWorld(const RankLayout& layout)
        : rings_(layout),
          endpoints_(static_cast<std::size_t>(layout.workers)),
          commons_(static_cast<std::size_t>(layout.workers)),
          protocols_(static_cast<std::size_t>(layout.workers)) {
        if constexpr (Endpoint::shares_memory && !std::is_void_v<Common>) {
            commons_.front() = std::make_unique<Common>(layout);
        }
    }

    const RankLayout& layout() const { return rings_.layout(); }
    void set_up(int worker) {
        const auto at = static_cast<std::size_t>(worker);
        endpoints_[at] = std::make_unique<Endpoint>(rings_, worker);
        if constexpr (std::is_void_v<Common>) {
            protocols_[at] = std::make_unique<Protocol>(*endpoints_[at], layout());
        } else {
            if constexpr (!Endpoint::shares_memory) {
                commons_[at] =
                    std::make_unique<Common>(layout(), layout().first_rank(worker), layout().first_rank(worker + 1));
            }
            protocols_[at] =
                std::make_unique<Protocol>(*endpoints_[at], layout(), *commons_[Endpoint::shares_memory ? 0 : at]);
        }
    }
    Protocol& protocol(int rank) { return *protocols_[static_cast<std::size_t>(layout().worker_of(rank))]; }
    Protocol& protocol_of_worker(int worker) { return *protocols_[static_cast<std::size_t>(worker)]; }

  private:
    // std::unique_ptr<void> has no deleter; a world without anything in common never makes one.
    using Kept = std::conditional_t<std::is_void_v<Common>, int, Common>;

    SharedRings rings_;
    std::vector<std::unique_ptr<Endpoint>> endpoints_;
    std::vector<std::unique_ptr<Kept>> commons_;
    std::vector<std::unique_ptr<Protocol>> protocols_;
};

}  // namespace narrows
