#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "topologies/bracket.hpp"
#include "topologies/distance.hpp"
#include "topologies/graph.hpp"

namespace narrows {

/// What is known of a number that no formula gives: nothing, until a search improves it.
inline Bracket not_known() {
    return {0, std::numeric_limits<double>::infinity(), "not known by formula", ""};
}

/// Hosts of consecutive numbers, so many a group and the last one perhaps fewer, that reach all others over `links`
/// links each way: those of a leaf switch, of a pod, of a dragonfly's group.
struct HostBlocks {
    std::int64_t hosts = 0;
    double links = 0;

    friend bool operator==(const HostBlocks&, const HostBlocks&) = default;
};

/// The halves of a network along one of its dimensions: hosts of which every `stride` in a row have one of `size`
/// coordinates, half of these from one on and the rest, and the links between both, each way.
struct HostHalves {
    std::int64_t stride = 1;
    int size = 1;
    double links = 0;
    int ways = 0;  ///< of the links of a line of this dimension: 1 of a path, 2 of a ring; else 0

    int place(std::int64_t host) const { return static_cast<int>(host / stride % size); }
    int side(std::int64_t host, int begin = 0) const { return (place(host) + size - begin) % size < size / 2 ? 0 : 1; }
};

/// What one member of a family of networks knows of itself by formula, and how it is written out: a family is a
/// function that fills this in, and a record in `family_records.cpp`. What is left out is not known. Everything but
/// `graph` costs microseconds at any size. `Topology` documents the numbers.
struct ClosedForms {
    /// Canonical text, whose first word is the family; of a network that is known by its cuts alone, its name.
    std::string spec;
    std::int64_t nodes = 1;
    std::int64_t links = 0;
    std::int64_t degree = 0;
    bool switched = false;
    bool tree = false;
    std::optional<Distances> distances = std::nullopt;
    Bracket bisection = not_known();
    Bracket alpha = not_known();
    Bracket phi = not_known();
    Bracket uniform_flow = not_known();
    std::vector<int> shape = {};
    std::optional<std::vector<HostBlocks>> blocks = std::nullopt;
    std::vector<HostHalves> halves = {};  ///< of dimensions of more than one coordinate
    std::function<Network()> graph;
    /// Another member with so many nodes; empty when the family cannot be resized.
    std::function<std::shared_ptr<const ClosedForms>(std::int64_t nodes)> resized = {};
    /// What to do instead of resizing: "give another q, for 2q^2 routers".
    std::string sizing = {};
};

}  // namespace narrows
