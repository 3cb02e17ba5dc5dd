#include "cli/samples_file.hpp"

#include <fmt/format.h>

#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

SamplesFile::SamplesFile(const std::string& name, const AllSamples& earlier)
    : name_(name), earlier_(lines_of(earlier)) {
    if (!name.empty()) require_writable(name);
}

void SamplesFile::keep_earlier() {
    if (name_.empty() || earlier_.empty()) return;
    write_whole_file(name_, earlier_);
    earlier_.clear();
}

void SamplesFile::append(const std::string& line) {
    if (name_.empty()) return;
    keep_earlier();
    if (!out_.is_open()) out_.open(name_, std::ios::app);
    if (!(out_ << line << std::flush)) {
        throw InputError(fmt::format("cannot write the samples to '{}': make room, then go on with --resume", name_));
    }
}

AllSamples read_samples(const std::string& file) {
    return samples_in(read_whole_file(file), file);
}

}  // namespace narrows
