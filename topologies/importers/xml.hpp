#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "topologies/importers/network_builder.hpp"

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
    /// The vertex that the attribute `name` names. Throws InputError with `complaint` when there is none.
    int vertex(const NetworkBuilder& builder, pugi::xml_node node, const char* name, std::string_view complaint) const;

  private:
    const Source& source_;
    pugi::xml_document document_;
};

}  // namespace narrows
