#include "cli/formats.hpp"

namespace narrows {

std::string format_json(const Document& document) {
    return document.json.dump(2) + "\n";
}

}  // namespace narrows
