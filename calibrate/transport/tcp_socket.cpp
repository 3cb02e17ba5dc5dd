#include "calibrate/transport/tcp_socket.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <thread>

#include "calibrate/transport/transport_error.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Milliseconds = std::chrono::milliseconds;

/// The address that `find`, a function of the system, tells of one end of it.
HostPort address_of_end(const Socket& socket, decltype(&getsockname) find) {
    sockaddr_storage storage{};
    socklen_t length = sizeof storage;
    auto* const address = reinterpret_cast<sockaddr*>(&storage);
    find(socket.descriptor(), address, &length);
    char host[NI_MAXHOST] = {};
    char port[NI_MAXSERV] = {};
    getnameinfo(address, length, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    return {host, static_cast<std::uint16_t>(std::strtoul(port, nullptr, 10))};
}

Socket socket_for(const addrinfo& address) {
    return Socket(socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol));
}

void set(const Socket& socket, int level, int option, int value) {
    setsockopt(socket.descriptor(), level, option, &value, sizeof value);
}

/// Packets leave at once, and the silence of a host that has failed ends the connection in the end. `TcpEndpoint` names
/// silent hosts sooner, and knows that answers may wait for seconds in queues of slow links.
void make_ready(const Socket& socket) {
    set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
    set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(socket, IPPROTO_TCP, TCP_KEEPIDLE, 1);
    set(socket, IPPROTO_TCP, TCP_KEEPINTVL, 1);
    set(socket, IPPROTO_TCP, TCP_KEEPCNT, 30);
}

/// Waits for an event; false when the deadline has passed.
bool wait_for(const Socket& socket, short events, Deadline deadline) {
    const auto left = std::chrono::ceil<Milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left <= Milliseconds::zero()) return false;
    pollfd waited{socket.descriptor(), events, 0};
    ::poll(&waited, 1, static_cast<int>(std::min<Milliseconds::rep>(left.count(), 1000)));
    return true;
}

/// 0 when connected, else why not.
int try_to_connect(const Socket& socket, const addrinfo& address, Deadline deadline) {
    if (connect(socket.descriptor(), address.ai_addr, address.ai_addrlen) == 0) return 0;
    if (errno != EINPROGRESS) return errno;
    pollfd waited{socket.descriptor(), POLLOUT, 0};
    while (waited.revents == 0) {
        if (!wait_for(socket, POLLOUT, deadline)) return ETIMEDOUT;
        ::poll(&waited, 1, 0);
    }
    int failure = 0;
    socklen_t length = sizeof failure;
    getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &failure, &length);
    return failure;
}

Transfer transfer_of(ssize_t moved) {
    if (moved >= 0) return {Transfer::State::moved, static_cast<std::size_t>(moved), 0};
    const bool later = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ENOBUFS;
    return {later ? Transfer::State::nothing_now : Transfer::State::over, 0, later ? 0 : errno};
}

}  // namespace

