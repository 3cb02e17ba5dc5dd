#include "calibrate/messaging/gateway_node.hpp"

#include <algorithm>
#include <tuple>

namespace narrows {

void GatewayNode::take_in(ParcelKind kind, const ParcelHead& head, const std::byte* data, std::size_t bytes,
                          bool assemble) {
    if (!assemble || bytes == head.bytes) {
        ready_.push_back({kind, head, std::vector<std::byte>(data, data + bytes), 0, 0, nullptr});
        return;
    }
    const auto begun = std::ranges::find_if(assembling_, [&](const Parcel& parcel) {
        return parcel.kind == kind && parcel.head.from == head.from && parcel.head.to == head.to;
    });
    const bool is_new = begun == assembling_.end();
    Parcel& parcel = is_new ? assembling_.emplace_back(Parcel{kind, head, {}, 0, 0, nullptr}) : *begun;
    if (is_new) parcel.data.reserve(head.bytes);
    if (parcel.data.size() != head.offset || parcel.head.bytes != head.bytes) {
        throw MessagingError::malformed(head.from, head.to);
    }
    parcel.data.insert(parcel.data.end(), data, data + bytes);
    if (parcel.data.size() != head.bytes) return;
    ready_.push_back(std::move(parcel));
    ready_.back().head.offset = 0;
    std::swap(parcel, assembling_.back());
    assembling_.pop_back();
}

std::vector<Parcel>& GatewayNode::take_ready() {
    taken_.clear();
    taken_.swap(ready_);
    return taken_;
}

// Of those that arrived at once, what is for the first rank.
Parcel* GatewayNode::first_ready() {
    const auto before = [](const Parcel& a, const Parcel& b) {
        return std::tie(a.time, a.head.to, a.head.from) < std::tie(b.time, b.head.to, b.head.from);
    };
    const auto first = std::ranges::min_element(ready_, before);
    return first == ready_.end() ? nullptr : &*first;
}

Parcel GatewayNode::take_ready(Parcel* shown) {
    Parcel parcel = std::move(*shown);
    if (shown != &ready_.back()) *shown = std::move(ready_.back());
    ready_.pop_back();
    return parcel;
}

WaitingEnd* GatewayNode::find(std::vector<WaitingEnd>& ends, int from, int to) {
    const auto at =
        std::ranges::find_if(ends, [=](const WaitingEnd& end) { return end.head.from == from && end.head.to == to; });
    return at == ends.end() ? nullptr : &*at;
}

void GatewayNode::keep_send(const GatewaySlot& slot, const ParcelHead& head, double time) {
    WaitingEnd& send = sends_.emplace_back(WaitingEnd{head, time, slot.address});
    if (slot.bytes <= most_copied_by_controller) send.copy.assign(slot.data, slot.data + slot.bytes);
}

const std::byte* GatewayNode::hold(int member, int domain, std::vector<std::byte> data) {
    held_.resize(static_cast<std::size_t>(domain));
    std::vector<std::byte>& held = held_[static_cast<std::size_t>(member)];
    held = std::move(data);
    return held.data();
}

}  // namespace narrows
