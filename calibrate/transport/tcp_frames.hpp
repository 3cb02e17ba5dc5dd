#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "calibrate/ranks/rank_layout.hpp"
#include "calibrate/transport/packet.hpp"
#include "calibrate/transport/transport_error.hpp"

namespace narrows {

// Packets in a stream of bytes: the header's word as this processor stores it, then the payload, filled up with zeros
// to a multiple of eight, so that every payload is aligned where it is received.

/// Bytes of the stream that a packet with this payload takes.
constexpr std::size_t frame_bytes(std::size_t payload) {
    return sizeof(std::uint64_t) + ((payload + 7) & ~std::size_t{7});
}

/// The kind of frames between endpoints themselves, which no packet has. Their payload is a word.
inline constexpr PacketKind control_kind = 0;
/// The kind of frames with a part of what a process reports, behind a word with the bytes of all of it.
inline constexpr PacketKind report_kind = 255;

/// What endpoints tell each other.
struct Control {
    enum class What : std::uint8_t {
        done = 1,      ///< the sender's rank has done its work and only serves the others
        farewell = 2,  ///< nothing more will come
        loss = 3,      ///< `rank` is gone, and the sender ends
    };
    What what = What::done;
    std::uint64_t rank = 0;

    static constexpr std::uint32_t bytes = sizeof(std::uint64_t);
    std::uint64_t word() const { return rank << 8 | static_cast<std::uint64_t>(what); }
    static Control of(std::uint64_t word) { return {static_cast<What>(word & 0xff), word >> 8}; }
};

/// Packets on their way into a stream.
class FrameWriter {
  public:
    /// `capacity` bytes; raised to what four of the largest packets take.
    explicit FrameWriter(std::size_t capacity);

    /// False when there is no room now.
    bool append(PacketHeader header, const Payload& payload) {
        const std::size_t room = frame_bytes(header.bytes);
        if (buffer_.size() - end_ < room && !make_room(room)) return false;
        const std::uint64_t word = header.word();
        const std::uint64_t zero = 0;
        std::memcpy(&buffer_[end_ + room - sizeof zero], &zero, sizeof zero);
        std::memcpy(&buffer_[end_], &word, sizeof word);
        payload.copy_to(buffer_.data() + end_ + sizeof word);
        end_ += room;
        return true;
    }

    std::span<const std::byte> pending() const { return {buffer_.data() + begin_, end_ - begin_}; }
    /// The first `bytes` pending bytes have been sent.
    void consume(std::size_t bytes) {
        begin_ += bytes;
        if (begin_ == end_) begin_ = end_ = 0;
    }

  private:
    bool make_room(std::size_t wanted);

    std::vector<std::byte> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

/// Packets out of the stream of one peer. Believes nothing that it reads: a frame that is longer than a packet may be,
/// or names other ranks than the two at the ends of the stream, is an error before a byte of its payload is touched.
class FrameReader {
  public:
    struct Frame {
        PacketHeader header;
        const std::byte* payload = nullptr;
    };

    /// The stream of packets from process `peer` to process `me`, with a rank each of the same number.
    FrameReader(PeerName peer, int me);

    /// The ranks that processes have from now on.
    void use(const RankLayout& layout) { layout_ = layout; }

    /// Where the next bytes go: at least as many as the largest packet takes. Ends the life of the frames read so far.
    std::span<std::byte> space();
    void received(std::size_t bytes) { end_ += bytes; }

    /// The next packet, if all of it is there; its payload is valid until `space`. Throws TransportError for what is
    /// no packet.
    bool next(Frame& frame) {
        if (end_ - begin_ < sizeof(std::uint64_t)) return false;
        std::uint64_t word = 0;
        std::memcpy(&word, &buffer_[begin_], sizeof word);
        const PacketHeader header = PacketHeader::of(word);
        if (!acceptable(header)) refuse(header);
        const std::size_t whole = frame_bytes(header.bytes);
        if (end_ - begin_ < whole) return false;
        frame = {header, buffer_.data() + begin_ + sizeof word};
        begin_ += whole;
        return true;
    }

  private:
    bool acceptable(const PacketHeader& header) const {
        const bool fits =
            header.kind == control_kind ? header.bytes == Control::bytes : header.bytes <= most_packet_bytes;
        if (header.kind == control_kind || header.kind == report_kind || layout_.threads()) {
            return fits && header.from == peer_.rank && header.to == me_;
        }
        return fits && layout_.has(peer_.rank, header.from) && layout_.has(me_, header.to);
    }
    [[noreturn]] void refuse(const PacketHeader& header) const;

    PeerName peer_;
    int me_;
    RankLayout layout_;
    std::vector<std::byte> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace narrows
