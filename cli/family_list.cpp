#include "cli/family_list.hpp"

#include <fmt/format.h>

#include "topologies/registry.hpp"

namespace narrows {
namespace {

std::string parameters_text(const FamilyRecord& family) {
    std::vector<std::string> texts;
    if (!family.size.empty()) texts.push_back("the word without '=': " + family.size);
    for (const auto& [name, meaning, required] : family.parameters)
        texts.push_back(fmt::format("{}: {}", name, meaning));
    return fmt::format("{}", fmt::join(texts, ". "));
}

nlohmann::ordered_json json_of_family(const FamilyRecord& family) {
    auto parameters = nlohmann::ordered_json::array();
    for (const auto& [name, meaning, required] : family.parameters) {
        parameters.push_back({{"name", name}, {"meaning", meaning}, {"required", required}});
    }
    return {{"name", family.name}, {"grammar", family.grammar}, {"help", family.help},    {"parameters", parameters},
            {"size", family.size}, {"example", family.example}, {"source", family.source}};
}

}  // namespace

Document family_list() {
    Document document{json_of("topology")};
    document.json["families"] = nlohmann::ordered_json::array();
    Table table{"", {"family", "written as", "what it is", "example", "parameters", "formulas"}, {}};
    table.sentences = 4;
    for (const FamilyRecord& family : topology_families()) {
        document.json["families"].push_back(json_of_family(family));
        table.rows.push_back(
            {family.name, family.grammar, family.help, family.example, parameters_text(family), family.source});
    }
    document.tables.push_back(table);
    return document;
}

}  // namespace narrows
