#include "topologies/routes/routing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topologies/input_error.hpp"
#include "topologies/routes/dimension_order.hpp"
#include "topologies/routes/shortest.hpp"
#include "topologies/routes/up_down.hpp"
#include "topologies/routes/valiant.hpp"

namespace narrows {

Routing parse_routing(std::string_view text) {
    const std::string word(text.substr(0, text.find(' ')));
    static const std::vector<std::string> names{"dimension-order", "shortest", "valiant", "up-down"};  // as the kinds
    const auto named = std::ranges::find(names, word);
    if (named == names.end()) refuse_name("no routing is called", text, names);
    Routing routing{static_cast<Routing::Kind>(named - names.begin()), false};
    if (word.size() == text.size()) return routing;
    routing.ties_onwards = text.substr(word.size()) == " ties=onwards";
    if (routing.ties_onwards && routing.kind == Routing::Kind::dimension_order) return routing;
    throw InputError(
        fmt::format("'{}' is not a routing: only 'dimension-order ties=onwards' has a rule for ties", text));
}

std::optional<LinkLoads> routed_loads(const Routing& routing, const Network& network, const std::vector<int>& shape,
                                      const std::vector<bool>& wraps, const Traffic& traffic, int threads,
                                      const Stop& stop) {
    switch (routing.kind) {
        case Routing::Kind::valiant:
            return valiant_loads(network, traffic, Split::by_paths, stop);
        case Routing::Kind::up_down:
            return up_down_loads(network, traffic, stop);
        case Routing::Kind::shortest:
            return shortest_loads(network, traffic, Split::by_paths, threads, stop);
        case Routing::Kind::dimension_order:
            break;
    }
    if (shape.empty()) {
        throw InputError(
            "dimension-order routing is for a whole mesh, torus or hypercube given by name: choose 'shortest'");
    }
    return dimension_order_loads(network, shape, wraps, traffic, routing.ties_onwards);
}

}  // namespace narrows
