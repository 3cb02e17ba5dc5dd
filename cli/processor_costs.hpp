#pragma once

#include <string_view>

#include "calibrate/ranks/virtual_processor.hpp"

namespace narrows {

/// Reads `update=1us,send=50us,receive=50us`, of which some may be left out. Throws InputError.
ProcessorCosts parse_processor_costs(std::string_view text);

}  // namespace narrows
