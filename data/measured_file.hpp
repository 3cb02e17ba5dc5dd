#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "model/quantity.hpp"

namespace narrows {

/// Measured update rates by number of nodes, or of ranks.
struct MeasuredFile {
    std::map<std::int64_t, Rate> rates;
    bool by_ranks = false;
};

/// What `file` has: lines `N,value` in GUPS, of nodes (a header line and `#` lines are passed over), or an
/// `hpccoutf.txt`, whose `CommWorldProcs`, a number of ranks, and `MPIRandomAccess_GUPs` make one point.
/// InputError with file and line for anything else.
MeasuredFile read_measured(const std::string& file);

}  // namespace narrows
