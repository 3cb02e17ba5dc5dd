#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "calibrate/kernels/program/rank_program.hpp"
#include "calibrate/measure/elapsed.hpp"
#include "calibrate/ranks/thread_time.hpp"

namespace narrows {

/// What a processor computes in a phase: multiplies and adds on numbers of a block that stays in registers, and reads
/// and writes a block of memory after the other meanwhile.
class ProgramWork {
  public:
    /// `bytes` of memory are moved at most: half of them read and written over and over.
    explicit ProgramWork(std::size_t bytes) : memory_(std::max<std::size_t>(1, bytes / bytes_of_block) * block, 1.0) {}

    /// Nothing else happens for so long.
    static void wait(double seconds) {
        const double end = wall_seconds() + seconds;
        while (wall_seconds() < end) {
        }
    }
    /// So many operations while so many bytes are read or written.
    void compute(std::uint64_t flops, std::uint64_t bytes) {
        const std::uint64_t passes = (flops + 2 * block - 1) / (2 * block);
        const std::uint64_t blocks = std::max<std::uint64_t>(1, (bytes + bytes_of_block / 2) / bytes_of_block);
        const std::uint64_t known = memory_.size() / block;
        std::uint64_t done = 0;
        for (std::uint64_t number = 0; number < blocks; ++number) {
            const std::uint64_t due = passes * (number + 1) / blocks;
            work_on(memory_.data() + number % known * block, due - done);
            done = due;
        }
    }

  private:
    static constexpr std::size_t block = 64;
    static constexpr std::size_t bytes_of_block = 2 * sizeof(double) * block;  // read and written

    static void work_on(double* numbers, std::uint64_t passes) {
        constexpr double factor = 0.999999, addend = 1e-6;
        std::array<double, block> own;
        std::copy_n(numbers, block, own.begin());
        for (std::uint64_t pass = 0; pass < passes; ++pass) {
            for (double& number : own) number = number * factor + addend;
        }
        std::copy_n(own.begin(), block, numbers);
    }

    std::vector<double> memory_;
};

/// A user's program as a collective of all ranks (`collective_samples`). Every message begins with a word that says of
/// which phase, step and rank it is, as far as it is long enough.
class ProgramKernel {
  public:
    ProgramKernel(const ProgramRanks& program, int me, std::size_t bytes_of_work)
        : program_(program),
          me_(me),
          work_(bytes_of_work),
          out_(program.most_bytes),
          in_(program.most_bytes),
          sums_(program.most_bytes / sizeof(double)) {}

    void fill(std::size_t /*bytes*/, std::uint64_t time) {
        time_ = time;
        right_ = true;
    }
    template <class Member>
    void run(Member& member) {
        phase_ = 0;
        for (const RankPhase& phase : program_.phases[static_cast<std::size_t>(me_)]) {
            for (std::int64_t k = 0; k < phase.repeat; ++k) {
                if (phase.pieces > 0) {
                    run_pieces(member, phase);
                } else {
                    run_steps(member, phase);
                }
            }
            ++phase_;
        }
    }
    bool right() const { return right_; }

  private:
    void compute(const RankPhase& phase) {
        if (phase.seconds > 0) ProgramWork::wait(phase.seconds);
        if (phase.flops > 0 || phase.memory > 0) work_.compute(phase.flops, phase.memory);
    }

    template <class Member>
    void run_steps(Member& member, const RankPhase& phase) {
        compute(phase);
        std::uint64_t number = 0;
        const std::uint64_t all = phase.turns * phase.steps.size() + phase.rest;
        for (std::size_t at = 0; number < all; ++number, at = at + 1 == phase.steps.size() ? 0 : at + 1) {
            const ProgramStep& step = phase.steps[at];
            if (step.sends_first) send(member, step, number);
            receive(member, step, number);
            if (!step.sends_first) send(member, step, number);
        }
    }

    // Forwards all pieces by the steps that go on, then back those of the steps that go back.
    template <class Member>
    void run_pieces(Member& member, const RankPhase& phase) {
        for (const bool back : {false, true}) {
            for (std::int64_t piece = 0; piece < phase.pieces; ++piece) {
                const auto number = static_cast<std::uint64_t>(piece);
                for (const ProgramStep& step : phase.steps) {
                    if (goes_back(step) == back) receive(member, step, number);
                }
                if (!back) compute(phase);
                for (const ProgramStep& step : phase.steps) {
                    if (goes_back(step) == back) send(member, step, number);
                }
            }
        }
    }
    bool goes_back(const ProgramStep& step) const { return step.to >= 0 ? step.to < me_ : step.from > me_; }

    std::uint64_t word_of(int rank, std::uint64_t number) const {
        const std::uint64_t seed = (time_ << 40U) ^ (static_cast<std::uint64_t>(phase_) << 32U) ^ number;
        return seed * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(rank);
    }

    template <class Member>
    void send(Member& member, const ProgramStep& step, std::uint64_t number) {
        if (step.to < 0) return;
        const std::uint64_t word = word_of(me_, number);
        std::memcpy(out_.data(), &word, std::min<std::size_t>(step.bytes, sizeof word));
        member.send(step.to, out_.data(), step.bytes);
    }

    template <class Member>
    void receive(Member& member, const ProgramStep& step, std::uint64_t number) {
        if (step.from < 0) return;
        member.receive(step.from, in_.data(), step.bytes);
        const std::uint64_t word = word_of(step.from, number);
        right_ = std::memcmp(in_.data(), &word, std::min<std::size_t>(step.bytes, sizeof word)) == 0 && right_;
        if (!step.combines) return;
        const std::size_t count = step.bytes / sizeof(double);
        for (std::size_t i = 0; i < count; ++i) {
            double one = 0;
            std::memcpy(&one, in_.data() + i * sizeof one, sizeof one);
            sums_[i] += one;
        }
    }

    const ProgramRanks& program_;
    int me_;
    ProgramWork work_;
    std::vector<std::byte> out_, in_;
    std::vector<double> sums_;
    std::uint64_t time_ = 0;
    int phase_ = 0;
    bool right_ = true;
};

}  // namespace narrows
