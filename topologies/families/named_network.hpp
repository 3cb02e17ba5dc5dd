#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "topologies/closed_forms.hpp"
#include "topologies/spec.hpp"

namespace narrows {

/// A member of a family as a plain value: what formulas know of it, and how it is written out. Most families are one
/// function that fills this in; what is left out is not known. `Topology` documents the numbers.
struct NamedNetwork {
    std::string family;
    /// Canonical text.
    std::string spec;
    std::int64_t nodes = 1;
    std::int64_t links = 0;
    int degree = 0;
    bool switched = false;
    std::optional<Distances> distances = std::nullopt;
    Bracket bisection = not_known();
    Bracket alpha = not_known();
    Bracket phi = not_known();
    Bracket uniform_flow = not_known();
    std::vector<int> shape = {};
    std::optional<std::vector<HostBlocks>> blocks = std::nullopt;
    std::function<Network()> graph;
    /// Another member with so many nodes; empty when the family cannot be resized.
    std::function<std::shared_ptr<const ClosedForms>(std::int64_t nodes)> resized = {};
    /// What to do instead of resizing: "give another q, for 2q^2 routers".
    std::string sizing = {};
};

/// `network` as the closed forms of a topology.
std::shared_ptr<const ClosedForms> share(NamedNetwork network);

/// A number that a formula bounds, in words: a bracket of the method "closed form".
Bracket between(double lower, double upper, std::string certificate);

/// For numbers of a single node, where there is nothing to cut.
Bracket nothing_to_cut(double value);

/// Upper end of the uniform flow t by the room that it takes: N(N−1) flows of `mean` links each share both ways of all
/// links, so t ≤ 2·links/(N(N−1)·mean). Precondition: more than one node, all capacities 1.
double hop_bound(std::int64_t nodes, std::int64_t links, double mean);

/// Distances where any two of `nodes` > 1 routers are at most two of `links` links apart, and no link is doubled.
Distances distances_within_two(std::int64_t nodes, std::int64_t links);

/// Throws InputError when `nodes` is beyond `node_limit` or `links` beyond what a double counts exactly.
void require_countable(const std::string& spec, double nodes, double links);

/// Throws InputError when a network whose numbers need its graph is beyond `graph_limit`.
void require_graph(const std::string& spec, double vertices, double links);

}  // namespace narrows
