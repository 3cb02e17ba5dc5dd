#pragma once

#include <cstddef>
#include <functional>

#include "calibrate/study/case_design.hpp"
#include "calibrate/study/sampling.hpp"

namespace narrows {

/// A space that a calibration fills with runs, after those that the models are fitted on.
struct Design {
    CaseSpace space;
    double seconds = 0;          ///< for its runs
    double seconds_of_case = 0;  ///< what one takes, set up and probed
};

/// How many cases of designs there are.
struct DesignCount {
    std::size_t planned = 0;
    std::size_t done = 0;
};

/// Runs cases anywhere in the space, as many as the time allows; those that surprise most a second and a third time:
/// others make a run longer now and then. `at_most`: so many seconds, or what a session has left if that is less. Cases
/// that the samples have already are not run again.
DesignCount sample_design(const Design& design, const Machine& machine, const CaseLimits& limits,
                          const std::function<double(double)>& at_most, const SamplingHooks& hooks, Sampled& sampled);

}  // namespace narrows
