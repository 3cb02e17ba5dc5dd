#include <fmt/format.h>

#include "cli/formats.hpp"
#include "topologies/input_error.hpp"
#include "topologies/utf8.hpp"

namespace narrows {
namespace {

using Json = nlohmann::ordered_json;

/// JSON is UTF-8 and cannot hold other bytes, which a file's name may have.
void require_utf8(const Json& json) {
    for (const Json& part : json) {
        if (part.is_structured()) require_utf8(part);
        if (!part.is_string() || is_utf8(part.get_ref<const std::string&>())) continue;
        throw InputError(fmt::format("'{}' is not UTF-8 text, as all of JSON is: rename it, or choose another --format",
                                     part.get_ref<const std::string&>()));
    }
}

}  // namespace

std::string format_json(const Document& document) {
    require_utf8(document.json);
    return document.json.dump(2) + "\n";
}

}  // namespace narrows
