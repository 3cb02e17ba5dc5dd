#pragma once

#include "cli/document.hpp"

namespace narrows {

/// Every family of networks that a SPEC can name: how it is written, what it is, its parameters, where its formulas
/// come from.
Document family_list();

}  // namespace narrows
