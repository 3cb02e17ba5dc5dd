#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "calibrate/messaging/matched_messages.hpp"
#include "worlds.hpp"

using namespace narrows;

// What a peer could send that no protocol of ours sends: it must be an error of the peer, before anything is written.
namespace {

/// Rank 1 with its protocol, and a peer that puts packets of its own making on the line.
class Victim {
  public:
    Victim() : rings_({2, 2}), peer_(rings_, 0), own_(rings_, 1), messages_(own_, {2, 2}) {}

    /// What polling says of a packet of this kind.
    std::string answer_to(int kind, const std::vector<std::uint64_t>& words, std::size_t more_bytes = 0) {
        std::vector<std::byte> payload(words.size() * 8 + more_bytes);
        if (!words.empty()) std::memcpy(payload.data(), words.data(), words.size() * 8);
        const auto bytes = static_cast<std::uint32_t>(payload.size());
        REQUIRE(peer_.try_send({static_cast<std::uint8_t>(kind), 0, 1, bytes}, {payload.data(), bytes}));
        try {
            messages_.poll();
        } catch (const MessagingError& error) {
            return error.what();
        }
        return "";
    }

  private:
    SharedRings rings_;
    UnsharedEndpoint peer_;
    UnsharedEndpoint own_;
    MatchedMessages<UnsharedEndpoint> messages_;
};

// As active_message.hpp numbers them: contexts in the order in which matched_messages.hpp registers them.
constexpr int eager = 1, request = 2, acknowledgement = 3, begin_eager = 65, more = 129;
constexpr int get = 250, segment = 251;
const std::string malformed = "rank 1 cannot read a packet from rank 0: do both run the same version?";
const std::string not_exposed = "rank 0 asked for memory that rank 1 has not exposed: do both run the same version?";

}  // namespace

TEST_CASE("hostile packets: what a protocol sends itself is taken") {
    CHECK(Victim().answer_to(eager, {7}, 1024).empty());
    CHECK(Victim().answer_to(acknowledgement, {}).empty());
}

TEST_CASE("hostile packets: a payload where there is none, or a longer one than a context takes") {
    CHECK(Victim().answer_to(eager, {7}, 1025) == malformed);
    CHECK(Victim().answer_to(eager, {}, 7) == malformed);
    CHECK(Victim().answer_to(request, {7, 0, 64}, 8) == malformed);
    CHECK(Victim().answer_to(acknowledgement, {1}) == malformed);
    CHECK(Victim().answer_to(4, {7}) == malformed);
}

TEST_CASE("hostile packets: a length that nobody could keep, and data that nobody announced") {
    CHECK(Victim().answer_to(begin_eager, {std::uint64_t{1} << 60, 7}) == malformed);
    CHECK(Victim().answer_to(begin_eager, {8, 7}) == malformed);
    CHECK(Victim().answer_to(more, {1, 2}) == malformed);
}

TEST_CASE("hostile packets: memory that is not exposed is neither read nor written") {
    CHECK(Victim().answer_to(get, {5, 64, 9}) == not_exposed);
    CHECK(Victim().answer_to(segment, {5, 0}, 8) == not_exposed);
    CHECK(Victim().answer_to(get, {5}) == malformed);
    CHECK(Victim().answer_to(255, {5}) == malformed);
}

TEST_CASE("exposed memory: a token is good while it is exposed, and not after") {
    ExposedMemory memory;
    std::array<std::byte, 16> data{};
    const std::uint64_t first = memory.add(3, data.data(), 8);
    CHECK(memory.find(first)->rank == 3);
    CHECK(memory.find(first)->bytes == 8);
    memory.remove(first);
    CHECK(memory.find(first) == nullptr);
    const std::uint64_t second = memory.add(4, data.data(), 16);
    CHECK(second != first);
    CHECK(memory.find(first) == nullptr);
    CHECK(memory.find(second)->rank == 4);
    CHECK(memory.find(12345) == nullptr);
}
