#pragma once

#include "topologies/search/flow_program.hpp"
#include "topologies/search/partition.hpp"

namespace narrows {

/// What needs the partitioners and the solver of linear programs, each as its header says.
struct Solvers {
    const char* version;  ///< of narrows
    decltype(&narrows::flow_program) flow_program;
    decltype(&narrows::metis_division) metis_division;
    decltype(&narrows::scotch_halves) scotch_halves;
};

}  // namespace narrows
