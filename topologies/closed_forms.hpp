#pragma once

#include <cstdint>
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

/// What one member of a family of networks knows of itself by formula: a family is a class that implements this, or a
/// `NamedNetwork` (families/named_network.hpp), and a record in `family_records.cpp`. Everything but `graph` costs
/// microseconds at any size. `Topology` documents the numbers.
class ClosedForms {
  public:
    ClosedForms() = default;
    ClosedForms(const ClosedForms&) = delete;
    ClosedForms& operator=(const ClosedForms&) = delete;
    virtual ~ClosedForms() = default;

    virtual std::string family() const = 0;
    virtual std::string spec() const = 0;
    virtual std::int64_t nodes() const = 0;
    virtual std::int64_t links() const = 0;
    virtual int degree() const = 0;
    /// Nothing when no formula gives them.
    virtual std::optional<Distances> distances() const = 0;
    virtual Bracket bisection() const = 0;
    virtual Bracket alpha() const = 0;
    virtual Bracket phi() const = 0;
    virtual Bracket uniform_flow() const = 0;
    /// The lesser upper end of `phi` and `uniform_flow`, without text.
    virtual double phi_value() const = 0;
    /// The dimensions, of families that have them.
    virtual std::vector<int> shape() const { return {}; }
    virtual bool switched() const { return false; }
    /// Smallest first, none of all hosts; nothing where no formula gives them.
    virtual std::optional<std::vector<HostBlocks>> blocks() const { return std::nullopt; }
    virtual Network graph() const = 0;
    virtual std::shared_ptr<const ClosedForms> with_nodes(std::int64_t nodes) const = 0;
};

}  // namespace narrows
