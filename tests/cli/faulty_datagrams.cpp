// Loaded before the C library: of a hundred datagrams that are sent one is lost, one sent twice, and one sent behind
// the next one.
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace {

std::minstd_rand& dice() {
    static std::minstd_rand dice(static_cast<unsigned>(getpid()));
    return dice;
}

struct Held {
    std::vector<char> bytes;
    sockaddr_storage to{};
    socklen_t to_bytes = 0;
};

Held& held() {
    static Held held;
    return held;
}

long send(int socket, const msghdr& message, int flags) {
    return syscall(SYS_sendmsg, socket, &message, flags);
}

void hold(const msghdr& message) {
    const iovec& piece = message.msg_iov[0];
    const auto* const bytes = static_cast<const char*>(piece.iov_base);
    held().bytes.assign(bytes, bytes + piece.iov_len);
    std::memcpy(&held().to, message.msg_name, message.msg_namelen);
    held().to_bytes = message.msg_namelen;
}

void send_held(int socket, int flags) {
    if (held().bytes.empty()) return;
    syscall(SYS_sendto, socket, held().bytes.data(), held().bytes.size(), flags, &held().to, held().to_bytes);
    held().bytes.clear();
}

}  // namespace

extern "C" int sendmmsg(int socket, mmsghdr* messages, unsigned count, int flags) {
    for (unsigned i = 0; i < count; ++i) {
        const msghdr& message = messages[i].msg_hdr;
        const std::uint64_t fault = dice()() % 100;
        if (fault == 0) continue;
        if (fault == 1 && held().bytes.empty()) {
            hold(message);
            continue;
        }
        if (send(socket, message, flags) < 0) return i == 0 ? -1 : static_cast<int>(i);
        if (fault == 2) send(socket, message, flags);
        send_held(socket, flags);
    }
    return static_cast<int>(count);
}
