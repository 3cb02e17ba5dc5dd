#include "calibrate/transport/job_secret.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "calibrate/transport/open_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

static_assert(sizeof(Proof) == crypto_auth_hmacsha256_BYTES);

void start_library() {
    if (sodium_init() < 0) throw std::runtime_error("libsodium found no source of random numbers on this system");
}

unsigned char* bytes_of(std::byte* data) {
    return reinterpret_cast<unsigned char*>(data);
}
const unsigned char* bytes_of(const std::byte* data) {
    return reinterpret_cast<const unsigned char*>(data);
}

[[noreturn]] void refuse_file(const std::string& path, const std::string& why) {
    throw InputError(fmt::format("secret file {} {}", path, why));
}

std::vector<std::byte> read_all(const OpenFile& file, const std::string& path) {
    std::vector<std::byte> bytes(JobSecret::most_bytes + 2);
    std::size_t got = 0;
    while (got < bytes.size()) {
        const ssize_t now = read(file.descriptor(), &bytes[got], bytes.size() - got);
        if (now < 0 && errno == EINTR) continue;
        if (now < 0) refuse_file(path, "cannot be read: " + std::generic_category().message(errno));
        if (now == 0) break;
        got += static_cast<std::size_t>(now);
    }
    bytes.resize(got);
    return bytes;
}

}  // namespace

Nonce fresh_nonce() {
    start_library();
    Nonce nonce;
    randombytes_buf(nonce.data(), nonce.size());
    return nonce;
}

JobSecret JobSecret::random() {
    const Nonce bytes = fresh_nonce();
    return of(bytes);
}

JobSecret JobSecret::from_file(const std::string& path) {
    const OpenFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!file || fstat(file.descriptor(), &status) != 0) {
        refuse_file(path, "cannot be opened: " + std::generic_category().message(errno));
    }
    if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        refuse_file(path, fmt::format("is readable by other users: chmod 600 {}", path));
    }
    std::vector<std::byte> bytes = read_all(file, path);
    const auto is_newline = [](std::byte byte) { return byte == std::byte{'\n'} || byte == std::byte{'\r'}; };
    while (!bytes.empty() && is_newline(bytes.back())) bytes.pop_back();
    if (bytes.size() < least_bytes || bytes.size() > most_bytes) {
        refuse_file(path, fmt::format("must have {} to {} bytes; make one with: openssl rand -hex 32", least_bytes,
                                      most_bytes));
    }
    return of(bytes);
}

JobSecret JobSecret::of(std::span<const std::byte> bytes) {
    start_library();
    JobSecret secret;
    static_assert(sizeof secret.key_ == crypto_auth_hmacsha256_KEYBYTES);
    crypto_hash_sha256(bytes_of(secret.key_.data()), bytes_of(bytes.data()), bytes.size());
    return secret;
}

JobSecret JobSecret::bound_to(std::string_view purpose) const {
    return of(prove({std::as_bytes(std::span(purpose))}));
}

Proof JobSecret::prove(std::initializer_list<std::span<const std::byte>> message) const {
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, bytes_of(key_.data()), key_.size());
    for (const auto& piece : message) crypto_auth_hmacsha256_update(&state, bytes_of(piece.data()), piece.size());
    Proof proof;
    crypto_auth_hmacsha256_final(&state, bytes_of(proof.data()));
    return proof;
}

bool JobSecret::proves(const Proof& proof, std::initializer_list<std::span<const std::byte>> message) const {
    const Proof expected = prove(message);
    return sodium_memcmp(proof.data(), expected.data(), proof.size()) == 0;
}

}  // namespace narrows
