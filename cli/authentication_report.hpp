#pragma once

#include "calibrate/kernels/messages/measure.hpp"
#include "cli/document.hpp"

namespace narrows {

/// Adds to a run's JSON whether what processes sent each other was authenticated, and what that costs here; nothing
/// where they send over neither TCP nor UDP.
void add_authentication(Transport transport, bool authenticated, nlohmann::ordered_json& json);

/// Says the same of what the document's JSON has, to a human reader.
void add_authentication_remark(Document& document);

}  // namespace narrows
