#pragma once

#include <string>
#include <vector>

#include "calibrate/study/sampling.hpp"

namespace narrows {

/// A sample as one line of JSON, with its line break.
std::string line_of(const Sample& sample);

/// The samples that an interrupted calibration kept. A last line that was cut off is passed over; InputError with file
/// and line for anything else that is not a sample.
std::vector<Sample> read_samples(const std::string& file);

}  // namespace narrows
