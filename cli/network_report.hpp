#pragma once

#include <string>

#include "cli/document.hpp"
#include "cli/given_network.hpp"

namespace narrows {

/// A number as JSON has it: null where it is infinite.
nlohmann::ordered_json json_of_number(double value);

/// Adds what the network is: nodes, switches, links, largest degree; diameter and mean distance where a formula gives
/// them, or measuring them takes seconds at most.
void describe(const GivenNetwork& given, const NetworkAnalysis& found, Document& document);

/// Adds the four numbers, each with its method and certificate.
void add_numbers(const GivenNetwork& given, const NetworkAnalysis& found, Document& document);

}  // namespace narrows
