#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "model/machine.hpp"
#include "model/time_prediction.hpp"
#include "model/wavefront/closed_forms.hpp"
#include "model/wavefront/recurrence.hpp"

namespace narrows {

/// Cells along an axis that a sweep may have.
inline constexpr int most_sweep_cells = 1 << 24;

/// What is asked of Sweep3D.
struct SweepQuery {
    std::array<int, 3> cells = {50, 50, 50};  ///< of all ranks together along I, J and K
    std::array<int, 2> grid = {1, 1};         ///< ranks along I and J
    int angles = 6;                           ///< of an octant
    int planes = 10;                          ///< of a block; divides the cells along K
    int angle_block = 6;                      ///< angles of a block; divides the angles
    int moments = 4;                          ///< flux moments: 4, or 1 for isotropic scattering
    std::string protocol = {};                ///< of all messages; empty: what the machine says of each
    /// Ranks of a node, consecutive numbers; they take turns where they are more than its processors. 0: a rank a
    /// processor, as many of a node as its levels say.
    int ranks_per_node = 0;
    int processors = 1;                  ///< of a node
    std::vector<int> node_of_rank = {};  ///< empty: consecutive numbers fill node after node
    double background = 0;               ///< share of the links that others take

    int ranks() const { return grid[0] * grid[1]; }
    int ranks_of_node() const { return ranks_per_node > 0 ? ranks_per_node : processors; }
    int nodes() const { return (ranks() + ranks_of_node() - 1) / ranks_of_node(); }
    /// Blocks of an octant.
    int blocks() const { return cells[2] / planes * (angles / angle_block); }
    bool shares_processors() const { return std::min(ranks_per_node, ranks()) > processors; }
    /// Processors that the ranks run on.
    double used_processors() const;
};

/// How often an iteration visits a cell: once an octant and block of angles.
double visits_of_cell(const SweepQuery& query);

/// Flux moments of the iteration and of the one before that each processor works on.
Data flux_of_processor(const SweepQuery& query);

/// Throws InputError with the nearest valid choice when planes, angles or grid do not fit the cells.
void check(const SweepQuery& query);

/// The query on the machine as values. A block costs what `compute.sweep3d.blocks` says of so many angles and the
/// processor's share of the deck, else `grind` for each cell and angle; what comes once a column or an iteration is
/// shared evenly by the blocks. Messages cost what the query's protocol says;
/// without one what the protocols of the machine's `levels` and its `gateways` say, else its first protocol, over its
/// links. InputError names what the machine lacks, and refuses ranks that share processors behind gateways.
Wavefront sweep_wavefront(const Machine& machine, const SweepQuery& query);

/// The same with a processor a rank and free messages: what computing costs.
Wavefront sweep_computing(const Machine& machine, const SweepQuery& query);

/// The largest rank's block and its messages beyond all levels on an idle machine, for the closed forms.
SweepCost sweep_cost(const Wavefront& wavefront);

/// The block's part of the paths of its measured costs, `compute.sweep3d.blocks.6-isotropic`: angles, scattering.
std::string kind_of_block(const SweepQuery& query);

/// Time of an iteration: `wavefront_time`, and no less than what a server that ranks share needs. On one node that was
/// calibrated, with its own protocols and ranks in order, times the factor that its residuals give.
Time sweep3d_time(const Machine& machine, const SweepQuery& query);

/// The same with its terms along the critical path.
TimePrediction sweep3d_path(const Machine& machine, const SweepQuery& query, const ReportProgress& progress = {});

/// The same with its interval too.
TimePrediction predict_sweep3d(const Machine& machine, const SweepQuery& query, const ReportProgress& progress = {});

/// 1 - (time with free messages) / time: the fill of the pipeline counts as computing.
double communication_share(const Wavefront& wavefront, Time time, const ReportProgress& progress = {});

}  // namespace narrows
