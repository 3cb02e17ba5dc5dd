#pragma once

#include <netdb.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "calibrate/transport/open_file.hpp"

namespace narrows {

/// When waiting ends.
using Deadline = std::chrono::steady_clock::time_point;

/// The moment `seconds` from now.
Deadline seconds_from_now(double seconds);

/// A TCP address.
struct HostPort {
    std::string host;
    std::uint16_t port = 0;

    /// Reads HOST:PORT, or [ADDRESS]:PORT for IPv6. Throws InputError.
    static HostPort parse(const std::string& text);
    std::string text() const;
};

/// What the system knows an address as, for sockets of this kind, such as SOCK_STREAM. Throws InputError for a host
/// that has none.
using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;
Addresses addresses_of(const HostPort& address, int kind);

/// A non-blocking socket, or none.
using Socket = OpenFile;

/// What a transfer of bytes came to: how many, none yet, or that the connection is over, by `error_number` or, if that
/// is 0, as the peer closed it.
struct Transfer {
    enum class State { moved, nothing_now, over };
    State state = State::nothing_now;
    std::size_t bytes = 0;
    int error_number = 0;
};
Transfer send_some(const Socket& socket, std::span<const std::byte> bytes);
Transfer receive_some(const Socket& socket, std::span<std::byte> space);

/// A socket that takes connections at `address`; port 0 lets the system choose. Throws TransportError.
Socket listen_at(const HostPort& address);
/// The next connection, ready for packets; none when there is none now. Throws TransportError where this process or the
/// system has no more descriptors.
Socket accept_one(const Socket& listener);
/// A connection to `address`, ready for packets; while nobody listens there it tries again. Throws TransportError when
/// the deadline passes, and InputError for a host that has no address.
Socket connect_to(const HostPort& address, Deadline deadline);

HostPort local_address(const Socket& socket);
HostPort remote_address(const Socket& socket);

/// Moves all bytes. False when the peer closes the connection or the deadline passes.
bool send_all(const Socket& socket, std::span<const std::byte> bytes, Deadline deadline);
bool receive_all(const Socket& socket, std::span<std::byte> space, Deadline deadline);

/// Bytes sent that the peer's system has not acknowledged yet.
std::size_t unacknowledged(const Socket& socket);

/// Seconds from sending to the peer to its acknowledgement, as the system has seen it lately: with all queues between.
/// 0 while it has seen none.
double round_trip(const Socket& socket);

}  // namespace narrows
