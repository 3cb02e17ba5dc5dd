#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/study/case_space.hpp"
#include "calibrate/study/sampling.hpp"
#include "model/machine.hpp"

namespace narrows {

/// How long a case is to run, in seconds by its machine's prediction.
struct CaseLength {
    double usual = 0;
    double most = 0;  ///< for cases that need more work than usual
};

/// What the run of a sample was predicted to take, and where it lies among others.
struct PredictedRun {
    std::string residuals;          ///< what those of its kind are called
    std::vector<double> variables;  ///< that its residual may depend on
    double per_update = 0;          ///< seconds of a worker, as `Sample::per_update`
};

/// A workload whose cases fill a space.
struct CaseSpace {
    /// The case at numbers of [0, 1), of about that length. InputError where the machine cannot predict it.
    std::function<StudyCase(const Machine&, const UnitNumbers&, const CaseLimits&, const CaseLength&)> at;
    /// The prediction for a sample's name; none for names of other workloads.
    std::function<std::optional<PredictedRun>(const Machine&, const std::string& name)> predicted;
    /// The power of the distance of cores that times follow, as long as runs at several distances do not tell it.
    double by_distance = 0;
    /// Runs of all its kinds that those of one are weighed against (`weigh_against_all`).
    double weight_of_all = 0;
};

/// Cases that fill the space evenly, each of about a twentieth of a second; those that the machine cannot predict are
/// left out. The first `known` of them are left out too: a session that goes on fills what is between. Source: Sobol
/// 1967, as Boost has the sequence.
std::vector<StudyCase> design_cases(const CaseSpace& space, const Machine& machine, const CaseLimits& limits, int count,
                                    std::size_t known = 0);

/// The surfaces through what samples of these workloads leave of the machine's predictions, a point a case and state
/// without those that something disturbed; samples of other names are passed over, and so are kinds with too few cases.
/// The machine has no residuals of these kinds. The states of intervals are those of the samples, or of `session`,
/// where it knows as much of them: samples of a longer part of the same session.
std::vector<ResidualSurface> fit_residuals(const std::vector<CaseSpace>& spaces, const Machine& machine,
                                           const std::vector<Sample>& samples, const std::vector<Sample>& session = {});

/// How far the sample of each name lies from what the others tell, in standard deviations: runs that were disturbed
/// are among the farthest.
std::map<std::string, double> surprises(const std::vector<CaseSpace>& spaces, const Machine& machine,
                                        const std::vector<Sample>& samples);

/// Tells the machine's surfaces how far sessions differ.
///
/// Statement: s^2 = mean of ln(T' / T)^2 / 2.
/// Symbols:   T, T' what the machine and an earlier calibration of it predict for a sample; over all samples of a kind
///            and all earlier calibrations.
/// Source:    the variance of a difference of two independent sessions is twice that of one.
/// Range:     the errors of both interpolations are in it too. Kinds that no earlier calibration has stay as they are.
/// Test:      tests/calibrate/test_case_design.cpp
void compare_sessions(const std::vector<CaseSpace>& spaces, Machine& machine, const std::vector<Machine>& earlier,
                      const std::vector<Sample>& samples);

}  // namespace narrows
