#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "model/quantity.hpp"

namespace narrows {

/// Measured update rates by number of nodes, from `file`: lines `N,value` in GUPS (a header line and `#` lines are
/// passed over), or an `hpccoutf.txt`, whose `CommWorldProcs` and `MPIRandomAccess_GUPs` make one point.
/// InputError with file and line for anything else.
std::map<std::int64_t, Rate> read_measured(const std::string& file);

}  // namespace narrows
