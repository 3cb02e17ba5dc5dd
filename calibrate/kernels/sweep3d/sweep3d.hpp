#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/kernels/sweep3d/block_sweep.hpp"
#include "calibrate/messaging/protocol.hpp"
#include "calibrate/messaging/virtual_costs.hpp"
#include "calibrate/ranks/thread_time.hpp"
#include "calibrate/transport/tcp_mesh.hpp"

namespace narrows {

class MpiJob;

inline constexpr int most_iterations = 100000;

/// The problem of the ASCI benchmark Sweep3D 2.2b: one energy group, a box of cells with vacuum around it, a source in
/// the middle third, discrete ordinates with diamond difference.
struct SweepProblem {
    std::array<int, 3> cells = {50, 50, 50};  ///< of all ranks together along I, J and K
    int angles = 6;                           ///< of an octant: 6 (S6) or 3 (S4)
    int moments = 4;                          ///< flux moments: 4 (P1 scattering) or 1 (P0)
    int iterations = 12;
    /// Iterations after this one set negative outflows to zero; none without it.
    std::optional<int> fixups_after;
};

/// The machine whose time a virtual clock tells.
struct SweepClock {
    double cell_angle = 0;  ///< seconds of a rank for a cell-angle
    double row = 0;         ///< seconds of a row of cells of a block beside them
    double start = 0;       ///< seconds of a block beside its rows
    VirtualCosts costs;
};

/// How it is run.
struct SweepOptions {
    SweepProblem problem;
    std::array<int, 2> grid = {1, 1};  ///< ranks along I and J
    int planes = 10;                   ///< of a block; divides the planes
    int angle_block = 0;               ///< angles of a block; divides the angles; 0: all
    Protocol protocol = Protocol::active_message;
    Transport transport = Transport::shared;
    bool authenticated = true;            ///< over TCP and UDP
    int domain = 0;                       ///< ranks of a domain whose messages to others go through gateways; 0: none
    int ranks_per_process = 1;            ///< over TCP and MPI
    int workers = 0;                      ///< threads; 0: one a core
    std::optional<SweepVectors> vectors;  ///< the widest that there are, unless given
    /// Everything but the arithmetic: messages carry zeros, and there is no result.
    bool skip_compute = false;
    /// Time is that of a machine, by receiver-initiated messages on one thread; without it, the wall's.
    std::optional<SweepClock> virtual_clock;
    /// Called at most about ten times a second with the fraction done. May be empty.
    std::function<void(double)> progress;
};

/// What an iteration changed.
struct SweepIteration {
    double error = 0;        ///< largest relative change of the scalar flux
    std::int64_t fixed = 0;  ///< cell-angles that needed a fixup
    /// Particles a second that the sweep lost or made: emitted and scattered into it, less what was absorbed, scattered
    /// or left. Zero but for rounding, whether the iteration has converged or not.
    double imbalance = 0;
};

/// Particles a second, over the whole box: source = absorption + sum of what leaves.
struct SweepBalance {
    double source = 0;
    double absorption = 0;
    /// Through the low and the high face of I, J and K, positive along the axis.
    std::array<double, 6> leakage{};
};

/// What came of a run. Times are from the first rank's start to the last one's end, without set-up.
struct SweepRun : WorkerTimes {
    int ranks = 0;
    int workers = 0;
    int cores = 0;  ///< that they run on; where processes of other hosts are among them, as many as there are workers
    SweepVectors vectors = SweepVectors::scalar;
    double wall_seconds = 0;       ///< that a run with a virtual clock took in fact
    std::uint64_t messages = 0;    ///< of all iterations
    std::uint64_t bytes = 0;       ///< that they carried
    std::int64_t cell_angles = 0;  ///< of an iteration, over all octants
    // With a virtual clock:
    std::uint64_t switches = 0;  ///< between ranks and gateways
    double rank_busy = 0;        ///< mean share of the time that ranks were busy
    double gateway_busy = 0;     ///< and gateways
    double busiest_gateway = 0;
    std::vector<SweepIteration> iterations;
    SweepBalance balance;  ///< of the last iteration

    /// Iterations that lost or made particles, beyond rounding.
    std::uint64_t errors() const;
    double iteration_seconds() const { return seconds / static_cast<double>(iterations.size()); }
    /// Time that a core spends on a cell-angle, messages included.
    double grind_time() const;
};

/// The grid of so many ranks for so many cells: the most square one with no more ranks than cells along I or J, the
/// longer side along the axis with more cells. InputError with the nearest number of ranks that has one.
std::array<int, 2> sweep_grid(int ranks, const std::array<int, 3>& cells);

/// `options` with everything chosen that was left open. InputError with the nearest valid choice when they make no
/// sense, or do not fit in memory.
SweepOptions checked(const SweepOptions& options);

/// What all processes of a job must have in common, of such options.
std::vector<std::size_t> job_plan(const SweepOptions& options);

/// Runs it, on threads, fibers or processes; under MPI `run_sweep3d_under_mpi` does. Scalar flux and counts do not
/// depend on the grid, sums to rounding. InputError as `checked` throws it, before anything runs.
SweepRun run_sweep3d(const SweepOptions& options);

/// The part of one process of a job over TCP between hosts, with options that `checked` has returned: the first process
/// returns what came of all, the others nothing.
SweepRun run_sweep3d_at(const TcpPlace& place, const JobSecret& secret, const SweepOptions& options);

/// The same of a job that a launcher of MPI started. Any error ends the processes of all; `complain` is called with
/// what it was.
SweepRun run_sweep3d_under_mpi(const MpiJob& job, const SweepOptions& options,
                               const std::function<void(const std::string&)>& complain);

}  // namespace narrows
