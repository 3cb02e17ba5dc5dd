#pragma once

#include <string>
#include <string_view>

#include "model/framing.hpp"
#include "model/machine.hpp"

namespace narrows {

/// The framing below `path` (`paths.mpi.link.framing`); what the file leaves out adds nothing.
Framing read_framing(const Machine& machine, const std::string& path);

/// The value at `path`, or `usual` where the file says nothing.
double number_or(const Machine& machine, std::string_view path, double usual);

/// The same with zero for `usual`.
Time time_or_zero(const Machine& machine, std::string_view path);
Data data_or_zero(const Machine& machine, std::string_view path);

}  // namespace narrows
