#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topologies/cut/least_cuts.hpp"
#include "topologies/graph.hpp"

namespace narrows {

/// How all least cuts of a network are found: in Gray code order (`gray_cuts`) or by a sweep (`least_cuts`).
struct ExactSearch {
    bool gray = false;
    SweepPlan plan;

    /// The least cuts by number of hosts; nothing when stopped.
    std::optional<std::vector<double>> run(const Network& network, const SweepLimits& limits) const;
    /// In words.
    std::string method(const SweepLimits& limits) const;
};

/// The way with less work; nothing when that is more than `most_work` (units of `SweepPlan::work`: 1e11 take a minute
/// or two), or more vertices than are ever tried.
std::optional<ExactSearch> exact_search(const Network& network, const SweepLimits& limits, double most_work);

}  // namespace narrows
