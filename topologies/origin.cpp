#include "topologies/origin.hpp"

namespace narrows {

void Origin::fail(const std::string& message) const {
    if (file.empty()) throw InputError(message);
    throw InputError(file, line, column, text, message);
}

}  // namespace narrows
