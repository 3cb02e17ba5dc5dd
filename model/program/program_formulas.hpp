#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/formula.hpp"
#include "model/program/program.hpp"

namespace narrows {

/// What `program` has written of each phase, as formulas named `PHASE KEY`. Their symbols refer to its texts.
std::vector<Formula> formulas_of(const Program& program, const std::vector<int>& grid,
                                 const std::map<std::string, Amount>& chosen);

}  // namespace narrows
