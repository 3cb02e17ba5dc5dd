#include "calibrate/transport/signs_of_life.hpp"

#include <chrono>
#include <utility>

namespace narrows {

SignsOfLife::SignsOfLife(std::vector<TcpConnection*> connections) : connections_(std::move(connections)) {
    if (!connections_.empty()) thread_ = std::thread([this] { run(); });
}

SignsOfLife::~SignsOfLife() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        end_ = true;
    }
    ended_.notify_all();
    thread_.join();
}

void SignsOfLife::run() {
    constexpr std::chrono::seconds between(1);
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, between, [this] { return end_; })) {
        for (TcpConnection* const connection : connections_) connection->send_sign_of_life();
    }
}

}  // namespace narrows
