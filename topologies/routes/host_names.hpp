#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "topologies/graph.hpp"

namespace narrows {

/// What ends a word of a text in which hosts are named, unless it is part of a name.
inline constexpr std::string_view name_breaks = " \t\r,#";

/// How `vertex_label` calls hosts that have no names.
struct HostLabels {
    /// Of the grid whose coordinates are names; empty for none.
    std::vector<int> shape;
    /// Of a part, the numbers in the whole network that its hosts are called by, sorted; perhaps followed by switches.
    /// Empty for the whole.
    std::vector<int> numbers_in_whole;
};

/// Finds hosts by their names; where no host has that name, by their numbers 0 … hosts−1; and as `vertex_label` calls
/// them, such as "(3,0,1)" and "host 12".
class HostFinder {
  public:
    /// `names` are those of the hosts, perhaps followed by those of switches; empty when they have none.
    /// Precondition: at least one host; no names or at least as many as hosts.
    HostFinder(int hosts, const std::vector<std::string>& names, HostLabels labels = {});
    HostFinder(const HostFinder&) = delete;
    HostFinder& operator=(const HostFinder&) = delete;
    ~HostFinder() = default;

    int hosts() const { return hosts_; }
    /// The number of the host that `word` names, or nothing.
    std::optional<int> find(std::string_view word) const;
    /// The most `name_breaks` in a word that names a host.
    int most_breaks() const { return most_breaks_; }
    /// What is wrong with a `word` that names no host, with the nearest name.
    std::string complaint(std::string_view word) const;

  private:
    std::optional<int> labelled(std::string_view word) const;

    int hosts_;
    HostLabels labels_;
    std::vector<std::string> names_;
    std::unordered_map<std::string_view, int> numbers_;  // by the texts in names_
    int most_breaks_;
};

/// What to call a vertex in a list of links: its name where `names` has one; on a grid of `shape` (without switches)
/// its coordinates such as (3,0,1), the first dimension first; else "host 12" or "switch 3", both numbered from 0.
/// Either may be empty. Precondition: `vertex` is one of `network`.
std::string vertex_label(const Network& network, int vertex, const std::vector<std::string>& names,
                         const std::vector<int>& shape);

}  // namespace narrows
