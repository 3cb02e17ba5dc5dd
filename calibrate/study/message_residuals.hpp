#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "calibrate/fit/least_squares.hpp"
#include "calibrate/measure/time_limit.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/study/case_design.hpp"
#include "calibrate/study/message_space.hpp"
#include "calibrate/study/sampling.hpp"
#include "model/machine.hpp"

namespace narrows {

/// What the machine predicts for the case, without an interval. InputError as `predict`.
TimePrediction prediction_of(const Machine& machine, const MessageStudyCase& what);

/// Cases that fill the space of messages evenly for every phase and protocol, one of their rounds after the other: of
/// phases that have more to vary there are more. A round is complete by itself, in an order by chance.
/// Source: Sobol 1967, as Boost has the sequence.
std::vector<std::vector<MessageStudyCase>> message_design(const CaseLimits& limits, int rounds);

/// Whether phases go on, and for how many times as long as is due, when cores are at a distance at which they have
/// spent `here` of the `spent` seconds: four times where that is less than half of them, not at all where it is half of
/// `all` that they have.
double times_as_long(double here, double spent, double all);

/// Visits cases of the design of messages for some milliseconds each, a little at a time between other runs: cores are
/// as far from each other as beside those.
class PhaseSampling {
  public:
    /// For `seconds` in all. Visits of `earlier` samples count. Hands each new one to `sink`. `machine` says how long
    /// cases take; those that it cannot predict are left out.
    PhaseSampling(Machine machine, const CaseLimits& limits, double seconds, std::vector<Sample> earlier,
                  std::function<void(const Sample&)> sink, std::function<bool()> stopped);

    /// Goes on for `times_as_long` times so many seconds, or until `stopped` says so: with new cases, with those
    /// visited once, and with those whose two shortest visits differ, up to five times in all. Not where the distance
    /// of cores cannot be measured.
    void go_on(double seconds);
    /// For the seconds that are left, at any distance.
    void finish(const TimeLimit& limit);
    /// How many are left.
    double left() const { return std::max(0.0, seconds_ - spent_); }
    const std::vector<Sample>& samples() const { return samples_; }

  private:
    struct Visited {
        MessageStudyCase what;
        std::vector<double> times;

        bool disagrees() const;
    };

    std::optional<std::size_t> next_case();
    void line_up(std::size_t index);
    void visit(Visited& one);
    double spent_here() const;
    void visit_until_allowed();

    Machine machine_;
    double seconds_;
    std::vector<Sample> samples_;
    std::function<void(const Sample&)> sink_;
    std::function<bool()> stopped_;
    Cores cores_;
    double distance_ = 0;
    std::vector<Visited> design_;
    std::size_t first_ = 0;             ///< cases of the design's first rounds, which none is repeated before
    std::size_t begun_ = 0;             ///< cases of the design
    std::deque<std::size_t> once_;      ///< visited once
    std::deque<std::size_t> doubtful_;  ///< whose visits differ
    std::size_t turns_ = 0;
    double spent_ = 0;    ///< seconds
    double allowed_ = 0;  ///< seconds
};

/// What combining a byte takes in an allreduce.
///
/// Statement: the median of (T - t) / (n r), over trees of 4 KiB to 256 KiB.
/// Symbols:   T measured, t predicted without combining, n bytes, r = ceil(lg ranks) times that they are combined.
/// Source:    derived: the model's allreduce, whose up-going rounds combine.
/// Range:     vectors that a cache holds, with what a sum reads beside what a message brought.
/// Test:      tests/calibrate/test_message_space.cpp
std::optional<Coefficient> combining_of(const Machine& machine, const std::vector<Sample>& samples);

/// The predictions for cases of messages; its cases are those of `message_design`. A rank has a worker.
CaseSpace message_space();

}  // namespace narrows
