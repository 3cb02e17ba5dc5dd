#pragma once

#include <fstream>
#include <string>

#include "calibrate/study/sample_lines.hpp"

namespace narrows {

/// The file that samples are kept in as they are taken, from the first one on: before that one, whole, those of the
/// session that goes on.
class SamplesFile {
  public:
    /// Keeps nothing when `name` is empty. Throws InputError when the file cannot be written.
    SamplesFile(const std::string& name, const AllSamples& earlier);

    /// Throws InputError when there is no room any more.
    void keep(const Sample& sample) { append(line_of(sample)); }
    void keep(const MessageSample& sample) { append(line_of(sample)); }

    /// Keeps those of the session that goes on where none was taken after them.
    void keep_earlier();

  private:
    void append(const std::string& line);

    std::string name_;
    std::string earlier_;
    std::ofstream out_;
};

/// The samples that an interrupted calibration kept. A last line that was cut off is passed over; InputError with file
/// and line for anything else that is not a sample.
AllSamples read_samples(const std::string& file);

}  // namespace narrows
