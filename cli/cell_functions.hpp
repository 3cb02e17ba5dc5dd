#pragma once

#include "data/cell_values.hpp"

namespace narrows {

/// The functions of the model, and those that take words as a command line has them or search a network.
const CellLanguage& cell_language();

}  // namespace narrows
