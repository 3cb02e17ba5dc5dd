#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "calibrate/kernels/program/rank_program.hpp"
#include "calibrate/ranks/thread_time.hpp"

namespace narrows {

/// What a processor has to compute: multiplies and adds on numbers of a block that stays in registers, while it reads
/// and writes a memory block by block. The longer of the two takes the time, as the model has it, since a processor
/// loads a block while it computes on another.
class ProgramWork {
  public:
    /// Of `bytes` half are read and written over and over.
    explicit ProgramWork(std::size_t bytes) : memory_(std::max<std::size_t>(1, bytes / bytes_of_block) * block, 1.0) {}

    /// Adds what `phase` computes once to what there is to do.
    void add(const RankPhase& phase) {
        if (phase.seconds > 0) tasks_.push_back({phase.seconds, 0, 0, 0, 0});
        if (phase.flops == 0 && phase.memory == 0) return;
        const std::uint64_t passes = (phase.flops + 2 * block - 1) / (2 * block);
        const std::uint64_t blocks = std::max<std::uint64_t>(1, (phase.memory + bytes_of_block / 2) / bytes_of_block);
        tasks_.push_back({0, blocks, passes / blocks, passes % blocks, 0});
    }

    /// Does some microseconds of it; false when there is nothing to do.
    bool step() {
        constexpr double seconds_of_step = 5e-6;
        constexpr std::uint64_t passes_of_step = 1024;
        return step(seconds_of_step, passes_of_step);
    }
    void finish() { finish(0); }
    /// What `phase` computes once, before what there was to do.
    void compute(const RankPhase& phase) {
        const std::size_t before = tasks_.size();
        add(phase);
        finish(before);
    }

  private:
    using Vector [[gnu::vector_size(32)]] = double;
    static constexpr std::size_t vectors = 8;  // as many as two multiplications at once, of four cycles each, need
    static constexpr std::size_t block = vectors * sizeof(Vector) / sizeof(double);
    static constexpr std::size_t bytes_of_block = 2 * sizeof(double) * block;  // read and written

    /// Of the first `more` blocks each has a pass more than of the others: a number of passes that changed from block
    /// to block would cost mispredicted branches.
    struct Task {
        double seconds;
        std::uint64_t blocks, passes, more, begun;  // blocks still to do; passes done of the first
    };

    void finish(std::size_t others) {
        while (tasks_.size() > others) {
            step(std::numeric_limits<double>::infinity(), std::numeric_limits<std::uint64_t>::max());
        }
    }

    bool step(double seconds, std::uint64_t passes) {
        if (tasks_.empty()) return false;
        Task& task = tasks_.back();
        if (task.seconds > 0) {
            const double now = std::min(seconds, task.seconds);
            const double end = wall_seconds() + now;
            while (wall_seconds() < end) {
            }
            task.seconds -= now;
        } else {
            for (std::uint64_t done = 0; done < passes && task.blocks > 0;) done += go_on(task, passes - done);
        }
        if (task.seconds <= 0 && task.blocks == 0) tasks_.pop_back();
        return true;
    }

    // Goes on with the first block of the task, up to so many passes. Returns what it did, where a block counts too.
    std::uint64_t go_on(Task& task, std::uint64_t most) {
        constexpr std::uint64_t passes_of_block = 4;  // that take as long as reading and writing it, about
        const std::uint64_t due = task.passes + (task.more > 0 ? 1 : 0) - task.begun;
        const std::uint64_t now = std::min(due, most);
        work_on(memory_.data() + at_, now);
        task.begun += now;
        if (now == due) {
            task.begun = 0;
            --task.blocks;
            if (task.more > 0) --task.more;
            at_ = at_ + block < memory_.size() ? at_ + block : 0;
        }
        return now + passes_of_block;
    }

    static void work_on(double* numbers, std::uint64_t passes) {
        const Vector factor = Vector{} + 0.999999, addend = Vector{} + 1e-6;
        Vector own[vectors];
        for (std::size_t i = 0; i < vectors; ++i) std::memcpy(&own[i], numbers + i * 4, sizeof own[i]);
        for (std::uint64_t pass = 0; pass < passes; ++pass) {
            for (Vector& numbers_of_one : own) numbers_of_one = numbers_of_one * factor + addend;
        }
        for (std::size_t i = 0; i < vectors; ++i) std::memcpy(numbers + i * 4, &own[i], sizeof own[i]);
    }

    std::vector<double> memory_;
    std::size_t at_ = 0;
    std::vector<Task> tasks_;  // the last is done first
};

}  // namespace narrows
