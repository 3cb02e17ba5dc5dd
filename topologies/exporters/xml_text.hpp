#pragma once

#include <string>
#include <string_view>

namespace narrows {

/// `text` for an attribute or a text of XML. Control characters, which XML cannot hold, become '_'.
std::string xml_text(std::string_view text);

}  // namespace narrows
