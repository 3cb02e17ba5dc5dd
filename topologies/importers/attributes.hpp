#pragma once

#include <optional>
#include <string_view>

#include "topologies/importers/network_builder.hpp"

namespace narrows {

/// Whether an attribute of a vertex says its kind: `kind` or `type`.
inline bool names_kind(std::string_view attribute) {
    return attribute == "kind" || attribute == "type";
}

/// The kind that a value of such an attribute says: switch or router; host, node, compute, server or endpoint. Throws
/// InputError at `place` for anything else.
VertexKind to_kind(const Source& source, std::string_view value, std::string_view place);

/// Whether all edges said their capacity, or none: a network is never half weighted.
class CapacityRule {
  public:
    /// Throws InputError at `place` when this edge differs from those before.
    void require_same(const Source& source, bool weighted, std::string_view place);
    bool weighted() const { return weighted_.value_or(false); }

  private:
    std::optional<bool> weighted_;
};

}  // namespace narrows
