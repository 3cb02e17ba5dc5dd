#include "tests/cluster/stream_traffic.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "tests/cluster/bed.hpp"

namespace narrows::cluster {
namespace {

constexpr int control_port = 7200;
constexpr int data_port = 7201;
using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& doing) {
    throw std::system_error(errno, std::generic_category(), doing);
}

/// A socket that closes itself.
class Connection {
  public:
    explicit Connection(int file) : file_(file) {
        if (file < 0) fail("cannot make a connection");
    }
    Connection(Connection&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    Connection& operator=(Connection&&) = delete;
    ~Connection() {
        if (file_ >= 0) close(file_);
    }
    int file() const { return file_; }

  private:
    int file_;
};

sockaddr_in place_of(int host, int port) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    inet_pton(AF_INET, host_address(host).c_str(), &place.sin_addr);
    return place;
}

Connection listen_as(int host, int port) {
    Connection listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int yes = 1;
    setsockopt(listener.file(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const sockaddr_in place = place_of(host, port);
    if (bind(listener.file(), reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0 ||
        listen(listener.file(), SOMAXCONN) != 0) {
        fail(fmt::format("cannot listen at {}", host_address(host)));
    }
    return listener;
}

Connection connect_to(int host, int port) {
    constexpr std::chrono::seconds to_come{30};
    const auto deadline = Clock::now() + to_come;
    const sockaddr_in place = place_of(host, port);
    for (;;) {
        Connection made(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (connect(made.file(), reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0) return made;
        if (Clock::now() > deadline) fail(fmt::format("{} does not answer", host_address(host)));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

Connection accept_from(const Connection& listener) {
    return Connection(accept4(listener.file(), nullptr, nullptr, SOCK_CLOEXEC));
}

/// Rank 0 and the others meet: each sends it a byte, then it sends each one.
class Meeting {
  public:
    Meeting(int rank, int ranks) {
        if (rank == 0) {
            const Connection listener = listen_as(0, control_port);
            for (int i = 1; i < ranks; ++i) others_.push_back(accept_from(listener));
        } else {
            others_.push_back(connect_to(0, control_port));
        }
        first_ = rank == 0;
    }

    void meet() const {
        for (const bool come : {first_, !first_}) {
            for (const Connection& other : others_) come ? receive(other) : send_byte(other);
        }
    }

  private:
    static void receive(const Connection& from) {
        char byte = 0;
        if (recv(from.file(), &byte, 1, MSG_WAITALL) != 1) throw std::runtime_error("a host has left");
    }
    static void send_byte(const Connection& to) {
        const char byte = 0;
        if (send(to.file(), &byte, 1, MSG_NOSIGNAL) != 1) throw std::runtime_error("a host has left");
    }

    std::vector<Connection> others_;
    bool first_ = false;
};

struct Stream {
    Connection connection;
    bool out = false;
    double left = 0;  ///< bytes; of a stream that comes it is only known for all together
};

std::vector<Demand> listed(const Traffic& traffic) {
    std::vector<Demand> demands = traffic.demands;
    for (int source = 0; source < traffic.hosts && traffic.each > 0; ++source) {
        for (int target = 0; target < traffic.hosts; ++target) {
            if (source != target) demands.push_back({source, target, traffic.each});
        }
    }
    return demands;
}

/// Moves all that these streams have to send and `to_come` bytes that come.
void move_all(const std::vector<Stream>& given, double to_come) {
    std::vector<char> buffer(1 << 16);
    std::vector<pollfd> polled;
    std::vector<double> left;
    double to_go = 0;
    for (const Stream& stream : given) {
        polled.push_back({stream.connection.file(), static_cast<short>(stream.out ? POLLOUT : POLLIN), 0});
        left.push_back(stream.left);
        to_go += stream.left;
    }
    while (to_go + to_come > 0) {
        constexpr int most_silence = 60'000;
        const int ready = poll(polled.data(), polled.size(), most_silence);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) throw std::runtime_error("nothing has moved for 60 s");
        for (std::size_t i = 0; i < polled.size(); ++i) {
            if (polled[i].revents == 0) continue;
            const bool out = given[i].out;
            const std::size_t most = out ? static_cast<std::size_t>(std::min<double>(left[i], 16'384)) : buffer.size();
            const ssize_t moved = out ? send(polled[i].fd, buffer.data(), most, MSG_DONTWAIT | MSG_NOSIGNAL)
                                      : recv(polled[i].fd, buffer.data(), most, MSG_DONTWAIT);
            if (moved < 0 && (errno == EAGAIN || errno == EINTR)) continue;
            if (moved <= 0) throw std::runtime_error("a host has left");
            (out ? to_go : to_come) -= static_cast<double>(moved);
            left[i] -= static_cast<double>(moved);
            if (out && left[i] <= 0) polled[i].fd = -1;  // poll leaves it out from here on
        }
    }
}

}  // namespace

double stream_bytes(double amount, double bytes) {
    return std::max(1.0, std::round(amount * bytes));
}

double send_streams(const Traffic& traffic, double bytes, int rank) {
    const Connection listener = listen_as(rank, data_port);
    const Meeting meeting(rank, traffic.hosts);
    meeting.meet();
    std::vector<Stream> streams;
    double to_come = 0;
    std::size_t come = 0;
    for (const Demand& demand : listed(traffic)) {
        const double size = stream_bytes(demand.amount, bytes);
        if (demand.source == rank) streams.push_back({connect_to(demand.target, data_port), true, size});
        if (demand.target == rank) to_come += size, ++come;
    }
    for (std::size_t i = 0; i < come; ++i) streams.push_back({accept_from(listener), false, 0});
    meeting.meet();
    const auto begin = Clock::now();
    move_all(streams, to_come);
    meeting.meet();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    meeting.meet();  // nobody leaves before all know
    return rank == 0 ? seconds : 0;
}

}  // namespace narrows::cluster
