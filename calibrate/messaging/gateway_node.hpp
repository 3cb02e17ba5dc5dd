#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "calibrate/messaging/gateway_memory.hpp"

namespace narrows {

/// What goes between gateways: a receiver's descriptor on its way to its sender, a message to its receiver.
enum class ParcelKind : std::uint8_t { descriptor = 1, message };

/// What stands before a parcel's data, or a piece of them, in a packet.
struct ParcelHead {
    /// The ranks between which the message goes.
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::int32_t tag = 0;
    std::int32_t unused = 0;
    /// Of all data, and where among them the piece begins.
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;
    /// Of the receiver's buffer.
    std::uint64_t capacity = 0;
};

/// A parcel, or a piece of one, at a gateway.
struct Parcel {
    ParcelKind kind = ParcelKind::descriptor;
    ParcelHead head;
    std::vector<std::byte> data;
    /// In virtual time: when it arrives, how long the gateway is busy with it, and, if it tells of what a rank wants
    /// done, the slot in which that is.
    double time = 0;
    double service = 0;
    GatewaySlot* slot = nullptr;
};

/// One end of a message that waits at the sender's gateway for the other: a receiver's descriptor or a sender's
/// message.
struct WaitingEnd {
    ParcelHead head;
    /// In virtual time: since when.
    double time = 0;
    /// Of a message, where it is, unless it is short.
    const std::byte* address = nullptr;
    std::vector<std::byte> copy = {};

    const std::byte* content() const { return head.bytes <= most_copied_by_controller ? copy.data() : address; }
};

/// What one gateway has in hand. Grows with what is on its way.
class alignas(64) GatewayNode {
  public:
    /// Takes in a piece of a parcel. If `assemble`, the parcel is ready when all pieces have come (in order); else each
    /// piece by itself.
    void take_in(ParcelKind kind, const ParcelHead& head, const std::byte* data, std::size_t bytes, bool assemble);
    /// Takes in a whole parcel.
    void take_in(Parcel&& parcel) { ready_.push_back(std::move(parcel)); }

    bool has_ready() const { return !ready_.empty(); }
    /// What has become ready since the last call; valid until the next.
    std::vector<Parcel>& take_ready();
    /// What arrived first of all that is ready; nullptr when there is nothing.
    Parcel* first_ready();
    /// Takes out what `first_ready` showed.
    Parcel take_ready(Parcel* shown);

    /// The receive at `to` that waits for a message from `from`, or nullptr.
    WaitingEnd* find_descriptor(int from, int to) { return find(descriptors_, from, to); }
    void keep_descriptor(const ParcelHead& head, double time) { descriptors_.push_back({head, time}); }
    void erase_descriptor(WaitingEnd* found) { erase(descriptors_, found); }
    /// The send that waits for this descriptor, or nullptr.
    WaitingEnd* find_send(int from, int to) { return find(sends_, from, to); }
    /// Keeps a send that is in a slot, so that the slot can be given back.
    void keep_send(const GatewaySlot& slot, const ParcelHead& head, double time);
    void erase_send(WaitingEnd* found) { erase(sends_, found); }

    /// Keeps a message until its rank, the `member`th of the domain, has copied it; it then has another.
    const std::byte* hold(int member, int domain, std::vector<std::byte> data);

  private:
    static WaitingEnd* find(std::vector<WaitingEnd>& ends, int from, int to);
    static void erase(std::vector<WaitingEnd>& ends, WaitingEnd* found) {
        ends.erase(ends.begin() + (found - ends.data()));
    }

    std::vector<Parcel> assembling_;
    std::vector<Parcel> ready_;
    std::vector<Parcel> taken_;
    std::vector<WaitingEnd> descriptors_;
    std::vector<WaitingEnd> sends_;
    std::vector<std::vector<std::byte>> held_;
};

}  // namespace narrows
