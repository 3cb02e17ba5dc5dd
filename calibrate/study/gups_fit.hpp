#pragma once

#include <string>
#include <vector>

#include "calibrate/study/gups_case.hpp"
#include "calibrate/study/sampling.hpp"
#include "model/machine.hpp"

namespace narrows {

/// How the samples of a calibration are turned into parameters.
struct FitOptions {
    /// Relative error that the model itself makes where the fit leaves no residual to judge it by.
    double model_error = 0.03;
    /// The same of routing along other shapes than the usual one or with smaller packets, which are measured to tell
    /// hops from packets: what hops cost differs from shape to shape.
    double arrangement_error = 0.1;
    /// Factor on all intervals: above 1 for samples of a noisy machine.
    double widening = 1;
};

/// The machine that the samples of `cases` describe: `compute.gups.update` by table and page size, the costs of a hop
/// and of a packet of software routing and those of bucketing by the state that a processor works on, each with its
/// interval. Cases without samples are left out.
///
/// Statement: t - t_u(table) = (h + 1) t_route + (h/k + f) t_packet for the arrangements of the same number of ranks,
/// by
///            weighted least squares; a bucketed run has t - t_u = t_insert + t_message / m.
/// Symbols:   t time of one worker an update, h hops, k updates a packet, f packets of the finishing phase an update, m
///            mean bucket size.
/// Source:    derived; the same formulas predict (`model/gups/routed.hpp`, `model/gups/bucketed.hpp`).
/// Range:     between the fewest and the most ranks that the cases have.
/// Test:      tests/calibrate/test_gups_fit.cpp (samples made from known costs)
Machine fit_gups(const std::vector<GupsCase>& cases, const std::vector<Sample>& samples, const FitOptions& options);

}  // namespace narrows
