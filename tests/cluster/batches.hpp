#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/cluster/bed.hpp"

namespace narrows::cluster {

/// Batches for `ip` in the namespace that the program was started in: first this, then a pair of veths a link.
std::string namespaces_batch(const Bed& bed);
std::string links_batch(const Bed& bed);
/// Batches for `ip` and `tc` in a vertex's namespace: its links, address and routes, and the rates of its links.
std::string vertex_batch(const Bed& bed, int vertex);
std::string routes_batch(const Bed& bed, int vertex);  ///< part of it
std::string rates_batch(const Bed& bed, int vertex);

/// What is written to /proc/sys/net in every namespace before it has links: a path and its value.
std::vector<std::pair<std::string, std::string>> kernel_settings(const Bed& bed);

/// /etc/hosts as processes in the test-bed see it.
std::string hosts_file(const Bed& bed);

}  // namespace narrows::cluster
