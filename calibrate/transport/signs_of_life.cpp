#include "calibrate/transport/signs_of_life.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

namespace narrows {

std::jthread signs_of_life(std::vector<TcpConnection*> connections) {
    if (connections.empty()) return {};
    return std::jthread([connections = std::move(connections)](const std::stop_token& end) {
        constexpr std::chrono::seconds between(1);
        std::mutex mutex;
        std::condition_variable_any ended;
        std::unique_lock lock(mutex);
        for (;;) {
            ended.wait_for(lock, end, between, [] { return false; });
            if (end.stop_requested()) return;
            for (TcpConnection* const connection : connections) connection->send_sign_of_life();
        }
    });
}

}  // namespace narrows
