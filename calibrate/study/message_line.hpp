#pragma once

#include <string>

#include "calibrate/study/message_case.hpp"

namespace narrows {

/// A sample as one line of JSON, with its line break, as files of samples have them.
std::string line_of(const MessageSample& sample);

}  // namespace narrows
