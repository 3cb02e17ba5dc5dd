#include <catch2/catch.hpp>
#include <chrono>
#include <cstring>
#include <vector>

#include "calibrate/transport/udp_links.hpp"
#include "tests/patience.hpp"

using namespace narrows;

namespace {

/// Two processes, 0 and 1, of one job on loopback.
struct TwoLinks {
    explicit TwoLinks(bool authenticated) {
        Socket one = datagram_socket_at({"127.0.0.1", 0}), other = datagram_socket_at({"127.0.0.1", 0});
        at = {local_address(one), local_address(other)};
        const FrameSeals near(keys, authenticated), far({77, keys.in, keys.out}, authenticated);
        links.push_back(std::make_unique<UdpLinks>(
            0, std::move(one), std::vector<UdpPeer>{{}, {{1, "there:1"}, at[1], keys.session, near}}));
        links.push_back(std::make_unique<UdpLinks>(
            1, std::move(other), std::vector<UdpPeer>{{{0, "there:0"}, at[0], keys.session, far}, {}}));
    }
    /// What has come to a process.
    void receive(std::size_t process, FrameReader& in) const {
        std::vector<int> from;
        links[process]->receive([&](int) -> FrameReader& { return in; }, from);
    }
    PeerKeys keys{77, fresh_nonce(), fresh_nonce()};  // as process 0 has them
    std::vector<HostPort> at;
    std::vector<std::unique_ptr<UdpLinks>> links;
};

/// Sends bytes to an address from nowhere in particular.
void send_stray(const HostPort& to, std::span<const std::byte> bytes) {
    const Socket socket = datagram_socket_at({"127.0.0.1", 0});
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(to.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(sendto(socket.descriptor(), bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&address),
                   sizeof address) == static_cast<ssize_t>(bytes.size()));
}

}  // namespace

TEST_CASE("UDP links: frames of all sizes come whole and in order, authenticated or not") {
    const TwoLinks two(GENERATE(true, false));
    FrameWriter out(0);
    FrameReader in({0, ""}, 1), back({1, ""}, 0);
    std::vector<std::byte> data(most_packet_bytes);
    constexpr std::uint64_t all = 5000;
    std::uint64_t sent = 0, received = 0;
    const auto begin = std::chrono::steady_clock::now();
    const Deadline end = seconds_from_now(patience);
    while ((received < all || !two.links[0]->all_acknowledged(1)) && std::chrono::steady_clock::now() < end) {
        for (; sent < all; ++sent) {
            const auto bytes = static_cast<std::uint32_t>(8 + sent * 37 % (most_packet_bytes - 8));
            std::memcpy(data.data(), &sent, 8);
            if (!out.append({1, 0, 1, bytes}, {data.data(), bytes})) break;
        }
        two.links[0]->send(1, out);
        two.receive(1, in);
        for (FrameReader::Frame frame; in.next(frame); ++received) {
            REQUIRE(std::memcmp(frame.payload, &received, 8) == 0);
        }
        two.links[1]->tend();
        two.receive(0, back);
        two.links[0]->tend();
    }
    CHECK(received == all);
    const DatagramCounters near = two.links[0]->counters(), far = two.links[1]->counters();
    CHECK(near.sent > 10000);
    // It asks after a stall of this machine, and acknowledges nothing, as nothing is sent to it.
    const auto took = std::chrono::steady_clock::now() - begin;
    CHECK(static_cast<int>(near.acknowledgements) * ReliableStream::least_timeout <= took);
    CHECK(far.sent == far.acknowledgements);
    CHECK(far.sent * ReliableStream::window > near.sent - near.resent);
}

TEST_CASE("UDP links: what belongs to no peer is left out, and what is forged ends the run") {
    const TwoLinks two(true);
    FrameReader in({0, ""}, 1);
    std::vector<std::byte> bytes(100);
    DatagramHeader header;
    const auto stray = [&](std::uint32_t session, std::uint32_t from, std::size_t size) {
        header.session = session;
        header.from = from;
        std::memcpy(bytes.data(), &header, sizeof header);
        send_stray(two.at[1], std::span(bytes).first(size));
        two.receive(1, in);
    };
    CHECK_NOTHROW(stray(76, 0, 100));
    CHECK_NOTHROW(stray(77, 1, 100));
    CHECK_NOTHROW(stray(77, 9, 100));
    CHECK_NOTHROW(stray(77, 0, 20));
    CHECK_THROWS_WITH(stray(77, 0, 100), Catch::StartsWith("a message in the name of rank 0 at there:0 is not"));
    CHECK_THROWS_WITH(stray(77, 0, 40), Catch::StartsWith("a message in the name of rank 0 at there:0 is not"));
}

TEST_CASE("UDP links: the tag of a record that went by TCP proves no datagram, whatever its number") {
    const TwoLinks two(true);
    FrameReader in({0, ""}, 1);
    DatagramHeader header;
    header.session = two.keys.session;
    std::vector<std::byte> bytes(sizeof header + FrameSeal::tag_bytes);
    std::memcpy(bytes.data(), &header, sizeof header);
    FrameSeal(two.keys.out).seal(header.number, std::span(bytes).first(sizeof header), &bytes[sizeof header]);
    send_stray(two.at[1], bytes);
    CHECK_THROWS_WITH(two.receive(1, in), Catch::StartsWith("a message in the name of rank 0 at there:0 is not"));
}
