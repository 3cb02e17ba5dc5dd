#include "calibrate/transport/tcp_connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace narrows {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);
constexpr std::size_t come_bytes = std::size_t{64} << 10;

}  // namespace

TcpConnection::TcpConnection(Socket socket, const PeerName& peer, const FrameSeals& seals)
    : socket_(std::move(socket)),
      peer_(peer),
      seals_(seals),
      record_(word_bytes + most_record_bytes + FrameSeal::tag_bytes),
      come_(come_bytes) {}

void TcpConnection::close() {
    const std::lock_guard lock(sending_);
    socket_.close();
}

void TcpConnection::seal(std::span<const std::byte> bytes) {
    const std::uint64_t word = bytes.size();
    std::memcpy(record_.data(), &word, word_bytes);
    if (!bytes.empty()) std::memcpy(record_.data() + word_bytes, bytes.data(), bytes.size());
    all_sent_.store(false, std::memory_order_relaxed);
    record_begin_ = 0;
    record_end_ = word_bytes + bytes.size();
    const std::uint64_t number = records_out_++;
    if (!seals_.out) return;
    seals_.out->seal(number, {record_.data(), record_end_}, record_.data() + record_end_);
    record_end_ += FrameSeal::tag_bytes;
}

// False when the connection is over.
bool TcpConnection::push() {
    if (record_begin_ == record_end_) return true;
    const Transfer sent = send_some(socket_, std::span(record_).subspan(record_begin_, record_end_ - record_begin_));
    record_begin_ += sent.bytes;
    all_sent_.store(record_begin_ == record_end_, std::memory_order_relaxed);
    return sent.state != Transfer::State::over;
}

bool TcpConnection::send(FrameWriter& out) {
    const std::lock_guard lock(sending_);
    for (;;) {
        if (!push()) return false;
        if (record_begin_ != record_end_ || out.pending().empty()) return true;
        const auto bytes = out.pending().first(std::min(out.pending().size(), most_record_bytes));
        seal(bytes);
        out.consume(bytes.size());
        said_something_ = true;
    }
}

bool TcpConnection::is_settled() {
    const std::lock_guard lock(sending_);
    const bool is_over = send_some(socket_, {}).state == Transfer::State::over;
    return is_over || (record_begin_ == record_end_ && unacknowledged(socket_) == 0);
}

void TcpConnection::send_sign_of_life() {
    // Who holds it is sending.
    const std::unique_lock lock(sending_, std::try_to_lock);
    if (!lock || !socket_) return;
    // That the connection is over is seen by who reads from it.
    if (!push() || said_something_.exchange(false) || record_begin_ != record_end_) return;
    seal({});
    push();
}

Transfer TcpConnection::receive(FrameReader& in) {
    std::memmove(come_.data(), come_.data() + come_begin_, come_end_ - come_begin_);
    come_end_ -= come_begin_;
    come_begin_ = 0;
    const Transfer received = receive_some(socket_, std::span(come_).subspan(come_end_));
    if (received.bytes == 0) return received;
    come_end_ += received.bytes;
    spoken_ = true;
    take_records(in);
    return received;
}

void TcpConnection::take_records(FrameReader& in) {
    const std::size_t tag_bytes = seals_.in ? FrameSeal::tag_bytes : 0;
    while (come_end_ - come_begin_ >= word_bytes) {
        const std::byte* const record = come_.data() + come_begin_;
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, record, word_bytes);
        if (bytes > most_record_bytes) {
            if (seals_.in) throw TransportError::not_authentic(peer_);
            throw TransportError::not_a_packet(peer_, fmt::format("a record of {} bytes", bytes));
        }
        const std::size_t whole = word_bytes + bytes;
        if (come_end_ - come_begin_ < whole + tag_bytes) return;
        if (seals_.in && !seals_.in->proves(record + whole, records_in_, {record, whole})) {
            throw TransportError::not_authentic(peer_);
        }
        ++records_in_;
        come_begin_ += whole + tag_bytes;
        if (bytes == 0) continue;
        std::memcpy(in.space().data(), record + word_bytes, bytes);
        in.received(bytes);
    }
}

}  // namespace narrows
