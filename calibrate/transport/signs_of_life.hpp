#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "calibrate/transport/tcp_connection.hpp"

namespace narrows {

/// A thread that tells the processes at the other ends of connections every second that this one lives, also while it
/// computes and sends nothing. A process that is stopped or dead, or whose link is down, is silent.
class SignsOfLife {
  public:
    /// The connections outlive it.
    explicit SignsOfLife(std::vector<TcpConnection*> connections);
    ~SignsOfLife();
    SignsOfLife(const SignsOfLife&) = delete;
    SignsOfLife& operator=(const SignsOfLife&) = delete;

  private:
    void run();

    std::vector<TcpConnection*> connections_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;
    std::thread thread_;
};

}  // namespace narrows
