#pragma once

#include <vector>

#include "calibrate/study/message_sampling.hpp"
#include "cli/calibration_session.hpp"
#include "cli/samples_file.hpp"

namespace narrows {

// The messages of a calibration.

/// The part of a calibration's time that messages have.
inline constexpr double share_of_messages = 1.0 / 6;

/// Samples of messages between ranks of this process, on from the `earlier` ones, each of which `kept` keeps.
MessageSampled sample_messages_here(const CalibrationWords& words, SamplesFile& kept,
                                    std::vector<MessageSample> earlier);

/// Adds all that the samples say to the machine. Intervals are `widening` times as wide as they would be on a quiet
/// machine.
void add_all_messaging(Machine& machine, const std::vector<MessageSample>& samples, double widening);

}  // namespace narrows
