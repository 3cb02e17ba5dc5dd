#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/messages/workload.hpp"
#include "model/residual_surface.hpp"

namespace narrows {

/// The phases of messages whose times a calibration measures beside what the model says of them.
enum class MessagePhase { ping_pong, halo_exchange, allreduce, all_to_all };

std::string_view name_of(MessagePhase phase);

/// The phase of a collective by this algorithm, if calibrations measure it.
std::optional<MessagePhase> measured_phase(std::string_view collective, std::string_view algorithm);

/// The name of the residuals of a phase by a protocol: `allreduce-eager`.
std::string residuals_of(MessagePhase phase, const std::string& protocol);

/// What the time of the project's own messages inside a node follows, beyond what its formula has: bytes, ranks,
/// neighbours, and which algorithm.
std::vector<ResidualVariable> residual_variables(MessagePhase phase, const MessageQuery& query);

/// The prediction, which says that `what` lies beyond what was measured where the machine has runs measured inside its
/// node at all.
TimePrediction beyond_measured(TimePrediction prediction, const Machine& machine, const std::string& what);

/// The prediction corrected by what was measured beside it, where the machine has residuals of the phase by the query's
/// protocol; as it is for a machine with a network, a composed one, and a time of zero. InputError for residuals of
/// other variables.
TimePrediction corrected(TimePrediction prediction, const Machine& machine, MessagePhase phase,
                         const MessageQuery& query);

}  // namespace narrows
