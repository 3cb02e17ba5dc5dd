#pragma once

#include <cstddef>
#include <vector>

#include "topologies/families/line.hpp"

namespace narrows {

/// Messages over the steps of a grid in dimension order, as `dimension_order_loads` has it: from every node one step on
/// (way 0) and one back (1) in every dimension. Test: tests/topologies/test_routes_dimension_order.cpp (hand values)
class GridRoutes {
  public:
    GridRoutes(const std::vector<int>& shape, const std::vector<bool>& wraps, bool ties_onwards);

    void add(int from, int to, double amount = 1);
    /// `each` from every node to every other.
    void add_uniform(double each);
    double fullest() const;
    /// Of the steps on the way of a message.
    double fullest_of(int from, int to) const;

    /// The step between neighbours, as an index of loads(). std::logic_error where they are none.
    std::size_t step(int from, int to) const;
    const std::vector<double>& loads() const { return load_; }
    int node_of(std::size_t step) const { return static_cast<int>(step / (2 * dimensions_.size())); }
    int dimension_of(std::size_t step) const { return static_cast<int>(step / 2 % dimensions_.size()); }

  private:
    struct Dimension {
        Line line;
        int stride = 1;
    };

    std::size_t index(int node, std::size_t dimension, int way) const {
        return 2 * (dimensions_.size() * static_cast<std::size_t>(node) + dimension) + static_cast<std::size_t>(way);
    }

    /// Calls `visit(step, share of the message)`.
    template <class Visit>
    void walk(int from, int to, Visit visit) const;

    std::vector<Dimension> dimensions_;
    bool ties_onwards_;
    int nodes_ = 1;
    std::vector<double> load_;
};

}  // namespace narrows
