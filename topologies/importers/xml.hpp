#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "topologies/importers/source.hpp"

namespace narrows {

/// A parsed XML file that knows where its elements stand.
class Xml {
  public:
    /// Throws InputError where the text is no XML.
    explicit Xml(const Source& source);

    pugi::xml_node root() const { return document_.document_element(); }
    /// Where `node` stands in the text.
    std::string_view place(pugi::xml_node node) const;
    InputError error(pugi::xml_node node, const std::string& message) const;
    /// The attribute `name`. Throws InputError when `node` has none or an empty one.
    std::string_view required(pugi::xml_node node, const char* name) const;

  private:
    const Source& source_;
    pugi::xml_document document_;
};

}  // namespace narrows
