#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "calibrate/kernels/program/rank_program.hpp"
#include "calibrate/messaging/computing_waiter.hpp"

namespace narrows {

/// What a processor has to compute: multiplies and adds on numbers of a block that stays in registers, while it reads
/// and writes a memory block by block. The longer of the two takes the time, as the model has it, since a processor
/// loads a block while it computes on another.
class ProgramWork final : public Background {
  public:
    /// Of `bytes` half are read and written over and over.
    explicit ProgramWork(std::size_t bytes) : memory_(std::max<std::size_t>(1, bytes / bytes_of_block) * block, 1.0) {}

    /// Adds what `phase` computes, so many times, to what there is to do.
    void add(const RankPhase& phase, std::int64_t times = 1) {
        later_.push_back({phase.seconds, phase.flops, phase.memory, times});
    }

    /// Does some microseconds of it; false when there is nothing to do.
    bool step() override;
    void finish() {
        while (step(without_end, most_passes)) {
        }
    }
    /// What `phase` computes once, before what there was to do.
    void compute(const RankPhase& phase) {
        const std::size_t before = tasks_.size();
        begin({phase.seconds, phase.flops, phase.memory, 1});
        while (tasks_.size() > before) step(without_end, most_passes);
    }

  private:
    static constexpr std::size_t block = 32;                                   // doubles
    static constexpr std::size_t bytes_of_block = 2 * sizeof(double) * block;  // read and written

    /// Of the first `more` blocks each has a pass more than of the others: a number of passes that changed from block
    /// to block would cost mispredicted branches.
    struct Task {
        double seconds;
        std::uint64_t blocks, passes, more, begun;  // blocks still to do; passes done of the first
    };

    struct Repeated {
        double seconds;
        std::uint64_t flops, memory;
        std::int64_t left;  // times
    };
    static constexpr double without_end = std::numeric_limits<double>::infinity();
    static constexpr std::uint64_t most_passes = std::numeric_limits<std::uint64_t>::max();

    void begin(const Repeated& work);
    bool begin_next();
    bool step(double seconds, std::uint64_t passes);
    std::uint64_t go_on(Task& task, std::uint64_t most);

    std::vector<double> memory_;
    std::size_t at_ = 0;
    std::vector<Task> tasks_;  // the last is done first
    std::vector<Repeated> later_;
};

}  // namespace narrows
