#include "topologies/importers/attributes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace narrows {

VertexKind to_kind(const Source& source, std::string_view value, std::string_view place) {
    constexpr std::array switches{std::string_view("switch"), std::string_view("router")};
    constexpr std::array hosts{std::string_view("host"), std::string_view("node"), std::string_view("compute"),
                               std::string_view("server"), std::string_view("endpoint")};
    if (std::ranges::find(switches, value) != switches.end()) return VertexKind::switching;
    if (std::ranges::find(hosts, value) != hosts.end()) return VertexKind::host;
    throw source.error(place, fmt::format("{} is not a kind of vertex: write host or switch", quoted(value)));
}

void CapacityRule::require_same(const Source& source, bool weighted, std::string_view place) {
    if (weighted_.value_or(weighted) != weighted) {
        throw source.error(place, weighted ? "this link has a capacity, but those above have none: give all or none"
                                           : "this link has no capacity, but those above have: give all or none");
    }
    weighted_ = weighted;
}

}  // namespace narrows
