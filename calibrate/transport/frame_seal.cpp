#include "calibrate/transport/frame_seal.hpp"

#include <sodium.h>

#include <array>
#include <chrono>
#include <cstring>
#include <vector>

namespace narrows {
namespace {

static_assert(FrameSeal::tag_bytes == crypto_aead_chacha20poly1305_ietf_ABYTES);
static_assert(sizeof(Proof) == crypto_aead_chacha20poly1305_ietf_KEYBYTES);

using NumberNonce = std::array<unsigned char, crypto_aead_chacha20poly1305_ietf_NPUBBYTES>;

NumberNonce nonce_of(std::uint64_t number) {
    NumberNonce nonce{};
    std::memcpy(nonce.data(), &number, sizeof number);
    return nonce;
}

const unsigned char* raw(const std::byte* data) {
    return reinterpret_cast<const unsigned char*>(data);
}

}  // namespace

void FrameSeal::seal(std::uint64_t number, std::span<const std::byte> message, std::byte* tag) const {
    const NumberNonce nonce = nonce_of(number);
    std::array<unsigned char, 1> none{};
    crypto_aead_chacha20poly1305_ietf_encrypt_detached(none.data(), reinterpret_cast<unsigned char*>(tag), nullptr,
                                                       none.data(), 0, raw(message.data()), message.size(), nullptr,
                                                       nonce.data(), raw(key_.data()));
}

bool FrameSeal::proves(const std::byte* tag, std::uint64_t number, std::span<const std::byte> message) const {
    const NumberNonce nonce = nonce_of(number);
    std::array<unsigned char, 1> none{};
    return crypto_aead_chacha20poly1305_ietf_decrypt_detached(none.data(), nullptr, none.data(), 0, raw(tag),
                                                              raw(message.data()), message.size(), nonce.data(),
                                                              raw(key_.data())) == 0;
}

double FrameSeal::seconds(std::size_t message_bytes) {
    using Clock = std::chrono::steady_clock;
    const FrameSeal seal(fresh_nonce());
    const std::vector<std::byte> message(message_bytes);
    std::array<std::byte, tag_bytes> tag{};
    std::uint64_t number = 0;
    double least = 1;
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(2);
    // The least of many short times: an interruption is no cost of the seal.
    do {
        constexpr int together = 16;
        const Clock::time_point begin = Clock::now();
        for (int i = 0; i < together; ++i, ++number) {
            seal.seal(number, message, tag.data());
            if (!seal.proves(tag.data(), number, message)) return 0;
        }
        least = std::min(least, std::chrono::duration<double>(Clock::now() - begin).count() / together);
    } while (Clock::now() < end);
    return least;
}

}  // namespace narrows
