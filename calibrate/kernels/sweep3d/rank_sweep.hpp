#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <vector>

#include "calibrate/kernels/messages/plan.hpp"
#include "calibrate/kernels/sweep3d/sweep_plan.hpp"
#include "calibrate/ranks/virtual_worker.hpp"

namespace narrows {

/// What a rank leaves behind.
struct SweepTotals {
    double begin = 0;  ///< `wall_seconds` at its start and end
    double end = 0;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    double emitted = 0;               ///< by its cells
    double absorption = 0;            ///< of its cells, last iteration
    std::array<double, 6> leakage{};  ///< through its part of the box's faces, last iteration
};

/// The same with what each iteration changed.
struct SweepRecord : SweepTotals {
    std::vector<SweepIteration> iterations;
};

/// What a rank left, as bytes that travel between processes of one program.
std::string write_record(const SweepRecord& record);
/// Throws std::logic_error when the bytes are not what `write_record` wrote.
SweepRecord read_sweep_record(const std::string& bytes);

/// They begin on a cache line, so that no vector of them lies on two.
using LineDoubles = std::vector<double, boost::alignment::aligned_allocator<double, 64>>;

/// One rank: its cells, its faces and its place in the grid (KBA: I and J are divided, K is not).
class RankSweep {
  public:
    /// Doubles that the flux of a rank takes, a multiple of a cache line.
    static std::size_t flux_doubles(const SweepPlan& plan, int rank);

    /// `flux` has `flux_doubles` zeros, or is nullptr where nothing is computed.
    RankSweep(const SweepPlan& plan, int rank, double* flux);

    const SweepRecord& record() const { return record_; }

    template <class Messages, class Waiter>
    void run(Messages& messages, Waiter& waiter) {
        allocate_faces();
        record_.begin = seconds_on(waiter);
        for (int iteration = 1; iteration <= plan_->problem().iterations; ++iteration) {
            begin_iteration(iteration);
            for (std::size_t octant = 0; octant < octants.size(); ++octant) {
                for (int angles = 0; angles < plan_->angle_blocks(); ++angles) {
                    begin_angles(octant, angles);
                    for (int planes = 0; planes < plan_->plane_blocks(); ++planes) {
                        receive(messages, upstream_i(), in_i_, waiter);
                        receive(messages, upstream_j(), in_j_, waiter);
                        sweep(planes);
                        if constexpr (VirtualTime<Waiter>) waiter.spend(block_seconds_);
                        send(messages, downstream_i(), out_i_, waiter);
                        send(messages, downstream_j(), out_j_, waiter);
                        waiter.advance(1);
                    }
                    end_angles();
                }
            }
            end_iteration();
        }
        record_.end = seconds_on(waiter);
    }

  private:
    static constexpr int nobody = -1;

    template <class Waiter>
    static double seconds_on(Waiter& waiter) {
        if constexpr (VirtualTime<Waiter>) return waiter.now();
        return wall_seconds();
    }

    /// The values of a face that a message carries, and room beyond them for whole vectors.
    struct Face {
        std::vector<double> values;
        std::size_t doubles = 0;
        std::size_t bytes() const { return doubles * sizeof(double); }
    };

    int moments() const { return plan_->problem().moments; }
    const Octant& octant() const { return octants[octant_]; }
    int neighbour(int axis, bool above) const;
    int upstream_i() const { return neighbour(0, !octant().i_up); }
    int upstream_j() const { return neighbour(1, !octant().j_up); }
    int downstream_i() const { return neighbour(0, octant().i_up); }
    int downstream_j() const { return neighbour(1, octant().j_up); }

    void allocate_faces();
    void begin_iteration(int iteration);
    void begin_angles(std::size_t octant, int angle_block);
    void sweep(int plane_block);
    void end_angles();
    void end_iteration();
    BlockSweep block(int plane_block) const;
    void leak(int axis, bool up, const double* face, std::size_t cells, std::size_t stride);

    template <class Messages, class Waiter>
    void receive(Messages& messages, int from, Face& face, Waiter& waiter) {
        if (from == nobody) {
            std::ranges::fill(face.values, 0.0);
        } else {
            messages.receive(rank_, from, 0, face.values.data(), face.bytes(), waiter);
        }
    }

    template <class Messages, class Waiter>
    void send(Messages& messages, int to, const Face& face, Waiter& waiter) {
        if (to == nobody) return;
        messages.send(rank_, to, 0, face.values.data(), face.bytes(), waiter);
        ++record_.messages;
        record_.bytes += face.bytes();
    }

    const SweepPlan* plan_;
    int rank_;
    CellSpan span_i_;
    CellSpan span_j_;
    double* flux_;
    double* before_;
    Face in_i_, in_j_, out_i_, out_j_;
    LineDoubles k_faces_;
    LineDoubles row_;
    std::size_t octant_ = 0;
    int angle_block_ = 0;
    SweepBlock sweep_ = nullptr;
    double scattered_before_ = 0;
    double block_seconds_ = 0;  ///< of a block, in virtual time
    SweepRecord record_;
};

}  // namespace narrows
