#pragma once

#include <cstddef>
#include <vector>

#include "calibrate/measure/time_limit.hpp"
#include "calibrate/study/case_design.hpp"
#include "calibrate/study/sampling.hpp"

namespace narrows {

/// A space that a calibration fills with runs, after those that the models are fitted on.
struct Design {
    CaseSpace space;
    double seconds = 0;          ///< for its runs, if there is time
    double seconds_of_case = 0;  ///< what one takes, set up and probed
};

/// How many cases of designs there are.
struct DesignCount {
    std::size_t planned = 0;
    std::size_t done = 0;
};

/// Runs cases anywhere in the spaces, as many as the time allows, up to the `limit`; those that surprise most a second
/// and a third time: others make a run longer now and then. Cases that the samples have already are not run again.
/// Spaces take turns, so that each meets the states that the machine comes into.
DesignCount sample_designs(const std::vector<Design>& designs, const Machine& machine, const CaseLimits& limits,
                           const TimeLimit& limit, const SamplingHooks& hooks, Sampled& sampled);

}  // namespace narrows
