#pragma once

#include <cstdint>
#include <functional>
#include <string>

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

}  // namespace narrows
