// The one symbol of narrows_solvers.so, which solvers_on_demand.cpp asks for.
#include "topologies/search/solvers.hpp"

extern "C" __attribute__((visibility("default"))) const narrows::Solvers narrows_solvers{
    NARROWS_VERSION, &narrows::flow_program, &narrows::metis_division, &narrows::scotch_halves};
