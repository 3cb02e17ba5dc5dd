#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "topologies/bracket.hpp"
#include "topologies/graph.hpp"

namespace narrows {

/// What one member of a family of networks knows of itself by formula: a family is a class that implements this and a
/// record in `registry.cpp`. Everything but `graph` costs microseconds at any size. `Topology` documents the numbers.
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
    virtual int diameter() const = 0;
    virtual double mean_distance() const = 0;
    virtual Bracket bisection() const = 0;
    virtual Bracket alpha() const = 0;
    virtual Bracket phi() const = 0;
    virtual Bracket uniform_flow() const = 0;
    /// The upper end of `phi`, without text.
    virtual double phi_value() const = 0;
    /// The dimensions, of families that have them.
    virtual std::vector<int> shape() const { return {}; }
    virtual Network graph() const = 0;
    virtual std::shared_ptr<const ClosedForms> with_nodes(std::int64_t nodes) const = 0;
};

}  // namespace narrows
