#pragma once

#include <string>

#include "cli/document.hpp"
#include "cli/given_network.hpp"

namespace narrows {

/// What traffic to lay on a network, and how it finds its way; all texts as the user wrote them.
struct LoadWords {
    /// A pattern's name or a matrix file.
    std::string traffic;
    std::string routing;
    /// How many links to list.
    std::string hottest;

    bool any() const { return !traffic.empty() || !routing.empty() || !hottest.empty(); }
};

/// The ways of routing, by name.
const std::vector<std::string>& routing_names();

/// Adds to `document` what the traffic puts on the links: the fullest link, the rate that it allows, the hottest links.
/// Nothing but a remark when `stop` ended it.
void add_loads(const GivenNetwork& given, const Network& network, const LoadWords& words, const Stop& stop,
               Document& document);

}  // namespace narrows
