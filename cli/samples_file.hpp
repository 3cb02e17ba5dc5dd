#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "calibrate/study/message_line.hpp"
#include "calibrate/study/sampling.hpp"

namespace narrows {

/// A sample as one line of JSON, with its line break.
std::string line_of(const Sample& sample);

/// What a file of samples has.
struct AllSamples {
    std::vector<Sample> updates;
    std::vector<MessageSample> messages;
    std::vector<Sample> phases;  ///< of messages, by the names of `MessageStudyCase`
    int cut_line = 0;            ///< the last line of the file, if it was cut off and left out; else 0
};

/// The file that samples are kept in as they are taken: first, whole, those of the session that goes on.
class SamplesFile {
  public:
    /// Keeps nothing when `name` is empty. Throws InputError when the file cannot be written.
    SamplesFile(const std::string& name, const AllSamples& earlier);

    /// Throws InputError when there is no room any more.
    void keep(const Sample& sample) { append(line_of(sample)); }
    void keep(const MessageSample& sample) { append(line_of(sample)); }

  private:
    void append(const std::string& line);

    std::string name_;
    std::ofstream out_;
};

/// The samples that an interrupted calibration kept. A last line that was cut off is passed over; InputError with file
/// and line for anything else that is not a sample.
AllSamples read_samples(const std::string& file);

}  // namespace narrows
