#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "calibrate/transport/packet.hpp"

namespace narrows {

/// The n-th packet from one rank to another: random, but the same for both.
class NumberedPackets {
  public:
    NumberedPackets(int from, int to) : random_(static_cast<std::uint64_t>(from) * 1000 + static_cast<unsigned>(to)) {}

    const std::vector<std::byte>& next() {
        const std::uint64_t dice = random_();
        data_.resize(dice % 20 == 0 ? random_() % (most_packet_bytes + 1) : random_() % 100);
        for (std::size_t i = 0; i < data_.size(); ++i) data_[i] = static_cast<std::byte>((dice >> 8) + i * 37);
        return data_;
    }
    std::uint8_t kind() const { return static_cast<std::uint8_t>(1 + data_.size() % 254); }

  private:
    std::mt19937_64 random_;
    std::vector<std::byte> data_;
};

/// Checks the packets that come to a process.
class NumberedCheck {
  public:
    NumberedCheck(int me, int ranks) : me_(me) {
        for (int from = 0; from < ranks; ++from) in_.emplace_back(from, me);
    }
    void operator()(PacketHeader header, const std::byte* payload) {
        NumberedPackets& from = in_[static_cast<std::size_t>(header.from)];
        const std::vector<std::byte>& expected = from.next();
        const bool right = header.to == me_ && header.bytes == expected.size() && header.kind == from.kind() &&
                           reinterpret_cast<std::uintptr_t>(payload) % 8 == 0 &&
                           std::equal(expected.begin(), expected.end(), payload);
        wrong_ += right ? 0 : 1;
        ++received_;
    }
    std::uint32_t received() const { return received_; }
    std::uint32_t wrong() const { return wrong_; }

  private:
    int me_;
    std::vector<NumberedPackets> in_;
    std::uint32_t received_ = 0;
    std::uint32_t wrong_ = 0;
};

/// Sends `packets` packets from this process to all others and itself in turn, while it checks those that all send to
/// it. One rank a process. Returns `all N` when N came, each of them right.
template <class Endpoint, class Waiter>
std::string exchange_numbered(Endpoint& endpoint, std::uint32_t packets, Waiter& waiter) {
    const int me = endpoint.process();
    const auto ranks = static_cast<std::uint32_t>(endpoint.processes());
    std::vector<NumberedPackets> out;
    for (int to = 0; to < endpoint.processes(); ++to) out.emplace_back(me, to);
    NumberedCheck check(me, endpoint.processes());
    // Each sends as many to every rank, so that as many come.
    const std::uint32_t all = packets / ranks * ranks;
    for (std::uint32_t sent = 0; sent < all; ++sent) {
        const auto to = static_cast<int>(sent % ranks);
        NumberedPackets& stream = out[static_cast<std::size_t>(to)];
        const std::vector<std::byte>& data = stream.next();
        const auto bytes = static_cast<std::uint32_t>(data.size());
        const std::uint32_t head = bytes / 4;
        const PacketHeader header{stream.kind(), me, to, bytes};
        while (!endpoint.try_send(header, {data.data(), head, data.data() + head, bytes - head})) {
            waiter.yield(endpoint.poll(check));
        }
    }
    while (check.received() < all) waiter.yield(endpoint.poll(check));
    if (check.wrong() != 0) return std::to_string(check.wrong()) + " wrong";
    return "all " + std::to_string(check.received());
}

}  // namespace narrows
