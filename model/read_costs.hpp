#pragma once

#include <string>

#include "model/framing.hpp"
#include "model/machine.hpp"
#include "model/message_cost.hpp"

namespace narrows {

/// The framing below `path` (`messaging.mpi.framing`); what the file leaves out adds nothing.
Framing read_framing(const Machine& machine, const std::string& path);

/// The cost below `path` (`messaging.mpi.send`). InputError when there is no `per_message`; `per_byte` may be missing.
MessageCost read_message_cost(const Machine& machine, const std::string& path);

/// The value at `path`, or zero where the file says nothing.
Time time_or_zero(const Machine& machine, const std::string& path);
Data data_or_zero(const Machine& machine, const std::string& path);

}  // namespace narrows
