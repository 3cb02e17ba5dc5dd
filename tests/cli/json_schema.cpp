#include "json_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <stdexcept>

namespace narrows {
namespace {

using Json = nlohmann::json;

bool has_type(const Json& json, const std::string& type) {
    if (type == "number") return json.is_number();
    if (type == "integer") return json.is_number_integer();
    if (type == "null") return json.is_null();
    return type == json.type_name();
}

void require_known(const Json& schema, const std::string& place) {
    static const std::set<std::string> known = {
        "type",    "enum",    "required", "properties", "additionalProperties", "items", "minimum",
        "pattern", "$schema", "title",    "$defs",      "description",          "anyOf", "$ref"};
    for (const auto& [word, value] : schema.items()) {
        if (!known.contains(word))
            throw std::logic_error(fmt::format("{}: unknown word in the schema: {}", place, word));
    }
}

class Checker {
  public:
    explicit Checker(const Json& root) : root_(root) {}

    void check(const Json& schema, const Json& json, const std::string& place) {
        if (schema.is_boolean()) {
            if (!schema.get<bool>()) fail(place, "is not in the schema");
            return;
        }
        require_known(schema, place);
        if (const auto ref = schema.find("$ref"); ref != schema.end()) {
            check(root_.at(Json::json_pointer(ref->get<std::string>().substr(1))), json, place);
        }
        check_value(schema, json, place);
        if (const auto any = schema.find("anyOf"); any != schema.end()) check_any(*any, json, place);
        if (json.is_object()) check_object(schema, json, place);
        if (const auto items = schema.find("items"); json.is_array() && items != schema.end()) {
            for (std::size_t i = 0; i < json.size(); ++i) check(*items, json[i], place + "[" + std::to_string(i) + "]");
        }
    }

    std::vector<std::string> violations;

  private:
    void fail(const std::string& place, const std::string& what) { violations.push_back(place + ": " + what); }

    void check_value(const Json& schema, const Json& json, const std::string& place) {
        if (const auto type = schema.find("type"); type != schema.end()) {
            const Json types = type->is_array() ? *type : Json::array({*type});
            const bool one = std::ranges::any_of(types, [&](const Json& t) { return has_type(json, t); });
            if (!one) fail(place, json.dump() + " is not of type " + types.dump());
        }
        if (const auto values = schema.find("enum"); values != schema.end()) {
            if (std::ranges::find(*values, json) == values->end())
                fail(place, json.dump() + " is none of " + values->dump());
        }
        if (const auto least = schema.find("minimum"); least != schema.end() && json.is_number()) {
            if (json < *least) fail(place, json.dump() + " is below " + least->dump());
        }
        if (const auto pattern = schema.find("pattern"); pattern != schema.end() && json.is_string()) {
            if (!std::regex_search(json.get<std::string>(), std::regex(pattern->get<std::string>())))
                fail(place, json.dump() + " does not match " + pattern->dump());
        }
    }

    // The complaints of the alternative with the fewest.
    void check_any(const Json& alternatives, const Json& json, const std::string& place) {
        std::vector<std::string> fewest(1, place + ": there is no alternative");
        for (std::size_t i = 0; i < alternatives.size(); ++i) {
            Checker one(root_);
            one.check(alternatives[i], json, place);
            if (i == 0 || one.violations.size() < fewest.size()) fewest = one.violations;
        }
        violations.insert(violations.end(), fewest.begin(), fewest.end());
    }

    void check_object(const Json& schema, const Json& json, const std::string& place) {
        for (const Json& name : schema.value("required", Json::array())) {
            if (!json.contains(name.get<std::string>())) fail(place, "lacks " + name.dump());
        }
        const Json properties = schema.value("properties", Json::object());
        const Json others = schema.value("additionalProperties", Json(true));
        for (const auto& [name, member] : json.items()) {
            const auto known = properties.find(name);
            check(known != properties.end() ? *known : others, member, fmt::format("{}.{}", place, name));
        }
    }

    const Json& root_;
};

}  // namespace

std::vector<std::string> schema_violations(const Json& root, const Json& schema, const Json& json,
                                           const std::string& place) {
    Checker checker(root);
    checker.check(schema, json, place);
    return checker.violations;
}

}  // namespace narrows
