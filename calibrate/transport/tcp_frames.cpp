#include "calibrate/transport/tcp_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace narrows {
namespace {

// As much as one call of the operating system usefully moves.
constexpr std::size_t reader_bytes = std::size_t{128} << 10;
static_assert(reader_bytes >= 2 * frame_bytes(most_packet_bytes));

}  // namespace

FrameWriter::FrameWriter(std::size_t capacity) : buffer_(std::max(capacity, 4 * frame_bytes(most_packet_bytes))) {}

bool FrameWriter::make_room(std::size_t wanted) {
    const std::size_t waiting = end_ - begin_;
    // Bytes are moved once for at least as many that were sent, and never over themselves.
    if (begin_ < waiting || begin_ < wanted) return false;
    std::memcpy(buffer_.data(), buffer_.data() + begin_, waiting);
    begin_ = 0;
    end_ = waiting;
    return buffer_.size() - end_ >= wanted;
}

FrameReader::FrameReader(PeerName peer, int me) : peer_(std::move(peer)), me_(me), buffer_(reader_bytes) {}

std::span<std::byte> FrameReader::space() {
    if (begin_ != 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    return {buffer_.data() + end_, buffer_.size() - end_};
}

void FrameReader::refuse(const PacketHeader& header) const {
    throw TransportError::not_a_packet(
        peer_, fmt::format("what is no packet to rank {} (kind {}, from rank {} to rank {}, {} bytes)", me_,
                           header.kind, header.from, header.to, header.bytes));
}

}  // namespace narrows
