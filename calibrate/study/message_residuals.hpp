#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "calibrate/fit/least_squares.hpp"
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

/// Runs rounds of the design, each case for some milliseconds, in about half of the `seconds`, and then all of them
/// again; those whose two shortest visits differ up to five times in all, until the seconds are over or `stopped` says
/// so. Visits of `earlier` count. Hands each sample to `sink`. Cases that the machine cannot predict are left out.
std::vector<Sample> sample_messages_design(const Machine& machine, const CaseLimits& limits, double seconds,
                                           std::vector<Sample> earlier, const std::function<void(const Sample&)>& sink,
                                           const std::function<bool()>& stopped);

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
