#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "topologies/closed_forms.hpp"
#include "topologies/spec.hpp"

namespace narrows {

/// A parameter that a family takes as `name=value`.
struct ParameterRecord {
    std::string name;
    std::string meaning;
    bool required = false;
};

/// Everything about one family of networks: how it is written, what it is, where its closed forms come from.
struct FamilyRecord {
    /// First word of the grammar.
    std::string name = {};
    /// How a specification is written.
    std::string grammar;
    /// What the word without '=' is, empty when the family takes none.
    std::string size = {};
    std::vector<ParameterRecord> parameters = {};
    std::string help;
    /// A specification that parses.
    std::string example;
    /// Source of the closed forms.
    std::string source;
    /// Makes the member; throws InputError when a value is impossible.
    std::function<std::shared_ptr<const ClosedForms>(const TopologySpec&)> make;
};

/// All families, in the order in which help lists them.
const std::vector<FamilyRecord>& topology_families();

/// The family called `name`. Throws InputError with the nearest name when there is none.
const FamilyRecord& topology_family(const std::string& name);

/// Throws InputError when `spec` lacks a word that `family` requires or has one that it does not take.
void require_words(const FamilyRecord& family, const TopologySpec& spec);

}  // namespace narrows
