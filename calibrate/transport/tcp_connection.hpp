#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "calibrate/transport/frame_seal.hpp"
#include "calibrate/transport/tcp_frames.hpp"
#include "calibrate/transport/tcp_socket.hpp"

namespace narrows {

/// A connection whose stream of frames travels in records: a word with the number of bytes, the bytes, and their tag
/// where records are authenticated. Nothing of a record is handed on before its tag is proved; its number, which
/// is not sent, is part of it, so that a record that is left out, sent again or moved is refused. A record without
/// bytes is a sign of life, which another thread may send at any time. All else is called by one thread.
class TcpConnection {
  public:
    TcpConnection(Socket socket, const PeerName& peer, const FrameSeals& seals);

    bool is_open() const { return static_cast<bool>(socket_); }
    const Socket& socket() const { return socket_; }
    void close();

    /// Sends what is pending, as far as the system takes it now. False when the connection is over.
    bool send(FrameWriter& out);
    /// Whether the system has taken all of what was sent.
    bool all_sent() const { return all_sent_.load(std::memory_order_relaxed); }
    /// Whether the peer's system has acknowledged all of it, or will get no more.
    bool is_settled();
    void send_sign_of_life();
    /// Something has just gone to the peer by another way: that is a sign of life too.
    void said_elsewhere() { said_something_.store(true, std::memory_order_relaxed); }

    /// Hands what has come to `in`, and says how the connection is. Throws TransportError for what the peer cannot have
    /// sent.
    Transfer receive(FrameReader& in);
    /// Whether anything has come since it was asked last.
    bool has_spoken() { return std::exchange(spoken_, false); }

    static constexpr std::size_t most_record_bytes = std::size_t{16} << 10;

  private:
    bool push();
    void seal(std::span<const std::byte> bytes);
    void take_records(FrameReader& in);

    Socket socket_;
    PeerName peer_;
    FrameSeals seals_;
    // What is sent, by two threads.
    std::mutex sending_;
    std::vector<std::byte> record_;
    std::size_t record_begin_ = 0;
    std::size_t record_end_ = 0;
    std::uint64_t records_out_ = 0;
    std::atomic<bool> all_sent_ = true;
    std::atomic<bool> said_something_ = false;
    // What comes.
    std::vector<std::byte> come_;
    std::size_t come_begin_ = 0;
    std::size_t come_end_ = 0;
    std::uint64_t records_in_ = 0;
    bool spoken_ = false;
};

}  // namespace narrows
