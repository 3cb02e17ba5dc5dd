#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "calibrate/transport/job_secret.hpp"

namespace narrows {

/// Authenticates what one process sends to another: with each message goes a tag that only those who have the key can
/// make, and that is another one for every number. ChaCha20-Poly1305 (RFC 8439) without a text to encrypt. No two
/// messages have the same number.
class FrameSeal {
  public:
    static constexpr std::size_t tag_bytes = 16;

    explicit FrameSeal(const Proof& key) : key_(key) {}

    /// Writes the tag of the message with this number to `tag`.
    void seal(std::uint64_t number, std::span<const std::byte> message, std::byte* tag) const;
    bool proves(const std::byte* tag, std::uint64_t number, std::span<const std::byte> message) const;

    /// Seconds that it takes to seal a message and to prove it, measured for some milliseconds.
    static double seconds(std::size_t message_bytes);

  private:
    Proof key_;
};

/// What two processes that have made sure of each other have in common, as one of them holds it.
struct PeerKeys {
    std::uint32_t session = 0;  ///< no secret
    Proof out{};
    Proof in{};
};

/// The seals of both directions, where there are any.
struct FrameSeals {
    std::optional<FrameSeal> out;
    std::optional<FrameSeal> in;

    FrameSeals() = default;
    FrameSeals(const PeerKeys& keys, bool authenticated) {
        if (!authenticated) return;
        out.emplace(keys.out);
        in.emplace(keys.in);
    }
};

}  // namespace narrows
