#pragma once

#include <thread>
#include <vector>

#include "calibrate/transport/tcp_connection.hpp"

namespace narrows {

/// A thread that tells the processes at the other ends of connections every second that this one lives, also while it
/// computes and sends nothing; none where there is no connection. A process that is stopped or dead, or whose link is
/// down, is silent. The connections outlive it.
std::jthread signs_of_life(std::vector<TcpConnection*> connections);

}  // namespace narrows
