#include "model/program/expression.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

void Origin::fail(const std::string& message) const {
    if (file.empty()) throw InputError(message);
    throw InputError(file, line, column, text, message);
}

}  // namespace narrows
