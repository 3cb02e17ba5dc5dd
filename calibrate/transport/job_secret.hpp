#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace narrows {

/// Random bytes that are used once, so that an old proof proves nothing.
using Nonce = std::array<std::byte, 32>;
using Proof = std::array<std::byte, 32>;

/// Random bytes from the operating system.
Nonce fresh_nonce();

/// What the processes of a job know and nobody else does. It is proved, never sent: a proof is the HMAC-SHA-256 of both
/// sides' nonces under the secret. Of the well-kept libraries libsodium is the smallest that has this, with a
/// comparison in constant time; the kernel's own (AF_ALG) is not there in every container.
class JobSecret {
  public:
    static constexpr std::size_t least_bytes = 16;
    static constexpr std::size_t most_bytes = 4096;

    /// A new one, for the processes of one machine that inherit it.
    static JobSecret random();
    /// The bytes of a file, but for newlines at its end. Throws InputError when it cannot be read, has fewer than
    /// `least_bytes` or more than `most_bytes`, or may be read by others than its owner.
    static JobSecret from_file(const std::string& path);
    /// The secret that `bytes` are, of any number.
    static JobSecret of(std::span<const std::byte> bytes);

    /// The secret of those who know this one and mean to do the same.
    JobSecret bound_to(std::string_view purpose) const;

    /// The proof for these pieces of a message, in this order. Pieces of one kind of message have fixed sizes.
    Proof prove(std::initializer_list<std::span<const std::byte>> message) const;
    /// Whether `proof` is that of the message; takes equally long for every wrong one.
    bool proves(const Proof& proof, std::initializer_list<std::span<const std::byte>> message) const;

  private:
    JobSecret() = default;
    std::array<std::byte, 32> key_{};
};

}  // namespace narrows
