#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/document.hpp"
#include "cli/given_network.hpp"
#include "topologies/routes/link_loads.hpp"

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

/// What traffic puts on the links of a network.
struct FoundLoads {
    /// The pattern's name or the matrix file.
    std::string traffic;
    bool is_matrix = false;
    std::string routing;
    /// How many of the fullest links to list.
    int listed = 0;
    /// Nothing when the search for routes was stopped.
    std::optional<LinkLoads> loads;
};

/// Routes the traffic over `network`, which is `given` written out. Throws InputError for words that say nothing.
FoundLoads find_loads(const GivenNetwork& given, const Network& network, const LoadWords& words, const Stop& stop);

/// Adds to `document` the fullest link, the rate that it allows, the hottest links; a remark when there are no loads.
/// Precondition: `given` is written out.
void add_loads(const GivenNetwork& given, const FoundLoads& found, Document& document);

}  // namespace narrows
