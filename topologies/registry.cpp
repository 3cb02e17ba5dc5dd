#include "topologies/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topologies/family_records.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
const std::vector<FamilyRecord>& topology_families() {
    static const std::vector<FamilyRecord> families = family_records();
    return families;
}

const FamilyRecord& topology_family(const std::string& name) {
    return record_called(name, topology_families(), "no topology is called");
}

void require_words(const FamilyRecord& family, const TopologySpec& spec) {
    if (spec.size && family.size.empty()) {
        throw InputError(
            fmt::format("'{}' in topology '{}' is not name=value: write {}", *spec.size, family.name, family.grammar));
    }
    if (!spec.size && !family.size.empty()) {
        throw InputError(
            fmt::format("topology '{}' lacks its {}: write it like '{}'", family.name, family.size, family.example));
    }
    std::vector<std::string> names;
    for (const ParameterRecord& parameter : family.parameters) names.push_back(parameter.name);
    for (const auto& [name, value] : spec.parameters) {
        if (std::ranges::find(names, name) != names.end()) continue;
        const std::string near = did_you_mean(name, names);
        throw InputError(fmt::format("topology '{}' takes no '{}'{}", family.name, name,
                                     near.empty() ? ": write " + family.grammar : near));
    }
    for (const auto& [name, meaning, required] : family.parameters) {
        if (!required || spec.parameters.contains(name)) continue;
        throw InputError(fmt::format("topology '{}' lacks {}= ({}): write it like '{}'", family.name, name, meaning,
                                     family.example));
    }
}

}  // namespace narrows
