#pragma once

#include <vector>

#include "calibrate/study/case_space.hpp"
#include "calibrate/study/sampling.hpp"
#include "model/machine.hpp"

namespace narrows {

/// The case with as many updates as take `seconds` by the machine's prediction; a thousand a rank where that takes no
/// more than `most_seconds`. InputError where it cannot be predicted.
GupsCase of_length(const Machine& machine, GupsCase what, double seconds, double most_seconds);

/// Cases that fill the space of `gups_case_at` evenly, each of about a sixth of a second; those that the machine cannot
/// predict are left out. Source: Sobol 1967, as Boost has the sequence.
std::vector<GupsCase> design_cases(const Machine& machine, const CaseLimits& limits, int count);

/// The surfaces through what samples of the project's codes leave of the machine's predictions, a point a case; samples
/// of other names are passed over, and codes with too few cases.
std::vector<ResidualSurface> fit_gups_residuals(const Machine& machine, const std::vector<Sample>& samples);

}  // namespace narrows
