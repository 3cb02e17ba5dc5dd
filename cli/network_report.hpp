#pragma once

#include <optional>

#include "cli/document.hpp"
#include "cli/given_network.hpp"
#include "topologies/distance.hpp"

namespace narrows {

/// A number as JSON has it: null where it is infinite.
nlohmann::ordered_json json_of_number(double value);

/// Diameter and mean distance where a formula gives them, or measuring them takes a fifth of `seconds` and some seconds
/// at most. Precondition: a file's or a part's network is written out.
std::optional<Distances> measured_distances(const GivenNetwork& given, double seconds, const Stop& stop);

/// Adds what the network is: nodes, switches, links, largest degree; distances where they are known.
void describe(const GivenNetwork& given, const std::optional<Distances>& distances, Document& document);

/// Adds the four numbers, each with its method and certificate.
void add_numbers(const GivenNetwork& given, const NetworkAnalysis& found, Document& document);

}  // namespace narrows
