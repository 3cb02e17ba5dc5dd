#pragma once

#include "topologies/routes/traffic.hpp"

namespace narrows::cluster {

/// Sends what `traffic` says over TCP, a connection a demand, all at once, as rank `rank` of a process a host: `bytes`
/// for a demand of 1. All ranks start together and end when all has arrived; returns the seconds between, as rank 0 saw
/// them (others: 0). Throws std::runtime_error when a host does not come or leaves.
double send_streams(const Traffic& traffic, double bytes, int rank);

/// What `send_streams` gives a connection: whole bytes.
double stream_bytes(double amount, double bytes);

}  // namespace narrows::cluster
