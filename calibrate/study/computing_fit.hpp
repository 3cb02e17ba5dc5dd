#pragma once

#include <vector>

#include "calibrate/study/case_design.hpp"
#include "calibrate/study/computing_case.hpp"
#include "calibrate/study/gups_fit.hpp"
#include "calibrate/study/sampling.hpp"
#include "model/machine.hpp"

namespace narrows {

/// `compute.flops`, `compute.memory` and `compute.balanced`, as the samples of `cases` have them, each with its
/// interval. Cases without samples are left out.
///
/// Statement: r = F / t of operations alone; c(x) = t / lines of memory alone; b of the least sum of (ln(t / t_m))^2 of
///            both, its interval from the least to the largest b of one size.
/// Symbols:   F operations, t measured time of a phase, x bytes that a rank computes on, t_m as `computing_time` with
///            b.
/// Source:    derived; the same formulas predict (`model/program/computing.hpp`).
/// Range:     a rank on every core.
/// Test:      tests/calibrate/test_computing_fit.cpp (samples made from known costs)
std::vector<Parameter> fit_computing(const std::vector<ComputingCase>& cases, const std::vector<Sample>& samples,
                                     const FitOptions& options);

/// The predictions for phases that compute.
CaseSpace computing_space();

}  // namespace narrows