Deadline seconds_from_now(double seconds) {
    return std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

HostPort HostPort::parse(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    HostPort address;
    bool good = colon != std::string::npos && colon != 0;
    if (good) {
        address.host = text.substr(0, colon);
        const char* const end = text.data() + text.size();
        const auto [stop, failure] = std::from_chars(text.data() + colon + 1, end, address.port);
        good = failure == std::errc() && stop == end && address.port != 0;
    }
    const bool bracketed = good && address.host.front() == '[' && address.host.back() == ']';
    if (bracketed) address.host = address.host.substr(1, address.host.size() - 2);
    if (!good || address.host.empty() || bracketed != (address.host.find(':') != std::string::npos)) {
        throw InputError(
            fmt::format("'{}' is not an address: write HOST:PORT, such as 10.0.0.1:7000 or [fd00::1]:7000, with a port "
                        "from 1 to 65535",
                        text));
    }
    return address;
}

Addresses addresses_of(const HostPort& address, int kind) {
    addrinfo hints{};
    hints.ai_socktype = kind;
    hints.ai_flags = AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int failure = getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
    if (failure != 0) {
        throw InputError(fmt::format("host '{}' has no address ({}): give a name or an address that this machine knows",
                                     address.host, gai_strerror(failure)));
    }
    return {found, &freeaddrinfo};
}

std::string HostPort::text() const {
    const bool bracketed = host.find(':') != std::string::npos;
    return bracketed ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

Transfer send_some(const Socket& socket, std::span<const std::byte> bytes) {
    return transfer_of(send(socket.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

Transfer receive_some(const Socket& socket, std::span<std::byte> space) {
    Transfer transfer = transfer_of(recv(socket.descriptor(), space.data(), space.size(), 0));
    if (transfer.state == Transfer::State::moved && transfer.bytes == 0) transfer.state = Transfer::State::over;
    return transfer;
}

Socket listen_at(const HostPort& address) {
    const Addresses addresses = addresses_of(address, SOCK_STREAM);
    int failure = 0;
    for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) {
        // Of several addresses some may be of a family that this host lacks.
        Socket listener = socket_for(*one);
        if (listener) {
            set(listener, SOL_SOCKET, SO_REUSEADDR, 1);
            if (bind(listener.descriptor(), one->ai_addr, one->ai_addrlen) == 0 &&
                listen(listener.descriptor(), SOMAXCONN) == 0) {
                return listener;
            }
        }
        failure = errno;
    }
    std::string refused = TransportError::system("listen at " + address.text(), failure).what();
    if (failure == EADDRINUSE) refused += ": another job or program does, choose another port";
    if (failure == EADDRNOTAVAIL) refused += ": give an address of this host";
    throw TransportError(refused);
}

Socket accept_one(const Socket& listener) {
    Socket accepted(accept4(listener.descriptor(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!accepted && (errno == EMFILE || errno == ENFILE)) throw TransportError::system("accept a connection", errno);
    if (accepted) make_ready(accepted);
    return accepted;
}

Socket connect_to(const HostPort& address, Deadline deadline) {
    const Addresses addresses = addresses_of(address, SOCK_STREAM);
    for (int failure = 0;;) {
        for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) {
            // Of several addresses some may be of a family that this host lacks, or where nobody answers.
            Socket socket = socket_for(*one);
            failure = socket ? try_to_connect(socket, *one, std::min(deadline, seconds_from_now(2))) : errno;
            // A port that nobody listens at may be lent to this very connection, which then meets itself.
            if (failure == 0 && local_address(socket).text() == remote_address(socket).text()) failure = ECONNREFUSED;
            if (failure == 0) {
                make_ready(socket);
                return socket;
            }
        }
        std::this_thread::sleep_for(Milliseconds(20));
        if (std::chrono::steady_clock::now() > deadline) {
            throw TransportError::system("connect to " + address.text(), failure);
        }
    }
}

HostPort local_address(const Socket& socket) {
    return address_of_end(socket, &getsockname);
}

HostPort remote_address(const Socket& socket) {
    return address_of_end(socket, &getpeername);
}

bool send_all(const Socket& socket, std::span<const std::byte> bytes, Deadline deadline) {
    while (!bytes.empty()) {
        const Transfer sent = send_some(socket, bytes);
        if (sent.state == Transfer::State::over) return false;
        bytes = bytes.subspan(sent.bytes);
        if (sent.bytes == 0 && !wait_for(socket, POLLOUT, deadline)) return false;
    }
    return true;
}

bool receive_all(const Socket& socket, std::span<std::byte> space, Deadline deadline) {
    while (!space.empty()) {
        const Transfer received = receive_some(socket, space);
        if (received.state == Transfer::State::over) return false;
        space = space.subspan(received.bytes);
        if (received.bytes == 0 && !wait_for(socket, POLLIN, deadline)) return false;
    }
    return true;
}

std::size_t unacknowledged(const Socket& socket) {
    int bytes = 0;
    return ioctl(socket.descriptor(), SIOCOUTQ, &bytes) == 0 ? static_cast<std::size_t>(bytes) : 0;
}

double round_trip(const Socket& socket) {
    constexpr double micro = 1e-6;
    tcp_info seen{};
    socklen_t bytes = sizeof seen;
    if (getsockopt(socket.descriptor(), IPPROTO_TCP, TCP_INFO, &seen, &bytes) != 0) return 0;
    return seen.tcpi_rtt * micro;
}

}  // namespace narrows
