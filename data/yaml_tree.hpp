#pragma once

#include <string>
#include <vector>

#include "data/source_text.hpp"

namespace narrows {

struct YamlEntry;

/// A YAML map, list or scalar with its place. Scalars are texts: `010`, `yes` and `1e3` stay as written. A list's
/// entries have no keys.
struct YamlNode {
    enum class Form { nothing, scalar, map, list };

    Form form = Form::nothing;
    Place place;
    std::string scalar;
    std::vector<YamlEntry> entries;  ///< in the file's order; no key comes twice

    bool is_map() const { return form == Form::map; }
    bool is_list() const { return form == Form::list; }
    bool is_scalar() const { return form == Form::scalar; }
    /// The entry called `key`, or nullptr.
    const YamlEntry* find(const std::string& key) const;
};

struct YamlEntry {
    std::string key;
    Place place;  ///< of the key
    YamlNode value;
};

/// Reads one YAML document made of maps, lists and scalars.
/// Throws InputError with the place for bad syntax, duplicate keys, anchors, tags, several documents, tabs as
/// indentation, nesting deeper than 32, and bytes that are not text. An empty text gives a node of form `nothing`.
YamlNode parse_yaml(const SourceText& source);

}  // namespace narrows
