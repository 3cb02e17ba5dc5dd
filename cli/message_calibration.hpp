#pragma once

#include <vector>

#include "calibrate/study/message_sampling.hpp"
#include "cli/calibration_session.hpp"
#include "cli/samples_file.hpp"
#include "cli/time_limit.hpp"

namespace narrows {

// The messages of a calibration.

/// The part of a calibration's time that messages have.
inline constexpr double share_of_messages = 1.0 / 6;

/// And beside it those that fill the space of cases, for what the fitted messages leave there.
inline constexpr double share_of_message_design = 1.0 / 8;

/// Samples of messages between ranks of this process, on from the `earlier` ones, each of which `kept` keeps.
MessageSampled sample_messages_here(const CalibrationWords& words, const TimeLimit& deadline, SamplesFile& kept,
                                    std::vector<MessageSample> earlier);

/// Samples of phases of messages anywhere in the space of cases, on from the `earlier` ones, each of which `kept`
/// keeps; for as long as their share of the time. `machine` says how long they take.
std::vector<Sample> sample_phases_here(const Machine& machine, const CalibrationWords& words, const TimeLimit& deadline,
                                       SamplesFile& kept, std::vector<Sample> earlier);

/// Adds what the samples of phases leave of its predictions to a machine that has its messages, and what an allreduce
/// combines a byte in.
void add_phases(Machine& machine, const std::vector<Sample>& phases);

/// Adds all that the samples say to the machine. Intervals are `widening` times as wide as they would be on a quiet
/// machine.
void add_all_messaging(Machine& machine, const std::vector<MessageSample>& samples, double widening);

}  // namespace narrows
