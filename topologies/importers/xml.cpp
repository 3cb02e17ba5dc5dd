#include "topologies/importers/xml.hpp"

#include <fmt/format.h>

namespace narrows {

Xml::Xml(const Source& source) : source_(source) {
    const pugi::xml_parse_result result =
        document_.load_buffer(source.text().data(), source.text().size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result) {
        throw source.error_at(static_cast<std::size_t>(result.offset),
                              fmt::format("this is not XML: {}", result.description()));
    }
}

std::string_view Xml::place(pugi::xml_node node) const {
    const std::ptrdiff_t offset = node.offset_debug();
    return offset < 0 ? source_.text().substr(0, 0) : source_.text().substr(static_cast<std::size_t>(offset));
}

InputError Xml::error(pugi::xml_node node, const std::string& message) const {
    return source_.error(place(node), message);
}

std::string_view Xml::required(pugi::xml_node node, const char* name) const {
    const std::string_view value = node.attribute(name).value();
    if (value.empty()) throw error(node, fmt::format("<{}> has no {}: give it one", node.name(), name));
    return value;
}

int Xml::vertex(const NetworkBuilder& builder, pugi::xml_node node, const char* name,
                std::string_view complaint) const {
    const std::string_view id = required(node, name);
    const int vertex = builder.find(id);
    if (vertex < 0) throw error(node, fmt::format("{} {} {}", name, quoted(id), complaint));
    return vertex;
}

}  // namespace narrows
