#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "model/uncertainty.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

/// A machine, and the predictions for it and for machines that differ from it in costs alone.
struct Plan {
    Machine machine;
    OutcomeOf outcome;
};

/// A point of a grid: the number of its plan, and that of its costs.
struct GridPoint {
    std::int64_t plan = 0;
    std::int64_t costs = 0;

    friend bool operator==(const GridPoint&, const GridPoint&) = default;
    friend bool operator<(const GridPoint& one, const GridPoint& other) {
        return one.plan != other.plan ? one.plan < other.plan : one.costs < other.costs;
    }
};

/// Predictions at every point of a grid: what needs a plan of its own varies slowest.
struct Grid {
    std::int64_t plans = 1;
    std::int64_t costs = 1;  ///< of each plan
    /// Each function is called by several threads at once.
    std::function<Plan(std::int64_t plan)> plan;
    std::function<void(Machine& machine, std::int64_t costs)> put;
    /// Appends what is to be told of a point to `text`.
    std::function<void(const GridPoint& point, const Outcome& outcome, std::string& text)> tell;
    /// The same of a point whose plan or prediction is an InputError; what it throws ends the work.
    std::function<void(const GridPoint& point, const InputError& error, std::string& text)> tell_error;
    /// Takes the texts of points in their order, one call at a time; false ends the work.
    std::function<bool(const std::string& text)> write;
};

/// Evaluates the grid in order on so many threads, in memory that does not grow with it. What `write` gets, and the
/// first error, do not depend on their number. Test: tests/model/explore/test_grid.cpp
void predict_grid(const Grid& grid, int threads);

/// Points that are left out, as they have no prediction. `note` may be called by several threads at once.
class LeftOut {
  public:
    void note(const GridPoint& point, const InputError& error);

    std::int64_t count() const { return count_; }
    /// The first of them in the grid, and its error.
    const GridPoint& first() const { return first_; }
    const std::string& why() const { return why_; }

  private:
    std::mutex mutex_;
    std::int64_t count_ = 0;
    GridPoint first_;
    std::string why_;
};

/// A point and what it comes to.
struct FoundPoint {
    GridPoint point;
    Outcome outcome;
};

/// Points kept in memory. `keep` may be called by several threads at once, for each point once.
class KeptPoints {
  public:
    KeptPoints(std::int64_t plans, std::int64_t costs)
        : costs_(costs), outcomes_(static_cast<std::size_t>(plans * costs)) {}

    void keep(const GridPoint& point, const Outcome& outcome);
    /// Those that were kept, in the grid's order; takes them away.
    std::vector<FoundPoint> in_order();

  private:
    std::int64_t costs_;
    std::vector<std::optional<Outcome>> outcomes_;
};

}  // namespace narrows
