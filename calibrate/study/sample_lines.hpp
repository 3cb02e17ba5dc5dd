#pragma once

#include <string>

#include "calibrate/study/calibration.hpp"
#include "calibrate/study/message_line.hpp"

namespace narrows {

/// A sample as one line of JSON, with its line break.
std::string line_of(const Sample& sample);

/// What a file of samples has.
struct AllSamples : CalibrationSamples {
    int cut_line = 0;  ///< the last line of the file, if it was cut off and left out; else 0
};

/// All of them, a line each.
std::string lines_of(const AllSamples& samples);

/// The samples in a text of such lines. A last line that was cut off is passed over; InputError with `file` and line
/// for anything else that is not a sample.
AllSamples samples_in(const std::string& text, const std::string& file);

/// The machine that the samples of `file` describe, which were taken anywhere, named after the file. InputError when
/// there are none, or none of a case that calibrations know; `rare` as in the function of the same name.
Calibration calibrate_from(const CalibrationChoice& choice, const AllSamples& samples, const std::string& file,
                           const std::function<void(std::size_t rare, std::size_t known)>& rare);

}  // namespace narrows
