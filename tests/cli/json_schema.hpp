#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace narrows {

/// What of `json` is not as `schema` says, a line each; empty when all is. Of JSON Schema it knows what
/// docs/output.schema.json uses: `type`, `enum`, `required`, `properties`, `additionalProperties`, `items`, `minimum`,
/// `pattern`, `anyOf`, `$ref` into `root`. Throws std::logic_error for a word that it does not know.
std::vector<std::string> schema_violations(const nlohmann::json& root, const nlohmann::json& schema,
                                           const nlohmann::json& json, const std::string& place = "");

}  // namespace narrows
