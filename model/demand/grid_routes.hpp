#pragma once

#include <cstdint>
#include <vector>

namespace narrows {

/// Messages over the links of a grid, each routed in dimension order: what `dimension_order_loads` counts, message by
/// message, so that the fullest link on the way of each is known.
/// Test: tests/model/messages/test_round_loads.cpp (against `dimension_order_loads`)
class GridRoutes {
  public:
    GridRoutes(const std::vector<int>& shape, const std::vector<bool>& wraps, bool ties_onwards);

    void add(int from, int to, double messages = 1);
    double fullest() const;
    double fullest_of(int from, int to) const;

  private:
    /// Calls `visit(link, share of the message)`.
    template <class Visit>
    void walk(int from, int to, Visit visit) const;

    std::vector<int> shape_;
    std::vector<bool> wraps_;
    bool ties_onwards_;
    std::vector<double> load_;  ///< of the link from each node along each dimension, onwards and back
};

}  // namespace narrows
