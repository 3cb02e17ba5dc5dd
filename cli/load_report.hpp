#pragma once

#include <optional>
#include <string>

#include "cli/document.hpp"
#include "cli/given_network.hpp"
#include "cli/words.hpp"
#include "topologies/routes/link_loads.hpp"
#include "topologies/routes/traffic.hpp"

namespace narrows {

/// Traffic to route over a network, and the load that it puts on the links.
struct FoundLoads {
    /// The pattern's name or the matrix file.
    std::string name;
    bool is_matrix = false;
    Traffic traffic;
    std::string routing;
    /// How many of the fullest links to list.
    int listed = 0;
    /// Nothing when the search for routes was stopped.
    std::optional<LinkLoads> loads;
};

/// Whether --traffic, --routing or --hottest is given.
bool asks_for_loads(const OptionWords& words);

/// What these options ask for, not yet routed. Throws InputError for words that say nothing. Precondition: `given` is
/// written out.
FoundLoads read_loads(const GivenNetwork& given, const OptionWords& words);

/// Routes the traffic over `given`. Throws InputError where it cannot go that way. Precondition: written out.
void find_loads(const GivenNetwork& given, const Stop& stop, FoundLoads& found);

/// Adds to `document` the fullest link, the rate that it allows, the hottest links; a remark when there are no loads.
/// Preconditions: `given` is written out; the document has the four numbers.
void add_loads(const GivenNetwork& given, const FoundLoads& found, Document& document);

}  // namespace narrows
