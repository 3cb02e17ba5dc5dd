#pragma once

#include <string>

#include "model/framing.hpp"
#include "model/machine.hpp"

namespace narrows {

/// The framing below `path` (`paths.mpi.link.framing`); what the file leaves out adds nothing.
Framing read_framing(const Machine& machine, const std::string& path);

/// The value at `path`, or zero where the file says nothing.
Time time_or_zero(const Machine& machine, const std::string& path);
Data data_or_zero(const Machine& machine, const std::string& path);

}  // namespace narrows
