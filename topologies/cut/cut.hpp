#pragma once

#include <functional>
#include <vector>

#include "topologies/adjacency.hpp"
#include "topologies/graph.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// A division of all vertices of a network, hosts and switches, into two sides: a proof of an upper bound.
struct Cut {
    /// By vertex, whether it is on the counted side.
    std::vector<char> side;
    /// Hosts on that side.
    int inside = 0;
    /// Capacity of the links between the sides.
    double capacity = 0;
};

/// The cut that `side` makes, counted afresh. Precondition: one entry a vertex.
Cut cut_of(const Network& network, std::vector<char> side);

/// What a cut of `capacity` with `inside` of `hosts` hosts on one side is worth: the least is wanted. Infinite for cuts
/// that do not count.
using CutMeasure = std::function<double(double capacity, double inside, double hosts)>;

/// C/|S| of the smaller side, the measure of α.
double expansion_of(double capacity, double inside, double hosts);
/// C/(|S|·|S̄|), the measure of φ.
double sparsity_of(double capacity, double inside, double hosts);

/// Local search for cuts (Fiduccia and Mattheyses 1982): all vertices are moved once, the best allowed one first, and
/// the best cut on the way is kept; again until a pass finds nothing better.
class CutImprover {
  public:
    /// `network` must outlive this. Once `stop` says so, searches end within a few moves with what they have.
    explicit CutImprover(const Network& network, Stop stop = never_stop);

    /// Lowers the capacity of cuts with `size` hosts inside; the given cut may have any size.
    Cut to_size(const Cut& cut, int size) const;
    /// Lowers `measure`, with cuts of any size.
    Cut to_measure(const Cut& cut, const CutMeasure& measure) const;
    /// The `size` hosts first reached by a breadth-first search from `vertex`, with the switches on the way.
    Cut ball(int vertex, int size) const;

  private:
    class Pass;
    double gain(const std::vector<char>& side, int vertex) const;
    template <class Goal>
    Cut descend(const Cut& cut, const Goal& goal) const;

    const Network& network_;
    Stop stop_;
    Adjacency arcs_;
};

}  // namespace narrows
