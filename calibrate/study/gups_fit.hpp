#pragma once

#include <optional>
#include <vector>

#include "calibrate/study/gups_case.hpp"
#include "calibrate/study/sampling.hpp"
#include "model/machine.hpp"

namespace narrows {

/// How the samples of a calibration are turned into parameters.
struct FitOptions {
    /// Relative error that the model itself makes where the fit leaves no residual to judge it by.
    double model_error = 0.03;
    /// The same of a run of routing: what hops and packets cost differs from shape to shape.
    double routing_error = 0.1;
    /// Factor on all intervals: above 1 for samples of a noisy machine.
    double widening = 1;
};

/// How far cores are from each other in the usual state, with the range that nine of ten samples are in, as a parameter
/// of a machine; nothing where it is unknown.
std::optional<Parameter> core_distance_of(const std::vector<Sample>& samples);

/// The machine that the samples describe: `compute.gups.update` by table and page size and the costs of bucketing, of
/// `cases`; the costs of software routing, of all routed runs among the samples, at the states of the routers that
/// `cases` have. Each has its interval. What has no samples is left out.
///
/// Statement: t = s t_u(table) (1 + b/k) + (h + 1) t_route + (h/k + f) (t_packet + (l - 1) t_line
///            + (1 - 1/w)/h d (n + (l - 1) n')) + t_run/u for routed runs, the costs by `fit_times`, those of
///            neighbouring states tied; a bucketed run has t - t_u = t_insert + t_message / m.
/// Symbols:   t time of one of w workers an update, s slowdown, h hops, k updates a packet, l its cache lines, f such
///            packets of the finishing phase an update, u updates of a rank, d distance of cores beside the run; n and
///            n' transfers of a cache line, each of d, for a packet to another worker and each further line of it; m
///            mean bucket size.
/// Source:    derived; the same formulas predict (`model/gups/routed.hpp`, `model/gups/bucketed.hpp`).
/// Range:     between the fewest and the most ranks that the cases have.
/// Test:      tests/calibrate/test_gups_fit.cpp (samples made from known costs)
Machine fit_gups(const std::vector<GupsCase>& cases, const std::vector<Sample>& samples, const FitOptions& options);

}  // namespace narrows
