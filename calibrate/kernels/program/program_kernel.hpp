#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "calibrate/kernels/program/program_work.hpp"
#include "calibrate/kernels/program/rank_program.hpp"
#include "calibrate/messaging/member.hpp"

namespace narrows {

/// A user's program as a collective of all ranks (`collective_samples`). Every message begins with a word that says of
/// which phase, step and rank it is, as far as it is long enough.
class ProgramKernel {
  public:
    static constexpr bool follows_itself = true;

    ProgramKernel(const ProgramRanks& program, int me, std::size_t bytes_of_work)
        : program_(&program),
          me_(me),
          work_(bytes_of_work),
          out_(program.most_bytes),
          in_(program.most_bytes),
          sums_(program.most_bytes / sizeof(double)) {}

    /// Runs another program from now on, of messages no larger than the first one's.
    void follow(const ProgramRanks& program) { program_ = &program; }
    void fill(std::size_t /*bytes*/, std::uint64_t time) {
        time_ = time;
        right_ = true;
    }
    void run(Member& member) {
        const std::vector<RankPhase>& phases = program_->phases[static_cast<std::size_t>(me_)];
        for (phase_ = 0; phase_ < phases.size(); ++phase_) {
            const int group = phases[phase_].overlap;
            if (group < 0) {
                run_phase(member, phases[phase_]);
            } else if (!ran_before(phases, group)) {
                run_together(member, phases, group);
            }
        }
    }
    bool right() const { return right_; }

  private:
    bool ran_before(const std::vector<RankPhase>& phases, int group) const {
        return std::any_of(phases.begin(), phases.begin() + static_cast<std::ptrdiff_t>(phase_),
                           [group](const RankPhase& phase) { return phase.overlap == group; });
    }

    // The group's phases with messages one after the other, and whenever one waits some of what others only compute.
    void run_together(Member& member, const std::vector<RankPhase>& phases, int group) {
        const std::size_t first = phase_;
        for (const RankPhase& phase : phases) {
            if (phase.overlap == group && phase.steps.empty()) {
                work_.add(phase, phase.repeat * std::max<std::int64_t>(1, phase.pieces));
            }
        }
        member.compute_meanwhile(&work_);
        for (; phase_ < phases.size(); ++phase_) {
            const RankPhase& phase = phases[phase_];
            if (phase.overlap == group && !phase.steps.empty()) run_phase(member, phase);
        }
        member.compute_meanwhile(nullptr);
        work_.finish();
        phase_ = first;
    }

    void run_phase(Member& member, const RankPhase& phase) {
        for (std::int64_t k = 0; k < phase.repeat; ++k) {
            if (phase.pieces > 0) {
                run_pieces(member, phase);
            } else {
                run_steps(member, phase);
            }
        }
    }

    void run_steps(Member& member, const RankPhase& phase) {
        work_.compute(phase);
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
    void run_pieces(Member& member, const RankPhase& phase) {
        for (const bool back : {false, true}) {
            for (std::int64_t piece = 0; piece < phase.pieces; ++piece) {
                const auto number = static_cast<std::uint64_t>(piece);
                for (const ProgramStep& step : phase.steps) {
                    if (goes_back(step) == back) receive(member, step, number);
                }
                if (!back) work_.compute(phase);
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

    void send(Member& member, const ProgramStep& step, std::uint64_t number) {
        if (step.to < 0) return;
        const std::uint64_t word = word_of(me_, number);
        std::memcpy(out_.data(), &word, std::min<std::size_t>(step.bytes, sizeof word));
        member.send(step.to, out_.data(), step.bytes);
    }

    void receive(Member& member, const ProgramStep& step, std::uint64_t number) {
        if (step.from < 0) return;
        member.receive(step.from, in_.data(), step.bytes_in);
        const std::uint64_t word = word_of(step.from, number);
        right_ = std::memcmp(in_.data(), &word, std::min<std::size_t>(step.bytes_in, sizeof word)) == 0 && right_;
        if (!step.combines) return;
        const std::size_t count = step.bytes_in / sizeof(double);
        for (std::size_t i = 0; i < count; ++i) {
            double one = 0;
            std::memcpy(&one, in_.data() + i * sizeof one, sizeof one);
            sums_[i] += one;
        }
    }

    const ProgramRanks* program_;
    int me_;
    ProgramWork work_;
    std::vector<std::byte> out_, in_;
    std::vector<double> sums_;
    std::uint64_t time_ = 0;
    std::size_t phase_ = 0;
    bool right_ = true;
};

}  // namespace narrows
