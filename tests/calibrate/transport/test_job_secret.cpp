#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "calibrate/transport/job_secret.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text));
}

JobSecret secret_of(const std::string& text) {
    return JobSecret::of(bytes_of(text));
}

/// A file that only its owner may read, gone in the end.
struct SecretFile {
    explicit SecretFile(const std::string& text) {
        char name[] = "/tmp/narrows-secret-XXXXXX";
        close(mkstemp(name));
        path = name;
        std::ofstream(path) << text;
    }
    ~SecretFile() { std::remove(path.c_str()); }
    SecretFile(const SecretFile&) = delete;
    SecretFile& operator=(const SecretFile&) = delete;
    std::string path;
};

}  // namespace

TEST_CASE("secret: a proof is the HMAC-SHA-256 of the message under the secret's hash") {
    // Computed by Python: hmac.new(sha256(b'sixteen bytes ok').digest(), b'narrows', 'sha256').hexdigest()
    const Proof proof = secret_of("sixteen bytes ok").prove({bytes_of("nar"), bytes_of("rows")});
    std::string hexadecimal;
    for (const std::byte byte : proof) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(byte));
        hexadecimal += digits;
    }
    CHECK(hexadecimal == "9c30350658a42711d256911b15876242c74d242683f2b3fc1e97894dfe270555");
}

TEST_CASE("secret: a proof holds for its message and secret alone") {
    const JobSecret secret = secret_of("sixteen bytes ok");
    Proof proof = secret.prove({bytes_of("message")});
    CHECK(secret.proves(proof, {bytes_of("message")}));
    CHECK_FALSE(secret.proves(proof, {bytes_of("massage")}));
    CHECK_FALSE(secret_of("sixteen bytes no").proves(proof, {bytes_of("message")}));
    CHECK_FALSE(JobSecret::random().proves(JobSecret::random().prove({bytes_of("message")}), {bytes_of("message")}));
    proof.back() ^= std::byte{1};
    CHECK_FALSE(secret.proves(proof, {bytes_of("message")}));
}

TEST_CASE("secret: no nonce comes twice") {
    CHECK(fresh_nonce() != fresh_nonce());
}

TEST_CASE("secret: read from a file but for its last newline") {
    const SecretFile file("sixteen bytes ok\n");
    const Proof proof = JobSecret::from_file(file.path).prove({bytes_of("message")});
    CHECK(secret_of("sixteen bytes ok").proves(proof, {bytes_of("message")}));
}

TEST_CASE("secret: a file that is missing, open to others, too short or too long is refused with the remedy") {
    const auto refuses = [](const std::string& path, const std::string& why) {
        CHECK_THROWS_AS(JobSecret::from_file(path), InputError);
        CHECK_THROWS_WITH(JobSecret::from_file(path), "secret file " + path + " " + why);
    };
    const std::string size = "must have 16 to 4096 bytes; make one with: openssl rand -hex 32";
    refuses("/nowhere/at/all", "cannot be opened: No such file or directory");
    refuses("/", "is readable by other users: chmod 600 /");
    refuses(SecretFile("fifteen bytes.\n").path + "gone", "cannot be opened: No such file or directory");
    const SecretFile short_one("fifteen bytes 5\n");
    refuses(short_one.path, size);
    const SecretFile long_one(std::string(5000, 'x'));
    refuses(long_one.path, size);
    const SecretFile open_one("sixteen bytes ok\n");
    chmod(open_one.path.c_str(), 0644);
    refuses(open_one.path, "is readable by other users: chmod 600 " + open_one.path);
}
