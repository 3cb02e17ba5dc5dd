#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "topologies/graph.hpp"

namespace narrows {

/// Finds hosts by their names or, where no host has that name, by their numbers 0 … hosts−1.
class HostFinder {
  public:
    /// `names` are those of the hosts, perhaps followed by those of switches; empty when they have none.
    /// Precondition: at least one host; no names or at least as many as hosts.
    HostFinder(int hosts, const std::vector<std::string>& names);

    int hosts() const { return hosts_; }
    /// The number of the host that `word` names, or nothing.
    std::optional<int> find(std::string_view word) const;
    /// What is wrong with a `word` that names no host, with the nearest name.
    std::string complaint(std::string_view word) const;

  private:
    int hosts_;
    std::vector<std::string> names_;
    std::unordered_map<std::string, int> numbers_;
};

/// What to call a vertex in a list of links: its name where `names` has one; on a grid of `shape` (without switches)
/// its coordinates such as (3,0,1), the first dimension first; else "host 12" or "switch 3", both numbered from 0.
/// Either may be empty. Precondition: `vertex` is one of `network`.
std::string vertex_label(const Network& network, int vertex, const std::vector<std::string>& names,
                         const std::vector<int>& shape);

}  // namespace narrows
