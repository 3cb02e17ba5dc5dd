#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "calibrate/transport/packet.hpp"

namespace narrows {

/// The endpoint (see packet.hpp) of all ranks of a virtual clock, which are one process. A packet has the time at which
/// it arrives; there is always room.
class VirtualEndpoint {
  public:
    static constexpr bool shares_memory = true;

    explicit VirtualEndpoint(int ranks) : ranks_(ranks) {}

    /// Of the next packet that is sent.
    void arrives_at(double seconds) { next_arrival_ = seconds; }
    /// Of the packet that is being handled.
    double arrival() const { return arrival_; }

    bool try_send(PacketHeader header, const Payload& payload) {
        if (used_ == packets_.size()) packets_.emplace_back();
        Packet& packet = packets_[used_++];
        packet.header = header;
        packet.arrival = next_arrival_;
        packet.payload.resize(header.bytes);
        payload.copy_to(packet.payload.data());
        return true;
    }
    template <class Handler>
    bool poll(Handler&& handle) {
        if (used_ == 0) return false;
        // A handler may send: what it sends is handled next.
        std::swap(packets_, handled_);
        const std::size_t count = std::exchange(used_, 0);
        for (std::size_t i = 0; i < count; ++i) {
            arrival_ = handled_[i].arrival;
            handle(handled_[i].header, handled_[i].payload.data());
        }
        return true;
    }
    void flush() {}

    int processes() const { return 1; }
    int process() const { return 0; }
    int process_of(int /*rank*/) const { return 0; }
    int ranks() const { return ranks_; }

  private:
    struct Packet {
        PacketHeader header;
        double arrival = 0;
        std::vector<std::byte> payload;
    };

    int ranks_;
    double next_arrival_ = 0;
    double arrival_ = 0;
    std::vector<Packet> packets_;
    std::vector<Packet> handled_;
    std::size_t used_ = 0;
};

}  // namespace narrows
