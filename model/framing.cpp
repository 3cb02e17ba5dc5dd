#include "model/framing.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace narrows {
namespace {

Data packet_bytes(const Framing& framing, Data part) {
    return (rounded_up(framing.header + part, framing.granule) + framing.gap) * framing.code;
}

}  // namespace

Data rounded_up(Data value, Data granule) {
    if (granule.si() <= 0) return value;
    return granule * std::ceil(value / granule);
}

Data free_payload(const Framing& framing) {
    if (framing.granule.si() <= 0) return Data();
    const double granules = std::floor(framing.header / framing.granule) + 1;
    return framing.granule * granules - framing.header;
}

Data wire_bytes(const Framing& framing, Data payload) {
    if (framing.packet.si() <= 0) return packet_bytes(framing, payload);
    const Data room = framing.packet - framing.header;
    if (room.si() <= 0) throw std::logic_error("a packet must be larger than its header");
    const double full = std::max(0.0, std::ceil(payload / room) - 1);
    return packet_bytes(framing, room) * full + packet_bytes(framing, payload - room * full);
}

int items_fitting(const Framing& framing, Data item, int most) {
    if (most < 1 || item.si() <= 0) throw std::logic_error("a packet holds at least one item of at least one byte");
    if (framing.packet.si() <= 0) return most;
    const double room = std::floor((framing.packet - framing.header) / item);
    return static_cast<int>(std::clamp(room, 1.0, static_cast<double>(most)));
}

int items_per_packet(const Framing& framing, Data item, int most) {
    const int fitting = items_fitting(framing, item, most);
    for (int items = fitting; items >= 1; --items) {
        const Data size = framing.header + item * items;
        if (rounded_up(size, framing.granule) == size) return items;
    }
    return fitting;
}

}  // namespace narrows
