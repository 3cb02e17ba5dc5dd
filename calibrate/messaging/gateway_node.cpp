#include "calibrate/messaging/gateway_node.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace narrows {

void GatewayNode::take_in(ParcelKind kind, const ParcelHead& head, const std::byte* data, std::size_t bytes,
                          bool assemble, double time) {
    if (!assemble || bytes == head.bytes) {
        ready_.push_back({kind, head, std::vector<std::byte>(data, data + bytes), time});
        return;
    }
    const auto begun = std::find_if(assembling_.begin(), assembling_.end(), [&](const Parcel& parcel) {
        return parcel.kind == kind && parcel.head.from == head.from && parcel.head.to == head.to;
    });
    const bool is_new = begun == assembling_.end();
    Parcel& parcel = is_new ? assembling_.emplace_back(Parcel{kind, head, {}, time}) : *begun;
    if (is_new) parcel.data.reserve(head.bytes);
    if (parcel.data.size() != head.offset || parcel.head.bytes != head.bytes) {
        throw MessagingError::malformed(head.from, head.to);
    }
    parcel.data.insert(parcel.data.end(), data, data + bytes);
    parcel.time = std::max(parcel.time, time);
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
std::size_t GatewayNode::index_of_first_ready() const {
    const auto before = [](const Parcel& a, const Parcel& b) {
        return std::tie(a.time, a.head.to, a.head.from) < std::tie(b.time, b.head.to, b.head.from);
    };
    return static_cast<std::size_t>(std::min_element(ready_.begin(), ready_.end(), before) - ready_.begin());
}

const Parcel* GatewayNode::first_ready() const {
    return ready_.empty() ? nullptr : &ready_[index_of_first_ready()];
}

Parcel GatewayNode::take_first_ready() {
    const std::size_t index = index_of_first_ready();
    Parcel parcel = std::move(ready_[index]);
    ready_[index] = std::move(ready_.back());
    ready_.pop_back();
    return parcel;
}

bool GatewayNode::take_descriptor(int from, int to, ParcelHead& found) {
    const auto at = std::find_if(descriptors_.begin(), descriptors_.end(),
                                 [=](const ParcelHead& head) { return head.from == from && head.to == to; });
    if (at == descriptors_.end()) return false;
    found = *at;
    *at = descriptors_.back();
    descriptors_.pop_back();
    return true;
}

WaitingSend* GatewayNode::find_send(int from, int to) {
    const auto at = std::find_if(sends_.begin(), sends_.end(),
                                 [=](const WaitingSend& send) { return send.head.from == from && send.head.to == to; });
    return at == sends_.end() ? nullptr : &*at;
}

void GatewayNode::keep_send(const GatewaySlot& slot, const ParcelHead& head) {
    WaitingSend send{head, slot.address, {}};
    if (slot.bytes <= most_copied_by_controller) send.copy.assign(slot.data, slot.data + slot.bytes);
    sends_.push_back(std::move(send));
}

void GatewayNode::erase_send(int from, int to) {
    std::erase_if(sends_, [=](const WaitingSend& send) { return send.head.from == from && send.head.to == to; });
}

const std::byte* GatewayNode::hold(int member, int domain, std::vector<std::byte> data) {
    held_.resize(static_cast<std::size_t>(domain));
    std::vector<std::byte>& held = held_[static_cast<std::size_t>(member)];
    held = std::move(data);
    return held.data();
}

bool GatewayNode::take_result() {
    if (ready_.empty() || ready_.back().kind != ParcelKind::result) return false;
    result = std::move(ready_.back().data);
    ready_.pop_back();
    return has_result = true;
}

}  // namespace narrows
